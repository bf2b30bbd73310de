import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  checkBic,
  checkGem,
  checkIsin,
  checkLei,
  checkMic,
  checkQcc,
  isLei,
} from '../../src/lei/identifiers.ts';

const digits = '0123456789';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const characters = (set: string, length: number) =>
  fc.array(fc.constantFrom(...set), { minLength: length, maxLength: length }).map((list) => list.join(''));

/** The number that a text represents, letters counting 10 to 35: the definition, without regard to speed. */
function asNumber(text: string): bigint {
  return BigInt(Array.from(text, (character) => Number.parseInt(character, 36)).join(''));
}

const leis = characters(digits + letters, 18).map((body) => {
  const check = 98n - (asNumber(`${body}00`) % 97n);
  return body + String(check).padStart(2, '0');
});

/** The definition of Luhn: from the right, every second digit doubled and its own digits added. */
function passesLuhn(text: string): boolean {
  const sum = Array.from(String(asNumber(`1${text}`)).slice(1))
    .reverse()
    .map((digit, index) => (index % 2 === 0 ? digit : String(Number(digit) * 2)))
    .flatMap((number) => Array.from(number, Number))
    .reduce((a, b) => a + b, 0);
  return sum % 10 === 0;
}

const isins = fc.tuple(characters(letters, 2), characters(digits + letters, 9)).map(([country, body]) => {
  const stem = country + body;
  return stem + Array.from(digits).find((digit) => passesLuhn(stem + digit));
});

function sameClass(a: string, b: string): boolean {
  return digits.includes(a) === digits.includes(b);
}

function replaceAt(text: string, index: number, by: string): string {
  return text.slice(0, index) + by + text.slice(index + by.length);
}

describe('an LEI', () => {
  test('is accepted with ISO 7064 check digits, in either case, and returned in upper case', () => {
    fc.assert(
      fc.property(leis, (lei) => {
        expect(checkLei(lei)).toEqual({ ok: true, value: lei });
        expect(checkLei(lei.toLowerCase())).toEqual({ ok: true, value: lei });
        expect(isLei(lei)).toBe(true);
      }),
    );
  });

  test('with one digit or one letter mistaken for another is always refused', () => {
    fc.assert(
      fc.property(leis, fc.nat(19), fc.constantFrom(...digits, ...letters), (lei, index, other) => {
        const original = lei[index] ?? '';
        fc.pre(original !== other && sameClass(original, other));
        expect(checkLei(replaceAt(lei, index, other)).ok).toBe(false);
      }),
    );
  });

  test('with two neighbouring digits or letters swapped is always refused', () => {
    fc.assert(
      fc.property(leis, fc.nat(18), (lei, index) => {
        const [first = '', second = ''] = lei.slice(index, index + 2);
        fc.pre(first !== second && sameClass(first, second));
        expect(checkLei(replaceAt(lei, index, second + first)).ok).toBe(false);
      }),
    );
  });

  test('with genuine check digits outside 02 to 98 is accepted', () => {
    for (const lei of ['315700X40GNCOUWJYR00', '31570020000000005900', '315700VG7PTE9EJJRX01']) {
      expect(checkLei(lei)).toEqual({ ok: true, value: lei });
    }
  });

  test('with wrong check digits is refused with the right ones', () => {
    expect(checkLei('213800e5z6qrdsmzmk85')).toEqual({
      ok: false,
      reason: 'The check digits of this LEI are 85, but must be 84 (ISO 7064 MOD 97-10).',
    });
    expect(checkLei('213800E5Z6QRDSMZ1400')).toMatchObject({
      reason: expect.stringContaining('but must be 08'),
    });
  });

  test.each([
    ['213800E5Z6QRDSMZMK8', 'has 19'],
    ['213800E5Z6QRDSMZMK844', 'has 21'],
    ['', 'has 0'],
    [' 213800E5Z6QRDSMZMK84', 'contains a space'],
    ['213800E5Z6QRDSMZMK84\u00a0', 'contains a no-break space'],
    ['213800E5Z6QRDSMZMK\u200984', 'contains "\\u2009"'],
    ['213800E5Z6QRDSMZMK-84', 'contains "-"'],
    ['213800E5Z6QRDſMZMK84', 'contains "ſ"'],
    ['213800E5Z6QRDSMZMK８４', 'contains "８"'],
    ['213800E5Z6QRDSMZMK\u000084', 'contains "\\u0000"'],
    ['213800E5Z6QRDSMZMK8A', 'has a letter or a digit in the wrong place'],
  ])('%j is refused, and the reason says why', (text, why) => {
    expect(checkLei(text)).toEqual({
      ok: false,
      reason: `An LEI has 20 characters: 18 letters or digits, then two check digits. This one ${why}.`,
    });
    expect(isLei(text)).toBe(false);
  });

  test('of any wrong length is refused without being repeated', () => {
    expect(checkLei('A'.repeat(100_000))).toMatchObject({ reason: expect.stringMatching(/ has 100000\.$/) });
  });

  test('in published data is in upper case', () => {
    expect(isLei('213800E5Z6QRDSMZMK84')).toBe(true);
    expect(isLei('213800e5z6qrdsmzmk84')).toBe(false);
  });
});

