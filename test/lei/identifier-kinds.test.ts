import { expect, test } from 'bun:test';
import { kindsBySlot, mappingKinds, mappingTable } from '../../src/lei/identifier-kinds.ts';

test('each kind has a slot of its own, and no slot is left over', () => {
  const slots = kindsBySlot.map((kind): number => mappingTable[kind].slot);
  expect(slots).toEqual([...mappingKinds.keys()]);
});

test('the example of each kind fits its pattern and passes its check', () => {
  for (const kind of mappingKinds) {
    const { check, canonical, parameter, width } = mappingTable[kind];
    expect(parameter.example).toMatch(new RegExp(parameter.pattern));
    expect(check(parameter.example)).toEqual({ ok: true, value: parameter.example });
    if (width !== null) expect(canonical(parameter.example)).toHaveLength(width);
  }
});
