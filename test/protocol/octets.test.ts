import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { bytesOf, isAscii, octetsOf, textOf } from '../../src/protocol/octets.ts';

const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' })).map((value) => value.toWellFormed());

test('octets are the UTF-8 bytes of a text, one character a byte, and lead back to it', () => {
  fc.assert(
    fc.property(text, (given) => {
      const octets = octetsOf(given);
      expect(bytesOf(octets)).toEqual(Buffer.from(given));
      expect(octets.length).toBe(Buffer.byteLength(given));
      expect(textOf(octets)).toBe(given);
    }),
  );
});

test('text of ASCII is its own octets', () => {
  expect(octetsOf('{"name":"GmbH"}')).toBe('{"name":"GmbH"}');
  expect([isAscii('GmbH'), isAscii('Bäcker'), isAscii('株式会社')]).toEqual([true, false, false]);
});
