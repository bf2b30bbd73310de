import { expect, test } from 'bun:test';
import { filled } from '../../src/generate/addresses.ts';
import { purposes, Random } from '../../src/generate/random.ts';

test('the mask of a postal code becomes digits and letters from A to Z, any of them', () => {
  const random = new Random().start(1, purposes.entity, 0);
  const codes = Array.from({ length: 1_000 }, () => filled('@# @#', random));
  expect(codes.filter((code) => !/^[A-Z]\d [A-Z]\d$/.test(code))).toEqual([]);
  expect(new Set(codes.join('')).size).toBe(1 + 10 + 26);
});
