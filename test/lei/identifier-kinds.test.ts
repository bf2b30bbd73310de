import { expect, test } from 'bun:test';
import { identifierKinds, kindsBySlot, mappingKinds, mappingTable } from '../../src/lei/identifier-kinds.ts';

test('each kind has a slot of its own, and no slot is left over', () => {
  const slots = kindsBySlot.map((kind): number => mappingTable[kind].slot);
  expect(slots).toEqual([...mappingKinds.keys()]);
});

test('the example of each kind that can be looked up fits its pattern and passes its check', () => {
  for (const kind of identifierKinds) {
    const { check, canonical, lookUp, width } = mappingTable[kind];
    const { inPath } = lookUp;
    expect(inPath.example).toMatch(new RegExp(inPath.pattern));
    expect(check(inPath.example)).toEqual({ ok: true, value: inPath.example });
    expect(canonical(inPath.example)).toHaveLength(width);
  }
});
