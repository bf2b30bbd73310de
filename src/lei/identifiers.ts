import { quoted } from '../terminal-text.ts';
/**
 * Checks identifiers by syntax and check digit before anything is looked up or stored.
 *
 * Plain loops over character codes: a full load checks some thirty million of these, and a request one or two.
 */

export type IdentifierCheck =
  | { readonly ok: true /** Upper-cased. */; readonly value: string }
  | { readonly ok: false /** A sentence: what is wrong and what is allowed. */; readonly reason: string };

const digit = 1;
const letter = 2;
const qccCharacter = 4;
const alphanumeric = digit | letter;

const digits = '0123456789';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** Without I, L, O and Z, which are easily misread. */
export const qccAlphabet = '0123456789ABCDEFGHJKMNPQRSTUVWXY';

/** Which sets of characters an ASCII code belongs to, as bits. */
const classes = new Uint8Array(128);
for (const [set, characters] of [
  [digit, digits],
  [letter, letters],
  [qccCharacter, qccAlphabet],
] as const) {
  for (const character of characters) {
    const code = character.charCodeAt(0);
    classes[code] = (classes[code] ?? 0) | set;
  }
}

/** Whether every character from `from` to before `to` belongs to the set. */
function spans(text: string, from: number, to: number, set: number): boolean {
  for (let index = from; index < to; index++) {
    if (((classes[text.charCodeAt(index)] ?? 0) & set) === 0) return false;
  }
  return true;
}

/** 0 to 9 for digits, 10 to 35 for upper-case letters. */
function characterValue(code: number): number {
  return code < 58 ? code - 48 : code - 55;
}

/** Upper-case for ASCII only: `toUpperCase` makes "S" of "ſ" and "SS" of "ß", which no identifier contains. */
function upperCased(text: string): string {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > 127) return text;
  }
  return text.toUpperCase();
}

/** The value of each ASCII code in the number that a text represents; -1 if it has none. */
const values = Int8Array.from(classes, (sets, code) =>
  (sets & alphanumeric) === 0 ? -1 : characterValue(code),
);

/**
 * The remainder by 97 of the number that a text represents when letters count 10 to 35 (ISO 7064 MOD 97-10); -1 for a text
 * that is not alphanumeric and upper-case.
 */
export function remainder97(text: string): number {
  let number = 0;
  for (let index = 0; index < text.length; index++) {
    const value = values[text.charCodeAt(index)] ?? -1;
    if (value < 0) return -1;
    number = number * (value < 10 ? 10 : 100) + value;
    // Kept within 31 bits, where arithmetic is fastest, with one division for three to seven characters.
    if (number > 9_999_999) number %= 97;
  }
  return number % 97;
}

function hasLeiSyntax(text: string): boolean {
  return text.length === 20 && spans(text, 0, 18, alphanumeric) && spans(text, 18, 20, digit);
}

/**
 * Whether a text is an LEI (ISO 17442) as published: upper-case, 20 characters, check digits right.
 *
 * Generators make check digits 02 to 98, yet real LEIs end in 00 or 01 (such as 315700X40GNCOUWJYR00), which have the
 * right remainder too; so the remainder alone decides.
 */
export function isLei(text: string): boolean {
  return text.length === 20 && spans(text, 18, 20, digit) && remainder97(text) === 1;
}

/** Reads a text as an LEI, in any case; null if it is not one. Faster than {@link checkLei}, which says what is wrong. */
export function leiIn(text: string): string | null {
  if (text.length !== 20) return null;
  const value = upperCased(text);
  return isLei(value) ? value : null;
}

/** Legal Entity Identifier, ISO 17442. */
export function checkLei(text: string): IdentifierCheck {
  const value = upperCased(text);
  if (!hasLeiSyntax(value)) {
    return syntaxFault('An LEI has 20 characters: 18 letters or digits, then two check digits', value, 20);
  }
  if (remainder97(value) === 1) return { ok: true, value };
  const right = String(98 - remainder97(`${value.slice(0, 18)}00`)).padStart(2, '0');
  return checkDigitFault(`The check digits of this LEI are ${value.slice(18)}`, right, 'ISO 7064 MOD 97-10');
}

function hasIsinSyntax(text: string): boolean {
  return (
    text.length === 12 &&
    spans(text, 0, 2, letter) &&
    spans(text, 2, 11, alphanumeric) &&
    spans(text, 11, 12, digit)
  );
}

/** The Luhn sum of the first `length` characters, letters as two digits, the last digit counted double. */
function luhnSum(text: string, length: number): number {
  let sum = 0;
  let doubled = true;
  for (let index = length - 1; index >= 0; index--) {
    const value = characterValue(text.charCodeAt(index));
    sum += luhnDigit(value % 10, doubled);
    doubled = !doubled;
    if (value > 9) {
      sum += luhnDigit(Math.trunc(value / 10), doubled);
      doubled = !doubled;
    }
  }
  return sum;
}

