import { expect, test } from 'bun:test';
import { availableParallelism } from 'node:os';
import { lookAtCores } from '../../src/commands/doctor/machine.ts';

test('more query threads than cores are noted, with the number that leaves a core to the front', () => {
  const cores = availableParallelism();
  const { grade, message } = lookAtCores({ workers: cores + 1, fronts: 1 });
  expect({ grade, message }).toEqual({
    grade: 'note',
    message: expect.stringContaining(`Set LEI_WORKERS=${Math.max(1, cores - 1)}.`),
  });
  expect(lookAtCores({ workers: 1, fronts: 1 }).grade).toBe('ok');
});
