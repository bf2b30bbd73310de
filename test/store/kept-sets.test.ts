/** Tests how many sets lists keep. */
import { expect, test } from 'bun:test';
import type { EntitySet } from '../../src/store/columns/bits.ts';
import { KeptSets } from '../../src/store/columns/kept-sets.ts';
import { ListRooms, SetRooms } from '../../src/store/columns/set-rooms.ts';
import { atOnce } from '../../src/store/steps.ts';

const words = 32;
const rooms = new ListRooms(new SetRooms(words));

function keep(kept: KeptSets, name: string, set: EntitySet): void {
  atOnce(kept.put(name, set, rooms));
}

test('of sets without members, which need no memory for them, only the last ones are kept', () => {
  const kept = new KeptSets(words);
  const set = { words: rooms.empty(), count: 0 };
  for (let number = 0; number <= 512; number++) keep(kept, `set ${number}`, set);
  expect(kept.get('set 0', rooms)).toBeNull();
  expect(kept.get('set 1', rooms)).toEqual(set);
});

test('of large sets as many are kept as have room, those that were used last', () => {
  const kept = new KeptSets(words);
  const sets = Array.from({ length: 13 }, () => ({ words: rooms.full(), count: words * 32 }));
  for (const [number, set] of sets.entries()) {
    keep(kept, `set ${number}`, set);
    kept.get('set 0', rooms);
  }
  expect(kept.get('set 0', rooms)).toBe(sets[0] ?? null);
  expect(kept.get('set 1', rooms)).toBeNull();
  expect(kept.get('set 12', rooms)).toBe(sets[12] ?? null);
});
