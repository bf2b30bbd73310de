/** Makes valid identifiers of every kind, with computed check digits. */
import { isinCheckDigit, qccAlphabet, remainder97 } from '../lei/identifiers.ts';
import { twoDigits } from './dates.ts';

const pairCount = 36 * 36;
const pairs: readonly string[] = Array.from({ length: pairCount }, (_, index) => base36(index, 2));

// The effect of each pair of characters on the remainder, computed once: an LEI has nine such pairs.
const pairRemainders = Uint8Array.from(pairs, remainder97);
const pairFactors = Uint8Array.from(pairs, (pair) => {
  const digits = [...pair].reduce((sum, character) => sum + (/\d/.test(character) ? 1 : 2), 0);
  return 10 ** digits % 97;
});

/** @param value 0 to 1295 */
function pairOf(value: number): string {
  return pairs[value] ?? '00';
}

/**
 * Makes an LEI (ISO 17442) of a prefix of four characters, "00", twelve characters from three numbers, and check
 * digits.
 * @param order below 36^6; LEIs of one prefix sort by it
 * @param first any 32 bits
 * @param second any 32 bits
 * @param newcomer an LEI made with true never equals one made with false
 */
export function leiCode(
  prefix: string,
  order: number,
  first: number,
  second: number,
  newcomer: boolean,
): string {
  const high = Math.floor(order / (pairCount * pairCount));
  const middle = Math.floor(order / pairCount) % pairCount;
  const low = order % pairCount;
  const fourth = first % pairCount;
  const fifth = Math.floor(first / pairCount) % pairCount;
  // Only LEIs of newcomers have the character 'Z' here.
  const sixth = (second % 36) * 36 + (newcomer ? 35 : Math.floor(second / 36) % 35);
  let remainder = remainder97(`${prefix}00`);
  for (const pair of [high, middle, low, fourth, fifth, sixth]) {
    remainder = (remainder * (pairFactors[pair] ?? 1) + (pairRemainders[pair] ?? 0)) % 97;
  }
  const check = twoDigits[98 - ((remainder * 100) % 97)] ?? '';
  return `${prefix}00${pairOf(high)}${pairOf(middle)}${pairOf(low)}${pairOf(fourth)}${pairOf(fifth)}${pairOf(sixth)}${check}`;
}

/** The number of LEIs of one prefix that {@link leiCode} can keep in order. */
export const leiOrderSpan = pairCount ** 3;

/** Makes an ISIN (ISO 6166): two letters, nine characters and a check digit. */
export function isinCode(country: string, national: string): string {
  const body = `${country}${national}`;
  return `${body}${isinCheckDigit(body)}`;
}

/** A number in base 36, in upper case, padded with zeros. */
export function base36(value: number, width: number): string {
  return value.toString(36).toUpperCase().padStart(width, '0');
}

/** A QCC code: Q, the country, seven characters of an alphabet of 32 without I, L, O and Z. */
export function qccCode(country: string, number: number): string {
  return `Q${country}${inAlphabet(number, qccAlphabet, 7)}`;
}

/** An entity id of Global Energy Monitor: E1 and eleven digits. */
export function gemCode(number: number): string {
  return `E1${String(number).padStart(11, '0')}`;
}

/** A number in base 26 as letters, the last letter changing fastest. */
export function letters(value: number, width: number): string {
  return inAlphabet(value, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', width);
}

function inAlphabet(value: number, alphabet: string, width: number): string {
  let rest = value;
  let text = '';
  for (let position = 0; position < width; position++) {
    text = alphabet.charAt(rest % alphabet.length) + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}