describe('an ISIN', () => {
  test('that passes Luhn is accepted, in either case, and returned in upper case', () => {
    fc.assert(
      fc.property(isins, (isin) => {
        expect(checkIsin(isin.toLowerCase())).toEqual({ ok: true, value: isin });
      }),
    );
  });

  test('with any other check digit is refused, and the message names the right one', () => {
    fc.assert(
      fc.property(isins, fc.constantFrom(...digits), (isin, other) => {
        fc.pre(!isin.endsWith(other));
        const check = checkIsin(isin.slice(0, 11) + other);
        expect(check).toEqual({
          ok: false,
          reason: `The check digit of this ISIN is ${other}, but must be ${isin[11]} (Luhn, ISO 6166).`,
        });
      }),
    );
  });

  test('with one digit mistaken for another is always refused', () => {
    fc.assert(
      fc.property(
        isins,
        fc.integer({ min: 2, max: 11 }),
        fc.constantFrom(...digits),
        (isin, index, other) => {
          fc.pre(digits.includes(isin[index] ?? '') && isin[index] !== other);
          expect(checkIsin(replaceAt(isin, index, other)).ok).toBe(false);
        },
      ),
    );
  });

  test('with two neighbouring digits swapped is refused, except 0 and 9, which Luhn does not detect', () => {
    fc.assert(
      fc.property(isins, fc.integer({ min: 2, max: 10 }), (isin, index) => {
        const [first = '', second = ''] = isin.slice(index, index + 2);
        fc.pre(first !== second && digits.includes(first) && digits.includes(second));
        const unseen = [first, second].sort().join('') === '09';
        expect(checkIsin(replaceAt(isin, index, second + first)).ok).toBe(unseen);
      }),
    );
  });

  test('of every genuine shape is accepted', () => {
    for (const isin of ['US0378331005', 'NGSDCBANCO00', 'XS0356705219', 'EU000A1G0A57', 'DE000BAY0017']) {
      expect(checkIsin(isin)).toEqual({ ok: true, value: isin });
    }
  });

  test.each([
    ['US037833100', 'has 11'],
    ['U50378331005', 'has a letter or a digit in the wrong place'],
    ['US03783310-5', 'contains "-"'],
  ])('%j is refused, and the reason says why', (text, why) => {
    expect(checkIsin(text)).toEqual({
      ok: false,
      reason: `An ISIN has 12 characters: two letters, nine letters or digits, one check digit. This one ${why}.`,
    });
  });
});

describe('a BIC', () => {
  test('of 8 or 11 characters is accepted as given, in upper case', () => {
    expect(checkBic('deutdeff')).toEqual({ ok: true, value: 'DEUTDEFF' });
    expect(checkBic('DEUTDEFF500')).toEqual({ ok: true, value: 'DEUTDEFF500' });
    expect(checkBic('E097AEXXXXX')).toEqual({ ok: true, value: 'E097AEXXXXX' });
  });

  test.each([
    ['DEUTDEFF5', 'has 9'],
    ['DEUT1EFF', 'has a letter or a digit in the wrong place'],
    ['DEUT1EFFXXX', 'has a letter or a digit in the wrong place'],
    ['DEUTDE/F', 'contains "/"'],
  ])('%j is refused', (text, why) => {
    expect(checkBic(text)).toEqual({
      ok: false,
      reason: `A BIC has 8 characters, or 11 for a branch: four letters or digits, the two letters of a country, then letters or digits. This one ${why}.`,
    });
  });
});

describe('MIC, GEM and QCC', () => {
  test('are accepted in either case and returned in upper case', () => {
    expect(checkMic('xlon')).toEqual({ ok: true, value: 'XLON' });
    expect(checkMic('360T')).toEqual({ ok: true, value: '360T' });
    expect(checkGem('e100000001096')).toEqual({ ok: true, value: 'E100000001096' });
    expect(checkQcc('qcn1y0u7tv')).toEqual({ ok: true, value: 'QCN1Y0U7TV' });
  });

  test('of another length, alphabet or beginning are refused, and the message states the rule', () => {
    expect(checkMic('XLO')).toEqual({
      ok: false,
      reason: 'A MIC has 4 characters, each a letter or a digit. This one has 3.',
    });
    expect(checkGem('E200000001096')).toEqual({
      ok: false,
      reason:
        'A GEM entity id has 13 characters: E1 and eleven digits. This one has a letter or a digit in the wrong place.',
    });
    expect(checkGem('E10000000109')).toMatchObject({ reason: expect.stringContaining('has 12.') });
    for (const misread of 'ILOZ') expect(checkQcc(`QCN1Y0U7T${misread}`).ok).toBe(false);
    expect(checkQcc('XCN1Y0U7TV').ok).toBe(false);
    expect(checkQcc('Q1N1Y0U7TV').ok).toBe(false);
  });
});

test('each check agrees with the pattern of its standard on nearly valid texts', () => {
  const schemes = [
    [checkBic, /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/i, 'DEUTDEFF500'],
    [checkMic, /^[A-Z0-9]{4}$/i, 'XLON'],
    [checkGem, /^E1[0-9]{11}$/i, 'E100000001096'],
    [checkQcc, /^Q[A-Z]{2}[0-9A-HJKMNP-Y]{7}$/i, 'QCN1Y0U7TV'],
  ] as const;
  const edits = fc.array(fc.tuple(fc.nat(14), fc.constantFrom(...`${digits}${letters}aé -\n`, '')), {
    maxLength: 3,
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...schemes),
      edits,
      fc.nat(14),
      ([check, pattern, sample], changes, length) => {
        let text = sample.slice(0, length);
        for (const [index, by] of changes) text = text.slice(0, index) + by + text.slice(index + 1);
        expect(check(text).ok).toBe(pattern.test(text));
      },
    ),
    { numRuns: 2000 },
  );
});
