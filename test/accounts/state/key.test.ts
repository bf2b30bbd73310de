import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isWellFormedSecret, newSecret, prefixOf } from '../../../src/accounts/state/key.ts';

const secret = fc.constant(null).map(() => newSecret());
const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('a key', () => {
  test('is lei_live_ and letters and digits, with at least 160 random bits', () => {
    const made = newSecret();
    expect(made).toMatch(/^lei_live_[A-Za-z0-9]{38}$/);
    expect(32 * Math.log2(62)).toBeGreaterThanOrEqual(160);
    expect(new Set(Array.from({ length: 10_000 }, () => newSecret())).size).toBe(10_000);
  });

  test('of /reconcile has another prefix, and neither kind is accepted as the other', () => {
    const token = newSecret('reconcile');
    expect(token).toMatch(/^lei_reconcile_[A-Za-z0-9]{38}$/);
    expect(isWellFormedSecret(token, 'reconcile')).toBe(true);
    expect(isWellFormedSecret(token)).toBe(false);
    expect(isWellFormedSecret(newSecret(), 'reconcile')).toBe(false);
    expect(prefixOf(token)).toBe(token.slice(0, 18));
  });

  test('uses every letter and digit about equally often', () => {
    const text = Array.from({ length: 5_000 }, () => newSecret().slice(9, 41)).join('');
    const expected = text.length / letters.length;
    for (const letter of letters) {
      const share = (text.split(letter).length - 1) / expected;
      expect(share).toBeGreaterThan(0.85);
      expect(share).toBeLessThan(1.15);
    }
  });

  test('is refused without a look-up if one character was mistyped', () => {
    fc.assert(
      fc.property(
        secret,
        fc.integer({ min: 9, max: 46 }),
        fc.integer({ min: 0, max: 61 }),
        (made, at, letter) => {
          const mistyped = made.slice(0, at) + letters.charAt(letter) + made.slice(at + 1);
          expect(isWellFormedSecret(mistyped)).toBe(mistyped === made);
        },
      ),
    );
  });

  test('is refused if two neighbours were swapped, one was lost, or one was added', () => {
    fc.assert(
      fc.property(secret, fc.integer({ min: 9, max: 45 }), (made, at) => {
        const swapped = made.slice(0, at) + made.charAt(at + 1) + made.charAt(at) + made.slice(at + 2);
        expect(isWellFormedSecret(swapped)).toBe(swapped === made);
        expect(isWellFormedSecret(made.slice(0, at) + made.slice(at + 1))).toBe(false);
        expect(isWellFormedSecret(made.slice(0, at) + made.charAt(at) + made.slice(at))).toBe(false);
      }),
    );
  });

  test('is never found in any other text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !isWellFormedSecret(text)));
  });
});
