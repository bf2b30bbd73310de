import { afterAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { hashItems } from '../../src/bytes/hash.ts';
import { bytesTable, openForBuilding } from '../../src/lmdb.ts';
import { createKeyIndex } from '../../src/loader/build/key-index.ts';
import { openPackedTable, writePackedTable } from '../../src/store/packed-table.ts';
import { temporaryFolder } from '../support/folders.ts';

const folder = temporaryFolder('packed');
const environment = openForBuilding(folder);
afterAll(async () => {
  await environment.close();
});
let tables = 0;

function write(pairs: readonly (readonly [string, number])[], width: number) {
  const table = bytesTable(environment, `table${tables++ % 40}`, 'uint32');
  table.clearSync();
  const keys = new Uint8Array(Buffer.from(pairs.map(([key]) => key).join(''), 'latin1'));
  const values = Uint32Array.from(pairs, ([, value]) => value);
  const shape = writePackedTable(
    table,
    { keyWidth: width, count: pairs.length, keys, values },
    (a, b) => a - b,
  );
  return { shape, ...openPackedTable(table, shape, undefined) };
}

describe('a packed table', () => {
  test('returns every value of every key, in order, each pair once', () => {
    const key = fc.string({ unit: fc.constantFrom('A', 'B', '0', '9'), minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(key, fc.integer({ min: 1, max: 9 })), { maxLength: 400, size: 'max' }),
        key,
        (pairs, other) => {
          const table = write(pairs, 4);
          const expected = (wanted: string) =>
            [...new Set(pairs.filter(([known]) => known === wanted).map(([, value]) => value))].sort();
          for (const wanted of new Set([other, ...pairs.map(([known]) => known)])) {
            expect(table.values(wanted)).toEqual(expected(wanted));
          }
          const distinct = new Set(pairs.map(([known, value]) => `${known} ${value}`));
          expect(table.shape.entries).toBe(distinct.size);
          expect(new Set([...table.entries()].map((entry) => `${entry.key} ${entry.value}`))).toEqual(
            distinct,
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  test('knows no key of another width or alphabet', () => {
    const table = write([['ABCD', 7]], 4);
    expect(table.values('ABCD')).toEqual([7]);
    for (const key of ['', 'ABC', 'ABCDE', 'ABC\u0144', '日本日本']) expect(table.values(key)).toEqual([]);
  });

  test('spreads a hundred thousand keys over buckets that share pages', () => {
    const pairs = Array.from(
      { length: 100_000 },
      (_, index) => [`K${String(index).padStart(11, '0')}`, index + 1] as const,
    );
    const table = write(pairs, 12);
    for (let index = 0; index < pairs.length; index += 997)
      expect(table.values(pairs[index]?.[0] ?? '')).toEqual([index + 1]);
    expect(table.shape.buckets).toBeGreaterThan(1000);
  });
});

test('the hash of keys that publications store never changes', () => {
  const keys = Buffer.from('529900T8BM49AURSDO55DEUTDEFFXXX', 'latin1');
  expect([hashItems(keys, 0, 20), hashItems(keys, 20, 31)]).toEqual([4_113_367_339, 1_134_104_601]);
});

describe('an index of keys', () => {
  test('numbers keys in order of arrival and finds each again, even after it grew', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('A', 'B', 'C', '7'), minLength: 6, maxLength: 6 }), {
          maxLength: 300,
          size: 'max',
        }),
        (keys) => {
          const index = createKeyIndex(6, 4);
          const distinct = [...new Set(keys)];
          for (const key of keys) expect(index.add(key)).toBe(distinct.indexOf(key) + 1);
          expect(index.size).toBe(distinct.length);
          for (const [place, key] of distinct.entries()) {
            expect(index.find(key)).toBe(place + 1);
            expect(index.key(place + 1)).toBe(key);
          }
          expect(index.find('ZZZZZZ')).toBe(0);
        },
      ),
      { numRuns: 50 },
    );
  });
});
