/** Turns the keys of an order into stages, by which companies are ordered one after the other. */
import type { OrderText, ValueField } from '../../lei/list-fields.ts';
import type { ListOrder } from '../../protocol/list-questions.ts';
import type { Steps } from '../steps.ts';
import type { ColumnCodesOfBlock, ColumnReader } from './column-reader.ts';
import { bitsOfCode, type ColumnName, codeMax, isFraction, isTime, type KeyName } from './layout.ts';

/** A column by which companies are ordered: each has a rank, a number of up to 32 bits, and they ascend by it. */
export interface ColumnStage {
  readonly column: ColumnName;
  /** Equal for stages that give all companies the same ranks. */
  readonly name: string;
  /** Digits of 16 bits in a rank. Large sets are counted by one after the other. */
  readonly digits: 1 | 2;
  /** Writes the ranks of the first `count` places of a block. */
  readonly ranks: (codes: ColumnCodesOfBlock, places: Uint16Array, count: number, into: Uint32Array) => void;
}
/** A text in the records, which orders companies that have the same beginning in their columns. */
export interface TextStage {
  readonly text: OrderText | 'lei';
  readonly isDescending: boolean;
}
export type Stage = ColumnStage | TextStage;

export const digitMax = 0xffff;

/** How far the digit of a step is to be shifted in a rank. @param step 0 for the first digit */
export function shiftOf({ digits }: ColumnStage, step: number): number {
  return 16 * (digits - 1 - step);
}

/** Companies that are equal by all keys. */
export const byLei: readonly Stage[] = [
  byCodes('leiFirst', { isDescending: false, hasNone: false }),
  byCodes('leiSecond', { isDescending: false, hasNone: false }),
  { text: 'lei', isDescending: false },
];

/** The stages by which a key orders. @param ranks of the columns that were asked for before */
export function* stagesOf(
  columns: ColumnReader,
  { field, isDescending }: ListOrder,
  ranks: Map<ValueField, Uint16Array>,
): Steps<Stage[]> {
  if (field === 'name' || field === 'city') {
    const parts: KeyName[] = field === 'name' ? ['nameFirst', 'nameSecond'] : ['cityFirst'];
    const beginning = parts.map((part, index) => byCodes(part, { isDescending, hasNone: index === 0 }));
    return [...beginning, { text: field, isDescending }];
  }
  if (isTime(field)) {
    const units = byCodes(field, { isDescending, hasNone: true });
    if (field !== 'created' && field !== 'expired') return [units];
    return [units, byCodes(`${field}Seconds`, { isDescending, hasNone: false })];
  }
  if (isFraction(field)) return [byCodes(field, { isDescending, hasNone: false })];
  const known = ranks.get(field) ?? ranksOf(yield* columns.values(field));
  ranks.set(field, known);
  return [byValues(field, known, isDescending)];
}

interface CodeRule {
  readonly isDescending: boolean;
  /** Whether code 0 means that there is nothing, which has the last place in both directions. */
  readonly hasNone: boolean;
}

function byCodes(column: ColumnName, { isDescending, hasNone }: CodeRule): ColumnStage {
  const flipped = isDescending ? codeMax : 0;
  const less = hasNone && !isDescending ? 1 : 0;
  return {
    column,
    name: `${column} ${isDescending}`,
    digits: bitsOfCode(column) === 32 ? 2 : 1,
    ranks: (codes, places, count, into) => {
      for (let at = 0; at < count; at++) {
        // Unsigned: code 0 of ascending order becomes the greatest if it means nothing.
        into[at] = (((codes[places[at] ?? 0] ?? 0) - less) ^ flipped) >>> 0;
      }
    },
  };
}

function byValues(column: ValueField, ranks: Uint16Array, isDescending: boolean): ColumnStage {
  const byCode = ranks.map((rank) => (rank === 0 || isDescending ? digitMax - rank : rank));
  return {
    column,
    name: `${column} ${isDescending}`,
    digits: 1,
    ranks: (codes, places, count, into) => {
      for (let at = 0; at < count; at++) into[at] = byCode[codes[places[at] ?? 0] ?? 0] ?? 0;
    },
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
