import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { retention } from '../../src/publication/pointer.ts';

const activation = (id: string) => ({ id, activatedAt: '2026-10-05T12:00:00Z' });
const pointerTo = (id: string, ...previous: string[]) => ({ id, previous: previous.map(activation) });

describe('retention', () => {
  test('keeps the active publication and the previously active ones, newest first', () => {
    expect(retention(['a', 'b', 'c', 'd'], pointerTo('c', 'b', 'a'), 2)).toEqual({
      kept: ['c', 'b'],
      outdated: ['a'],
      unused: ['d'],
    });
  });

  test('counts a publication once, however often it was active', () => {
    expect(retention(['a', 'b', 'c'], pointerTo('a', 'b', 'a', 'b', 'c'), 2)).toMatchObject({
      kept: ['a', 'b'],
      outdated: ['c'],
    });
  });

  test('does not count an earlier publication that is missing, but always counts the active one', () => {
    expect(retention(['a'], pointerTo('c', 'b', 'a'), 2)).toMatchObject({ kept: ['c', 'a'], outdated: [] });
  });

  test('puts every sealed publication into exactly one of its lists', () => {
    const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    fc.assert(
      fc.property(
        fc.uniqueArray(ids),
        ids,
        fc.array(ids),
        fc.integer({ min: 1, max: 8 }),
        (sealed, id, earlier, keep) => {
          const { kept, outdated, unused } = retention(sealed, pointerTo(id, ...earlier), keep);
          const listed = [...kept, ...outdated, ...unused];
          expect(listed.toSorted()).toEqual([...new Set([id, ...sealed])].toSorted());
          expect(kept[0]).toBe(id);
          expect(kept.length).toBeLessThanOrEqual(keep);
        },
      ),
    );
  });
});
