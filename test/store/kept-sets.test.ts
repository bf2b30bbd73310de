/** Tests how many sets lists keep, and when their rooms are used again. */
import { expect, test } from 'bun:test';
import { KeptSets } from '../../src/store/columns/kept-sets.ts';
import { ListRooms, SetRooms } from '../../src/store/columns/set-rooms.ts';
import { atOnce } from '../../src/store/steps.ts';

const words = 32;
/** As many sets with all bits as are kept. */
const wholeMax = 12;

function begin() {
  const rooms = new SetRooms(words);
  return { kept: new KeptSets(rooms), list: () => new ListRooms(rooms) };
}

function keepWhole(kept: KeptSets, name: string, list: ListRooms) {
  const set = { words: list.full(), count: words * 32 };
  atOnce(kept.put(name, set));
  return set;
}

test('of sets without members, which need no memory for them, only the last ones are kept', () => {
  const { kept, list } = begin();
  const set = { words: list().empty(), count: 0 };
  for (let number = 0; number <= 512; number++) atOnce(kept.put(`set ${number}`, set));
  expect(kept.get('set 0', list())).toBeNull();
  expect(kept.get('set 1', list())).toEqual(set);
});

test('of large sets as many are kept as have room, those that were used last', () => {
  const { kept, list } = begin();
  const sets = Array.from({ length: wholeMax + 1 }, (_, number) => {
    const set = keepWhole(kept, `set ${number}`, list());
    kept.get('set 0', list());
    return set;
  });
  expect(kept.get('set 0', list())).toBe(sets[0] ?? null);
  expect(kept.get('set 1', list())).toBeNull();
  expect(kept.get(`set ${wholeMax}`, list())).toBe(sets[wholeMax] ?? null);
});

test('the room of a set that is no longer kept is used again once no list has it', () => {
  const { kept, list } = begin();
  const [maker, reader] = [list(), list()];
  const first = keepWhole(kept, 'first', maker);
  expect(kept.get('first', reader)).toBe(first);
  maker.end();
  for (let number = 0; number < wholeMax; number++) keepWhole(kept, `set ${number}`, list());
  expect(kept.get('first', list())).toBeNull();
  expect(list().empty()).not.toBe(first.words);
  reader.end();
  expect(list().empty()).toBe(first.words);
});

test('a kept set stays as it is when the list that made it ends', () => {
  const { kept, list } = begin();
  const maker = list();
  const set = keepWhole(kept, 'set', maker);
  maker.end();
  list().empty();
  expect(kept.get('set', list())).toBe(set);
  expect(set.words).toEqual(new Uint32Array(words).fill(0xffff_ffff));
});

test('a room that a list gives back is used again before that list ends', () => {
  const { list } = begin();
  const [giver, taker] = [list(), list()];
  const room = giver.empty();
  giver.give(room);
  expect(taker.empty()).toBe(room);
  giver.end();
  expect(list().empty()).not.toBe(room);
});
