/** Makes the codes of a company from its stored record. */
import { byKind } from '../../lei/identifier-kinds.ts';
import type { Glimpse } from '../../lmdb.ts';
import { slotCount, slotOf } from '../company-fields.ts';
import { isRecord } from '../company-record.ts';
import { fieldSeparator, rowSeparator, same, slotSeparator, unpack } from '../packing.ts';
import {
  type Column,
  columnNames,
  columns,
  isTime,
  textCodeMax,
  timeCode,
  type ValueColumnName,
} from './layout.ts';

/** The packed texts of each column; the code of a text is its index plus one. Code 0 means that there is no record. */
export type ColumnTexts = Readonly<Record<ValueColumnName, readonly string[]>>;

export const valueColumns = columnNames.filter((name): name is ValueColumnName => !isTime(name));
/** Those of a publication without companies. */
export const noTexts: ColumnTexts = byKind(valueColumns, () => []);
/** Between the values of a text that holds several: no packed value contains it. */
export const valueSeparator = rowSeparator;

const slots = {
  legal: slotOf('entity.legalAddress'),
  headquarters: slotOf('entity.headquartersAddress'),
  /** Their rows begin with a type, so members stand one field later. */
  lists: [slotOf('entity.otherAddresses'), slotOf('entity.transliteratedOtherAddresses')],
  registeredAt: slotOf('entity.registeredAt.id'),
};

export class ColumnCodes {
  /** The codes of the company last read, in the order of {@link columnNames}. */
  readonly codes = new Uint32Array(columnNames.length);
  readonly #texts: Readonly<Record<ValueColumnName, Map<string, number>>>;
  /** Where each slot of the record begins, and one past its end. */
  readonly #starts = new Uint32Array(slotCount + 1);
  #bytes: Buffer = Buffer.alloc(0);
  /** How many texts there are. It grows when a record has a new one. */
  texts = 0;

  /** @param texts those that have codes already */
  constructor(texts: ColumnTexts | null) {
    this.#texts = byKind(valueColumns, (name) => {
      const known = new Map(texts?.[name].map((text, index) => [text, index + 1]));
      this.texts += known.size;
      return known;
    });
  }

  allTexts(): ColumnTexts {
    return byKind(valueColumns, (name) => [...this.#texts[name].keys()]);
  }

  /** Reads a stored record, or an LEI alone, into {@link codes}. */
  read(stored: Glimpse): void {
    this.codes.fill(0);
    if (!isRecord(stored)) return;
    this.#bytes = stored.bytes;
    this.#findSlots(stored.length);
    for (const [index, name] of columnNames.entries()) {
      this.codes[index] = isTime(name)
        ? timeCodeOf(name, this.#slot(columns[name].slot))
        : this.#codeOf(name, this.#textOf(columns[name]));
    }
  }

  #findSlots(length: number): void {
    const separator = slotSeparator.charCodeAt(0);
    let slot = 0;
    for (let at = 0; at < length && slot + 1 < slotCount; at++) {
      if (this.#bytes[at] === separator) this.#starts[++slot] = at + 1;
    }
    this.#starts.fill(length + 1, slot + 1);
  }

  /** Each byte as one character: texts are compared, not shown. */
  #slot(slot: number): string {
    return this.#bytes.toString('latin1', this.#starts[slot], (this.#starts[slot + 1] ?? 1) - 1);
  }

  #textOf(column: Exclude<Column, { readonly is: 'time' }>): string {
    if (column.is === 'text') {
      const text = this.#slot(column.slot);
      // Only the validation repeats another slot.
      return text === same ? this.#slot(slots.registeredAt) : text;
    }
    const first = memberOf(this.#slot(slots.legal), column.member);
    return column.any ? this.#allOf(first, column.member) : first;
  }

  /** The different values of a member in all addresses of a company, sorted. */
  #allOf(first: string, member: number): string {
    const headquarters = this.#slot(slots.headquarters);
    const lists = slots.lists.map((slot) => this.#slot(slot)).filter((list) => list !== '');
    if (lists.length === 0 && headquarters === same) return first;
    const values = new Set([first]);
    if (headquarters !== same) values.add(memberOf(headquarters, member));
    for (const list of lists) {
      for (const row of list.split(rowSeparator)) values.add(memberOf(row, member + 1));
    }
    values.delete('');
    return [...values].sort().join(valueSeparator);
  }

  #codeOf(name: ValueColumnName, text: string): number {
    const codes = this.#texts[name];
    const known = codes.get(text);
    if (known !== undefined) return known;
    if (codes.size === textCodeMax)
      throw new Error(`Companies have more than ${textCodeMax} values of ${name}.`);
    this.texts++;
    codes.set(text, codes.size + 1);
    return codes.size;
  }
}

/** A field of an address. */
function memberOf(address: string, member: number): string {
  let from = 0;
  for (let field = 0; field < member; field++) {
    const end = address.indexOf(fieldSeparator, from);
    if (end === -1) return '';
    from = end + 1;
  }
  const end = address.indexOf(fieldSeparator, from);
  return end === -1 ? address.slice(from) : address.slice(from, end);
}

/** Seconds since 1970; null for what is no time: odd values are kept as they were published. */
export function secondsOf(time: string | null): number | null {
  if (time === null || !isoTime.test(time)) return null;
  const at = Date.parse(time);
  return Number.isNaN(at) ? null : at / 1000;
}
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

function timeCodeOf(name: Parameters<typeof timeCode>[0], packed: string): number {
  const at = secondsOf(unpack(packed));
  return at === null ? 0 : timeCode(name, at);
}
