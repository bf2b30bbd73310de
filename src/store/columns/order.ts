/** Turns the codes of a column into digits by which companies are ordered. */
import type { ListOrder } from '../../protocol/list-questions.ts';
import type { ColumnCodesOfBlock, ColumnReader } from './column-reader.ts';
import { type ColumnName, isTime, timeCodeMax, type ValueColumnName } from './layout.ts';

/** A digit of 16 bits by which companies are ordered, ascending. A text has one, a time two. */
export interface Level {
  readonly column: ColumnName;
  /** The digits of all codes of a block. */
  readonly digits: (codes: ColumnCodesOfBlock, into: Uint16Array) => void;
}
export const digitMax = 0xffff;

/** The levels by which a key orders. @param ranks of the columns that were asked for before */
export function levelsOf(
  columns: ColumnReader,
  { field, isDescending }: ListOrder,
  ranks: Map<ValueColumnName, Uint16Array>,
): Level[] {
  if (isTime(field)) {
    return [16, 0].map((shift) => ({ column: field, digits: timeDigits(shift, isDescending) }));
  }
  const known = ranks.get(field) ?? ranksOf(columns.values(field));
  ranks.set(field, known);
  return [{ column: field, digits: textDigits(known, isDescending) }];
}

/** @param shift of the digit in a place of 32 bits. Code 0, no time, has the last place */
function timeDigits(shift: number, isDescending: boolean): Level['digits'] {
  const flipped = isDescending ? timeCodeMax : 0;
  return (codes, into) => {
    for (let at = 0; at < into.length; at++) {
      const code = codes[at] ?? 0;
      // Unsigned: code 0 of ascending order becomes the greatest.
      into[at] = ((isDescending ? code ^ flipped : code - 1) >>> shift) & digitMax;
    }
  };
}

function textDigits(ranks: Uint16Array, isDescending: boolean): Level['digits'] {
  const byCode = ranks.map((rank) => (rank === 0 || isDescending ? digitMax - rank : rank));
  return (codes, into) => {
    for (let at = 0; at < into.length; at++) into[at] = byCode[codes[at] ?? 0] ?? 0;
  };
}

/** The place of each code among all in the order of their values, from 1; 0 for none. */
function ranksOf(values: readonly (readonly string[])[]): Uint16Array {
  const ranks = new Uint16Array(values.length + 1);
  const texts = values.map((each, index) => ({ text: each.join('\n'), code: index + 1 }));
  const present = texts.filter(({ text }) => text !== '');
  present.sort((a, b) => (a.text < b.text ? -1 : 1));
  for (const [index, { code }] of present.entries()) ranks[code] = index + 1;
  return ranks;
}
