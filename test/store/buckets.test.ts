import { expect, test } from 'bun:test';
import { sortByHash } from '../../src/store/buckets.ts';

test('members of a bucket are sorted by hash, those of one hash in their original order, in a very large bucket too', () => {
  for (const count of [0, 1, 1_000, 2 ** 20 + 1]) {
    const members = Uint32Array.from({ length: count }, (_, i) => count + i);
    const hashAt = (member: number) => 2 ** 32 - 1 - (member % 3);
    const expected = [2, 1, 0].flatMap((rest) => Array.from(members).filter((member) => member % 3 === rest));
    const sorted = sortByHash(members, hashAt);
    expect(sorted.length).toBe(count);
    expect(sorted.findIndex((member, i) => member !== expected[i])).toBe(-1);
  }
});
