import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { canonicalEmail, checkApplicant } from '../../../src/accounts/state/account.ts';

const good = { email: 'ada@example.com', company: 'Analytical Engines Ltd', use: 'Supplier checks' };
const faultyFields = (given: Partial<typeof good>) => {
  const check = checkApplicant({ ...good, ...given });
  return check.ok ? [] : check.faults.map(({ field }) => field);
};

describe('an application for an account', () => {
  test('is trimmed, with every text on one line', () => {
    expect(checkApplicant({ email: ' ada@example.com ', company: ' A\tB ', use: 'one\r\ntwo\n' })).toEqual({
      ok: true,
      value: { email: 'ada@example.com', company: 'A B', use: 'one two' },
    });
  });

  test('gets every fault at once, each with its field', () => {
    expect(faultyFields({ email: 'ada', company: ' ', use: '' })).toEqual(['email', 'company', 'use']);
  });

  test('needs a valid e-mail address', () => {
    for (const email of ['', 'a', '@b.de', 'a@', 'a@b', 'a b@c.de', 'a@b..de', `${'x'.repeat(65)}@b.de`]) {
      expect(faultyFields({ email })).toEqual(['email']);
    }
    expect(faultyFields({ email: `a@${'b.'.repeat(130)}de` })).toEqual(['email']);
    for (const email of ["o'neil+lei@sub.example.co.uk", 'Jörg@example.com']) {
      expect(faultyFields({ email })).toEqual([]);
    }
  });

  test.each([
    ['control characters', ['\u0000', '\u001b', '\u007f', '\u009b']],
    ['direction marks', ['\u200e', '\u200f', '\u061c', '\u202e', '\u2066', '\u2069']],
    ['line and paragraph separators', ['\u2028', '\u2029', '\u0085']],
    ['zero-width characters', ['\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad']],
    ['tag characters', ['\u{e0001}', '\u{e0041}', '\u{e007f}']],
    ['letters that show nothing', ['\u3164', '\u115f', '\uffa0', '\u034f']],
    ['code points without a character', ['\u0378', '\ue000', '\u{10ffff}', '\ud800']],
  ])('holds no %s in any field', (_, characters) => {
    for (const odd of characters) {
      expect([odd, faultyFields({ company: `a${odd}b` })]).toEqual([odd, ['company']]);
      expect([odd, faultyFields({ use: `a${odd}b` })]).toEqual([odd, ['use']]);
      expect([odd, faultyFields({ email: `a${odd}b@example.com` })]).toEqual([odd, ['email']]);
      expect([odd, faultyFields({ email: `ab@ex${odd}ample.com` })]).toEqual([odd, ['email']]);
    }
  });

  test('has no address with a quoted local part, which may contain escapes and line breaks', () => {
    for (const local of ['"ada"', '"\u001b[2J"', '"a\nb"', '"a b"', 'a"b"c', '"']) {
      expect([local, faultyFields({ email: `${local}@example.com` })]).toEqual([local, ['email']]);
    }
  });

  test('may be as long as the field allows, in any script', () => {
    expect(faultyFields({ company: 'x'.repeat(1_001), use: 'x'.repeat(1_001) })).toEqual(['company', 'use']);
    expect(faultyFields({ company: 'x'.repeat(201) })).toEqual(['company']);
    expect(faultyFields({ company: 'x'.repeat(200), use: 'x'.repeat(1_000) })).toEqual([]);
    expect(faultyFields({ company: '株式会社辻\u{e0100} Ørsted & Söhne «Ω» ไทย' })).toEqual([]);
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
