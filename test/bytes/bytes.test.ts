import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { firstNotBefore, lowerBound } from '../../src/bytes/binary-search.ts';
import { ByteWriter } from '../../src/bytes/byte-writer.ts';
import { bucketOf, hashItems, hashText } from '../../src/bytes/hash.ts';
import { withRoom } from '../../src/bytes/memory.ts';
import { readVarint } from '../../src/bytes/numbers-in-bytes.ts';

const uint32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });

describe('binary search', () => {
  test('finds the first number that is not below a value, within its bounds', () => {
    fc.assert(
      fc.property(fc.uint32Array(), uint32, fc.nat(20), fc.nat(20), (numbers, value, a, b) => {
        const sorted = numbers.sort();
        const high = Math.min(a + b, sorted.length);
        const low = Math.min(a, high);
        const place = [...sorted.subarray(low, high)].findIndex((number) => number >= value);
        const expected = place < 0 ? high : low + place;
        expect(lowerBound(sorted, value, low, high)).toBe(expected);
        expect(firstNotBefore(low, high, (at) => (sorted[at] ?? 0) < value)).toBe(expected);
      }),
    );
  });
});

describe('the hash', () => {
  test('of a text is taken over its UTF-16 units', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), uint32, (text, seed) => {
        const units = Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
        expect(hashItems(units, 0, units.length, seed)).toBe(hashText(text, seed));
      }),
    );
  });

  test('that search indexes store never changes', () => {
    expect([hashText('', 0), hashText('deutsche bank', 0x6e616d65), hashText('三菱', 1)]).toEqual([
      2_872_998_923, 1_670_182_087, 1_620_440_720,
    ]);
  });

  test('is spread over the given number of buckets', () => {
    fc.assert(
      fc.property(uint32, fc.integer({ min: 1, max: 1_000 }), (hash, buckets) => {
        const bucket = bucketOf(hash, buckets);
        expect(Number.isInteger(bucket) && bucket >= 0 && bucket < buckets).toBe(true);
      }),
    );
  });
});

test('numbers of variable length are read back in the order they were written', () => {
  fc.assert(
    fc.property(fc.array(uint32), (numbers) => {
      const writer = new ByteWriter();
      for (const number of numbers) writer.varint(number);
      const cursor = { bytes: writer.view(), at: 0 };
      expect(numbers.map(() => readVarint(cursor))).toEqual(numbers);
      expect(cursor.at).toBe(writer.length);
    }),
  );
});

test('a buffer that is too short is replaced by one at least twice as long that keeps the used part', () => {
  const make = (length: number) => new Uint8Array(length);
  const items = Uint8Array.of(1, 2, 3, 4);
  expect(withRoom(items, 3, 4, make)).toBe(items);
  expect([...withRoom(items, 3, 5, make)]).toEqual([1, 2, 3, 0, 0, 0, 0, 0]);
  expect(withRoom(items, 0, 100, make).length).toBe(100);
});
