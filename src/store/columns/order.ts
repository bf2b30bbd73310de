/** Turns the keys of an order into stages, by which companies are ordered one after the other. */
import type { OrderText, ValueField } from '../../lei/list-fields.ts';
import type { ListOrder } from '../../protocol/list-questions.ts';
import type { ColumnCodesOfBlock, ColumnReader } from './column-reader.ts';
import { type ColumnName, codeMax, isTime, type KeyName } from './layout.ts';

/** A digit of 16 bits by which companies are ordered, ascending. A value has one; a time, or a part of a text, two. */
export interface DigitStage {
  readonly column: ColumnName;
  /** Equal for stages that give all companies the same digits. */
  readonly key: string;
  /** Whether the next stage of a text orders as this does, only more slowly if there are many companies. */
  readonly isShortcut: boolean;
  /** Writes the digits of the first `count` places of a block. */
  readonly digits: (codes: ColumnCodesOfBlock, places: Uint16Array, count: number, into: Uint16Array) => void;
}
/** A text in the records, which orders companies that have the same beginning in their columns. */
export interface TextStage {
  readonly text: OrderText | 'lei';
  readonly isDescending: boolean;
}
export type Stage = DigitStage | TextStage;

export const digitMax = 0xffff;

/** Companies that are equal by all keys. */
export const byLei: readonly Stage[] = [
  digits('leiFirst', 0, { isDescending: false, hasNone: false, isShortcut: true }),
  ...[16, 0].map((shift) =>
    digits('leiSecond', shift, { isDescending: false, hasNone: false, isShortcut: true }),
  ),
  { text: 'lei', isDescending: false },
];

/** The stages by which a key orders. @param ranks of the columns that were asked for before */
export function stagesOf(
  columns: ColumnReader,
  { field, isDescending }: ListOrder,
  ranks: Map<ValueField, Uint16Array>,
): Stage[] {
  if (field === 'name' || field === 'city') {
    const parts: KeyName[] = field === 'name' ? ['nameFirst', 'nameSecond'] : ['cityFirst'];
    const beginning = parts.flatMap((part, index) =>
      [16, 0].map((shift) => digits(part, shift, { isDescending, hasNone: index === 0, isShortcut: false })),
    );
    return [...beginning, { text: field, isDescending }];
  }
  if (isTime(field)) {
    const units = [16, 0].map((shift) =>
      digits(field, shift, { isDescending, hasNone: true, isShortcut: false }),
    );
    if (field !== 'created' && field !== 'expired') return units;
    return [...units, digits(`${field}Seconds`, 0, { isDescending, hasNone: false, isShortcut: false })];
  }
  const known = ranks.get(field) ?? ranksOf(columns.values(field));
  ranks.set(field, known);
  const key = `${field} ${isDescending}`;
  return [{ column: field, key, isShortcut: false, digits: valueDigits(known, isDescending) }];
}

interface DigitRule extends Pick<DigitStage, 'isShortcut'> {
  readonly isDescending: boolean;
  /** Whether code 0 means that there is nothing, which has the last place in both directions. */
  readonly hasNone: boolean;
}

/** @param shift of the digit in a code */
function digits(column: ColumnName, shift: number, direction: DigitRule): DigitStage {
  const { isDescending, hasNone, isShortcut } = direction;
  const flipped = isDescending ? codeMax : 0;
  const less = hasNone && !isDescending ? 1 : 0;
  return {
    column,
    key: `${column} ${isDescending} ${shift}`,
    isShortcut,
    digits: (codes, places, count, into) => {
      for (let at = 0; at < count; at++) {
        // Unsigned: code 0 of ascending order becomes the greatest if it means nothing.
        into[at] = (((codes[places[at] ?? 0] ?? 0) - less) ^ flipped) >>> shift;
      }
    },
  };
}

function valueDigits(ranks: Uint16Array, isDescending: boolean): DigitStage['digits'] {
  const byCode = ranks.map((rank) => (rank === 0 || isDescending ? digitMax - rank : rank));
  return (codes, places, count, into) => {
    for (let at = 0; at < count; at++) into[at] = byCode[codes[places[at] ?? 0] ?? 0] ?? 0;
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

/** Characters of a text that make a digit. */
const charactersPerDigit = 2;
/** From here on, texts are taken for equal where so many companies have them that they can't be sorted at once. */
export const textStepsMax = 64;

/** The digit of a text at a step of {@link charactersPerDigit} characters; behind its end it is the first. */
export function textDigit(text: string, step: number, isDescending: boolean): number {
  const at = step * charactersPerDigit;
  const [high, low] = [at, at + 1].map((each) => (each < text.length ? text.charCodeAt(each) : 0));
  const digit = ((high ?? 0) << 8) | (low ?? 0);
  return isDescending ? digitMax - digit : digit;
}