function luhnDigit(value: number, doubled: boolean): number {
  if (!doubled) return value;
  return value < 5 ? value * 2 : value * 2 - 9;
}

/** Luhn's check digit of an ISIN (ISO 6166). @param text the ISIN, with or without it */
export function isinCheckDigit(text: string): number {
  return (10 - (luhnSum(text, 11) % 10)) % 10;
}

/** International Securities Identification Number, ISO 6166. Prefixes that are no country (XS, EU) are genuine. */
export function checkIsin(text: string): IdentifierCheck {
  const value = upperCased(text);
  if (!hasIsinSyntax(value)) {
    return syntaxFault(
      'An ISIN has 12 characters: two letters, nine letters or digits, one check digit',
      value,
      12,
    );
  }
  const right = isinCheckDigit(value);
  if (characterValue(value.charCodeAt(11)) === right) return { ok: true, value };
  return checkDigitFault(`The check digit of this ISIN is ${value[11]}`, String(right), 'Luhn, ISO 6166');
}

/** Whether a text is a BIC (ISO 9362) as published: upper-case, 8 or 11 characters; it has no check digit. */
export function isBic(text: string): boolean {
  return (
    (text.length === 8 || text.length === 11) &&
    spans(text, 0, 4, alphanumeric) &&
    spans(text, 4, 6, letter) &&
    spans(text, 6, text.length, alphanumeric)
  );
}

/** Business Identifier Code, ISO 9362, in the form it was given: 8 or 11 characters. */
export const checkBic = checker(
  isBic,
  'A BIC has 8 characters, or 11 for a branch: four letters or digits, the two letters of a country, then letters or digits',
  8,
  11,
);

/** Market Identifier Code, ISO 10383. */
export const checkMic = checker(
  (text) => text.length === 4 && spans(text, 0, 4, alphanumeric),
  'A MIC has 4 characters, each a letter or a digit',
  4,
);

/** Global Energy Monitor entity id. */
export const checkGem = checker(
  (text) => text.length === 13 && text.startsWith('E1') && spans(text, 2, 13, digit),
  'A GEM entity id has 13 characters: E1 and eleven digits',
  13,
);

/** Qichacha entity code. */
export const checkQcc = checker(
  (text) =>
    text.length === 10 &&
    text.startsWith('Q') &&
    spans(text, 1, 3, letter) &&
    spans(text, 3, 10, qccCharacter),
  'A QCC code has 10 characters: Q, the two letters of a country, and seven digits or letters other than I, L, O and Z',
  10,
);

/**
 * The check of an identifier without check digits.
 * @param isRight about an upper-case text; @param rule what it must be; @param lengths that it may have
 */
function checker(
  isRight: (text: string) => boolean,
  rule: string,
  ...lengths: readonly number[]
): (text: string) => IdentifierCheck {
  return (text) => {
    const value = upperCased(text);
    return isRight(value) ? { ok: true, value } : syntaxFault(rule, value, ...lengths);
  };
}

const openCorporatesShape = /^([a-z]{2}(?:_[a-z0-9]{1,3})?)(\/\S+)$/i;

/**
 * `jurisdiction/number`, as `de/M1201_HRB32000`. The jurisdiction becomes lower-case; the number stays as it is, because
 * the register decides how it is written.
 */
export function checkOpenCorporatesId(text: string): IdentifierCheck {
  const [, jurisdiction, number] = openCorporatesShape.exec(text) ?? [];
  if (jurisdiction !== undefined) return { ok: true, value: `${jurisdiction.toLowerCase()}${number}` };
  return {
    ok: false,
    reason: 'An OpenCorporates id is a jurisdiction, a slash and a number, such as us_de/4386463.',
  };
}

function syntaxFault(rule: string, value: string, ...lengths: readonly number[]): IdentifierCheck {
  return { ok: false, reason: `${rule}. This one ${whatIsOdd(value, lengths)}.` };
}

function checkDigitFault(found: string, right: string, rule: string): IdentifierCheck {
  return { ok: false, reason: `${found}, but must be ${right} (${rule}).` };
}

/** Characters that look like nothing, or like each other. */
const spaceNames: ReadonlyMap<string, string> = new Map([
  [' ', 'a space'],
  ['\t', 'a tab'],
  ['\n', 'a line end'],
  ['\u00a0', 'a no-break space'],
  ['\u200b', 'a zero-width space'],
  ['\ufeff', 'a byte order mark'],
]);

/** Names the most likely slip without repeating the whole text, which may be of any length. */
function whatIsOdd(value: string, lengths: readonly number[]): string {
  const odd = Array.from(value.slice(0, 64)).find((character) => !spans(character, 0, 1, alphanumeric));
  if (odd !== undefined) return `contains ${spaceNames.get(odd) ?? quoted(odd)}`;
  if (!lengths.includes(value.length)) return `has ${value.length}`;
  return 'has a letter or a digit in the wrong place';
}
