import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { canonicalEmail, checkApplicant } from '../../src/state/account.ts';

const good = { email: 'ada@example.com', company: 'Analytical Engines Ltd', use: 'Supplier checks' };
const faultyFields = (given: Partial<typeof good>) => {
  const check = checkApplicant({ ...good, ...given });
  return check.ok ? [] : check.faults.map(({ field }) => field);
};

describe('an application for an account', () => {
  test('is taken trimmed, with every text in one line', () => {
    expect(checkApplicant({ email: ' ada@example.com ', company: ' A\tB ', use: 'one\r\ntwo\n' })).toEqual({
      ok: true,
      value: { email: 'ada@example.com', company: 'A B', use: 'one two' },
    });
  });

  test('is told every fault at once, each with its field', () => {
    expect(faultyFields({ email: 'ada', company: ' ', use: '' })).toEqual(['email', 'company', 'use']);
  });

  test('needs an e-mail address by the rules of e-mail', () => {
    for (const email of ['', 'a', '@b.de', 'a@', 'a@b', 'a b@c.de', 'a@b..de', `${'x'.repeat(65)}@b.de`]) {
      expect(faultyFields({ email })).toEqual(['email']);
    }
    expect(faultyFields({ email: `a@${'b.'.repeat(130)}de` })).toEqual(['email']);
    for (const email of ["o'neil+lei@sub.example.co.uk", 'Jörg@example.com']) {
      expect(faultyFields({ email })).toEqual([]);
    }
  });

  test('holds no control characters, direction marks or broken Unicode, and is not too long', () => {
    for (const odd of [
      'a\u0000b',
      'a\u001bb',
      'a\u007fb',
      'a\u202eb',
      'a\u2028b',
      'a\ud800b',
      'x'.repeat(1_001),
    ]) {
      expect(faultyFields({ company: odd })).toEqual(['company']);
      expect(faultyFields({ use: odd })).toEqual(['use']);
    }
    expect(faultyFields({ company: 'x'.repeat(201) })).toEqual(['company']);
    expect(faultyFields({ company: 'x'.repeat(200), use: 'x'.repeat(1_000) })).toEqual([]);
    expect(faultyFields({ company: '株式会社 Ørsted & Söhne «Ω»' })).toEqual([]);
  });

  test('is checked for any text without throwing', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(fc.record({ email: text, company: text, use: text }), (given) => {
        expect(typeof checkApplicant(given).ok).toBe('boolean');
      }),
    );
  });

  test('has one canonical address for every spelling', () => {
    expect(canonicalEmail('ADA@Example.COM')).toBe(canonicalEmail('ada@example.com'));
    expect(canonicalEmail('Jo\u0308rg@example.com')).toBe(canonicalEmail('jörg@EXAMPLE.com'));
  });
});
