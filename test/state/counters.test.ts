import { expect, test } from 'bun:test';
import { layout } from '../../src/publication/layout.ts';
import { stateLimits } from '../../src/state/limits.ts';
import { openStateStore } from '../../src/state/state-store.ts';
import { temporaryFolder } from '../support/folders.ts';

test('counts of more subjects than one transaction takes are all kept, and those of earlier days forgotten', async () => {
  const store = openStateStore(layout(temporaryFolder('counters')));
  const { counters } = store;
  // The lowest byte of the one is the greatest, that of the other the least.
  const [yesterday, today] = [0x50ff, 0x5100];
  const subjects = Array.from({ length: stateLimits.rowsPerTransaction * 2 + 1 }, (_, n) => `ip_${n}`);
  for (const day of [yesterday, today]) {
    await counters.save(subjects.map((subject) => ({ subject, day, value: Buffer.from([day & 255]) })));
  }
  expect(counters.size()).toBe(2 * subjects.length);
  expect(await counters.forgetBefore(yesterday)).toBe(0);
  expect(await counters.forgetBefore(today)).toBe(subjects.length);
  expect(subjects.filter((subject) => counters.read(subject, yesterday) !== undefined)).toEqual([]);
  expect(subjects.filter((subject) => counters.read(subject, today)?.[0] !== 0)).toEqual([]);
  await store.close();
});
