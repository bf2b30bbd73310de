/** Reads what numbers a company among its sisters: the III of "Larkmoor Fund III", the A of "Larkmoor Trust A". */

const tens = ['', 'x', 'xx', 'xxx'];
const units = ['', 'i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix'];
/** By number, from 0. Names hardly ever have larger ones. */
const romans = tens.flatMap((ten) => units.map((unit) => ten + unit));
const numbers: ReadonlyMap<string, string> = new Map(romans.map((roman, number) => [roman, String(number)]));

/** A small number in Roman numerals if the folded word has digits, and in digits if it is one; none for other words. */
export function otherNumerals(word: string): readonly string[] {
  if (word === '' || word.length > longestRoman) return [];
  const number = numbers.get(word);
  if (number !== undefined) return [number];
  const roman = digits.test(word) ? romans[Number(word)] : undefined;
  return roman === undefined || roman === '' ? [] : [roman];
}

const longestRoman = Math.max(...romans.map(({ length }) => length));
const digits = /^\d+$/;

/**
 * The number of a folded word among those of a name; a letter for a series. Null for other words. A letter is one at the end or
 * behind a word such as "series", and an initial elsewhere. What a name begins with is a word of it.
 */
export function ordinalAt(core: readonly string[], at: number): string | null {
  const word = core[at] ?? '';
  if (digits.test(word)) return word.replace(/^0+(?=\d)/, '');
  if (at === 0) return null;
  const number = numbers.get(word) ?? null;
  if (word.length > 1) return number;
  const before = core[at - 1] ?? '';
  const isNumbered = at === core.length - 1 || numberSigns.has(before) || numberedParts.has(before);
  return isNumbered && /^[a-z]$/.test(word) ? (number ?? word) : null;
}

const numberSigns = new Set(['no', 'nr', 'num', 'number', 'nummer', 'numero']);
const numberedParts = new Set(
  'series serie class classe klasse clase type trust fund fonds fondo tranche plan portfolio compartment comparto'.split(
    ' ',
  ),
);

/** The words of a name without those that only announce a number: "Larkmoor No. 2" is Larkmoor 2. */
export function withoutNumberSigns(core: readonly string[]): string[] {
  return core.filter((word, at) => at === 0 || !numberSigns.has(word) || ordinalAt(core, at + 1) === null);
}
