/** Reads what numbers a company among its sisters: the III of "Larkmoor Fund III", the A of "Larkmoor Trust A". */
import { betweenWords, connector, foldedWithLetters } from './fold.ts';

const tens = ['', 'x', 'xx', 'xxx'];
const units = ['', 'i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix'];
/** By number, from 0. Names hardly ever have larger ones. */
const romans = tens.flatMap((ten) => units.map((unit) => ten + unit));
const numbers: ReadonlyMap<string, string> = new Map(romans.map((roman, number) => [roman, String(number)]));

/** A small number in Roman numerals if the folded word has digits, and in digits if it is one. One letter is rather an initial. */
export function otherNumerals(word: string): readonly string[] {
  const roman = digits.test(word) ? (romans[Number(word)] ?? '') : word;
  const number = numbers.get(roman);
  if (number === undefined || roman.length < 2) return [];
  return [roman === word ? number : roman];
}

const digits = /^\d+$/;

/**
 * The number of a folded word in a name; a letter for a series; null for other words. The first word of a name is never a letter or a
 * Roman numeral, and neither is one behind "and": & C. A single letter counts at the end of the name or behind a word such as "series".
 */
export function ordinalAt(core: readonly string[], at: number): string | null {
  const word = core[at] ?? '';
  if (digits.test(word)) return withoutZeros(word);
  const before = core[at - 1] ?? connector;
  if (before === connector || betweenWords.has(before)) return null;
  const number = numbers.get(word) ?? null;
  if (word.length > 1) return number;
  const isNumbered = at === core.length - 1 || numberSigns.has(before) || numberedParts.has(before);
  return isNumbered && letter.test(word) ? (number ?? word) : null;
}

const letter = /^[a-z]$/;
const numberSigns = new Set(['no', 'n', 'nr', 'num', 'number', 'nummer', 'numero']);
const numberedParts = new Set(
  'series serie class classe klasse clase type trust fund fonds fondo tranche plan portfolio compartment comparto'.split(
    ' ',
  ),
);

/**
 * Whether a word of a name can only be a number: a Roman numeral of several letters, and one of up to three characters behind a word
 * such as "series". Other digits may be those of a list or an account, and another letter may be what is left of a form.
 */
export function isSurelyNumber(core: readonly string[], at: number): boolean {
  const word = core[at] ?? '';
  if (word.length > 1 && numbers.has(word)) return ordinalAt(core, at) !== null;
  return (digits.test(word) || letter.test(word)) && word.length < 4 && numberedParts.has(core[at - 1] ?? '');
}

/** The last word of the core if it can only be a number; null for other names. */
export function numberAtEnd(core: readonly string[], text: string): string | null {
  const at = core.length - 1;
  return isSurelyNumber(core, at) && ordinalsOf(core, text)[at] !== null ? (core[at] ?? null) : null;
}

function withoutZeros(number: string): string {
  return number.replace(/^0+(?=\d)/, '');
}

/** The numbers of a name's core by their place, if they stand in the text as such: "V.I." are initials, and "(I)" is India. */
export function ordinalsOf(core: readonly string[], text: string): readonly (string | null)[] {
  return core.map((word, at) => {
    const ordinal = ordinalAt(core, at);
    return ordinal === null || digits.test(word) || standsIn(text, word) ? ordinal : null;
  });
}

/** True if the letters stand in the text without full stops between them; a single one also without brackets around. */
function standsIn(text: string, word: string): boolean {
  const bracket = word.length === 1 ? '(' : '';
  return new RegExp(`(?<![\\p{L}\\p{N}${bracket}])${word}(?![\\p{L}\\p{N}])`, 'iu').test(text);
}

/** All that may be a number in a text, wherever it stands. */
export function numbersIn(text: string): ReadonlySet<string> {
  const words = foldedWithLetters(text).map((word) => numberOfSign(word) ?? word);
  return new Set(
    words.flatMap((word) =>
      digits.test(word) ? withoutZeros(word) : (numbers.get(word) ?? (letter.test(word) ? word : [])),
    ),
  );
}

/**
 * The words of a name without those that only announce a number, which may be joined to it: "Larkmoor No. 2" and "Larkmoor №2" are
 * Larkmoor 2.
 */
export function withoutNumberSigns(core: readonly string[]): string[] {
  return core.flatMap((word, at) => {
    if (at === 0) return [word];
    const isSign =
      numberSigns.has(word) &&
      (word === 'n' ? digits.test(core[at + 1] ?? '') : ordinalAt(core, at + 1) !== null);
    return isSign ? [] : [numberOfSign(word) ?? word];
  });
}

/** The digits behind a sign that is joined to them. */
function numberOfSign(word: string): string | undefined {
  return /^(?:no?|nr|num|number|nummer|numero)(\d+)$/.exec(word)?.[1];
}
