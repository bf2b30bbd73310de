import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { AsciiText } from '../../src/http/headers.ts';

const text = new AsciiText();

test('parts are joined in order', () => {
  expect(text.begin().byte(34).put(Buffer.from('a;b=')).number(7).put(Buffer.from('')).toString()).toBe(
    '"a;b=7',
  );
});

test('begin() discards the text before it', () => {
  text.begin().put(Buffer.from('something longer'));
  expect(text.begin().number(10).toString()).toBe('10');
});

test('a number is written with the digits of its string', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.integer({ min: 0, max: 53 }), (large, shift) => {
      const number = Math.floor(large / 2 ** shift);
      expect(text.begin().put(Buffer.from('r=')).number(number).byte(59).toString()).toBe(`r=${number};`);
    }),
  );
  for (const number of [0, 9, 10, 99, 100, 2 ** 31 - 1, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
    expect(text.begin().number(number).toString()).toBe(String(number));
  }
});
