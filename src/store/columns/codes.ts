/** Makes the codes of a company from its stored record. */
import { hashItems } from '../../bytes/hash.ts';
import { ExpectedFailure } from '../../errors.ts';
import { byKind } from '../../lei/identifier-kinds.ts';
import type { FoldedField, OrderText, TimeField, ValueField } from '../../lei/list-fields.ts';
import type { Glimpse } from '../../lmdb.ts';
import { slotCount, slotOf } from '../company-fields.ts';
import { isRecord, leiLength } from '../company-record.ts';
import { fieldSeparator, rowSeparator, same, slotSeparator, unpack } from '../packing.ts';
import {
  type ColumnName,
  columnNames,
  columns,
  isTime,
  isValue,
  type KeyName,
  textCodeMax,
  timeCode,
} from './layout.ts';
import { folded, hashCode, keyCodes, ordered, placesOfTexts, textOfKey } from './texts.ts';
import { secondsOfBytes } from './time-of-bytes.ts';

/** The packed texts of each column; the code of a text is its index plus one. Code 0 means that there is no record. */
export type ColumnTexts = Readonly<Record<ValueField, readonly string[]>>;

export const valueColumns = columnNames.filter(isValue);
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

/** The texts of a column with their codes. */
class TextCodes {
  readonly #codes: Map<string, number>;
  readonly #name: ValueField;
  /** The last text with each hash. Nearly all are known by their bytes, without making a string of them. */
  readonly #byHash = new Map<number, { readonly bytes: Buffer; readonly code: number }>();

  constructor(name: ValueField, texts: readonly string[]) {
    this.#name = name;
    this.#codes = new Map(texts.map((text, index) => [text, index + 1]));
  }

  get size(): number {
    return this.#codes.size;
  }

  texts(): readonly string[] {
    return [...this.#codes.keys()];
  }

  codeOfBytes(bytes: Buffer, from: number, to: number): number {
    const hash = hashItems(bytes, from, to);
    const known = this.#byHash.get(hash);
    if (known !== undefined && isSameText(known.bytes, bytes, from, to)) return known.code;
    // Each byte as one character: texts are compared, not shown.
    const code = this.codeOf(bytes.toString('latin1', from, to));
    this.#byHash.set(hash, { bytes: Buffer.from(bytes.subarray(from, to)), code });
    return code;
  }

  codeOf(text: string): number {
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    if (this.#codes.size === textCodeMax) {
      const message = `The companies have more than ${textCodeMax} different values of ${this.#name}; published data has a few thousand at most.`;
      throw new ExpectedFailure('too-many-values', message);
    }
    this.#codes.set(text, this.#codes.size + 1);
    return this.#codes.size;
  }
}

/** Columns of folded texts. */
const foldedColumns = columnNames.filter((name) => isKey(name) || isHash(name));

function isKey(name: ColumnName): name is KeyName {
  return columns[name].is === 'key';
}

function isHash(name: ColumnName): name is FoldedField {
  return columns[name].is === 'hash';
}

/** Remembers the codes of folded texts by their bytes, because folding takes microseconds and many texts repeat. */
class FoldCodes {
  readonly #byHash = new Map<number, { readonly bytes: Buffer; readonly code: number }>();

  /** @param make the code of an unpacked text; 0 is that of no text */
  codeOf(bytes: Buffer, from: number, to: number, make: (text: string) => number): number {
    if (from === to) return 0;
    const hash = hashItems(bytes, from, to);
    const known = this.#byHash.get(hash);
    if (known !== undefined && bytes.compare(known.bytes, 0, known.bytes.length, from, to) === 0)
      return known.code;
    const text = unpack(bytes.toString('utf8', from, to));
    const code = text === null ? 0 : make(text);
    if (this.#byHash.size >= foldsMax) this.#byHash.clear();
    this.#byHash.set(hash, { bytes: Buffer.from(bytes.subarray(from, to)), code });
    return code;
  }
}
const foldsMax = 50_000;

/** As many bytes of a text as keys hold, ordered without folding; null if it must be folded as a whole. */
function plainBeginning(bytes: Buffer, from: number, to: number): string | null {
  // One more than the keys hold, because an accent may follow.
  const end = Math.min(to, from + 9);
  for (let at = from; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x80 || byte === ampersand || byte === backslash || byte === quote) return null;
  }
  return bytes.toString('latin1', from, end).toLowerCase();
}
const [ampersand, backslash, quote] = [0x26, 0x5c, 0x22];

export class ColumnCodes {
  /** The codes of the company last read, in the order of {@link columnNames}. */
  readonly codes = new Uint32Array(columnNames.length);
  readonly #texts: Readonly<Record<ValueField, TextCodes>>;
  /** What makes the code of each column. */
  readonly #readers: readonly (() => number)[];
  /** Where each slot of the record begins, and one past its end. */
  readonly #starts = new Uint32Array(slotCount + 1);
  #bytes: Buffer = Buffer.alloc(0);
  /** Where the text stands that was last looked for. */
  #textFrom = 0;
  #textTo = 0;
  readonly #folds = byKind(foldedColumns, () => new FoldCodes());

  /** @param texts those that have codes already */
  constructor(texts: ColumnTexts | null) {
    this.#texts = byKind(valueColumns, (name) => new TextCodes(name, texts?.[name] ?? []));
    this.#readers = columnNames.map((name) => this.#readerOf(name));
  }

  #readerOf(name: ColumnName): () => number {
    if (isTime(name)) return () => this.#timeCode(name);
    if (isKey(name)) return () => this.#keyCode(name);
    if (!isValue(name)) return () => this.#hashCode(name);
    const column = columns[name];
    const codes = this.#texts[name];
    if (column.is === 'text') return () => this.#textCode(codes, column.slot);
    const { member, any } = column;
    return any ? () => this.#anyCode(codes, member) : () => this.#legalCode(codes, member);
  }

  /** How many texts there are. It grows when a record has a new one. */
  textCount(): number {
    return valueColumns.reduce((sum, name) => sum + this.#texts[name].size, 0);
  }

  allTexts(): ColumnTexts {
    return byKind(valueColumns, (name) => this.#texts[name].texts());
  }

  /** Reads a stored record, or an LEI alone, into {@link codes}. @throws ExpectedFailure for too many values */
  read(stored: Glimpse): void {
    this.codes.fill(0);
    if (!isRecord(stored)) return;
    this.#bytes = stored.bytes;
    this.#findSlots(stored.length);
    for (let index = 0; index < this.#readers.length; index++)
      this.codes[index] = this.#readers[index]?.() ?? 0;
  }

  /** Of a text of the record: it stands in a slot, or in a field of one. */
  #findText(of: FoldedField | OrderText): void {
    const { slot, field } = placesOfTexts[of];
    const end = this.#to(slot);
    this.#textFrom = this.#from(slot);
    for (let before = 0; before < field; before++)
      this.#textFrom = Math.min(end, this.#endOfField(this.#textFrom, end) + 1);
    this.#textTo = this.#endOfField(this.#textFrom, end);
  }

  #endOfField(from: number, end: number): number {
    let to = from;
    while (to < end && this.#bytes[to] !== fieldEnd) to++;
    return to;
  }

  #hashCode(name: FoldedField): number {
    this.#findText(name);
    const bytes = this.#bytes;
    const [from, to] = [this.#textFrom, this.#textTo];
    return this.#folds[name].codeOf(bytes, from, to, (text) => hashCode(folded(name, text)));
  }

  #keyCode(name: KeyName): number {
    const of = textOfKey[name];
    const bytes = this.#bytes;
    if (of === 'lei') return keyCodes[name](bytes.toString('latin1', 0, leiLength));
    this.#findText(of);
    const [from, to] = [this.#textFrom, this.#textTo];
    const plain = of === 'name' ? plainBeginning(bytes, from, to) : null;
    if (plain !== null) return keyCodes[name](plain);
    return this.#folds[name].codeOf(bytes, from, to, (text) => keyCodes[name](ordered(text)));
  }

  #findSlots(length: number): void {
    const bytes = this.#bytes;
    let slot = 0;
    for (let at = 0; at < length && slot + 1 < slotCount; at++) {
      if (bytes[at] === slotEnd) this.#starts[++slot] = at + 1;
    }
    this.#starts.fill(length + 1, slot + 1);
  }

  #from(slot: number): number {
    return this.#starts[slot] ?? 0;
  }

  #to(slot: number): number {
    return (this.#starts[slot + 1] ?? 1) - 1;
  }

  #slot(slot: number): string {
    return this.#bytes.toString('latin1', this.#from(slot), this.#to(slot));
  }

  #isSame(slot: number): boolean {
    const from = this.#from(slot);
    return (
      this.#to(slot) === from + 2 && this.#bytes[from] === sameMark && this.#bytes[from + 1] === sameSign
    );
  }

  #isEmpty(slot: number): boolean {
    return this.#from(slot) === this.#to(slot);
  }

  #textCode(codes: TextCodes, slot: number): number {
    // Only the validation repeats another slot.
    const found = this.#isSame(slot) ? slots.registeredAt : slot;
    return codes.codeOfBytes(this.#bytes, this.#from(found), this.#to(found));
  }

  /** The code of a member of the legal address. */
  #legalCode(codes: TextCodes, member: number): number {
    const from = this.#memberFrom(slots.legal, member);
    return codes.codeOfBytes(this.#bytes, from, this.#memberTo(slots.legal, from));
  }

  /** The code of a member of all addresses. */
  #anyCode(codes: TextCodes, member: number): number {
    return this.#isOneValue(member) ? this.#legalCode(codes, member) : codes.codeOf(this.#allOf(member));
  }

  /** Whether all addresses have the same member, as those of most companies. */
  #isOneValue(member: number): boolean {
    for (const slot of slots.lists) if (!this.#isEmpty(slot)) return false;
    if (this.#isSame(slots.headquarters)) return true;
    const legal = this.#memberFrom(slots.legal, member);
    const other = this.#memberFrom(slots.headquarters, member);
    const length = this.#memberTo(slots.legal, legal) - legal;
    if (this.#memberTo(slots.headquarters, other) - other !== length) return false;
    for (let i = 0; i < length; i++) if (this.#bytes[legal + i] !== this.#bytes[other + i]) return false;
    return true;
  }

  /** Where a member of an address begins; the end of the slot if it has none. */
  #memberFrom(slot: number, member: number): number {
    const end = this.#to(slot);
    let from = this.#from(slot);
    for (let field = 0; field < member; field++) from = Math.min(end, this.#memberTo(slot, from) + 1);
    return from;
  }

  /** Where the field of a slot ends that begins at `from`. */
  #memberTo(slot: number, from: number): number {
    const end = this.#to(slot);
    let to = from;
    while (to < end && this.#bytes[to] !== fieldEnd) to++;
    return to;
  }

  /** The different values of a member in all addresses of a company, sorted. */
  #allOf(member: number): string {
    const values = new Set([memberOf(this.#slot(slots.legal), member)]);
    if (!this.#isSame(slots.headquarters)) values.add(memberOf(this.#slot(slots.headquarters), member));
    for (const slot of slots.lists) {
      if (this.#isEmpty(slot)) continue;
      for (const row of this.#slot(slot).split(rowSeparator)) values.add(memberOf(row, member + 1));
    }
    values.delete('');
    return [...values].sort().join(valueSeparator);
  }

  #timeCode(name: TimeField): number {
    const { slot } = columns[name];
    if (this.#isEmpty(slot)) return 0;
    const at =
      secondsOfBytes(this.#bytes, this.#from(slot), this.#to(slot)) ?? secondsOf(unpack(this.#slot(slot)));
    return at === null ? 0 : timeCode(name, at);
  }
}

const slotEnd = slotSeparator.charCodeAt(0);
const fieldEnd = fieldSeparator.charCodeAt(0);
const [sameMark, sameSign] = [same.charCodeAt(0), same.charCodeAt(1)];

function isSameText(known: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (known.length !== to - from) return false;
  for (let i = 0; i < known.length; i++) if (known[i] !== bytes[from + i]) return false;
  return true;
}

/** A field of an address. */
function memberOf(address: string, member: number): string {
  return address.split(fieldSeparator, member + 1)[member] ?? '';
}

/** Seconds since 1970; null for what is no time: odd values are kept as they were published. */
export function secondsOf(time: string | null): number | null {
  if (time === null || time.charCodeAt(4) !== dash || time.charCodeAt(10) !== beforeTime) return null;
  const day = time.slice(0, 10);
  const midnight = midnights.get(day) ?? midnightOf(day);
  if (midnight === null) return null;
  const inDay = time.endsWith('T00:00:00Z') ? 0 : Date.parse(`1970-01-01${time.slice(10)}`) / 1000;
  return Number.isNaN(inDay) ? null : midnight + inDay;
}
const dash = 0x2d;
const beforeTime = 0x54;

/** Seconds of days that were read before: most times are midnight, and companies share their days. */
const midnights = new Map<string, number>();
const midnightsMax = 100_000;

function midnightOf(day: string): number | null {
  const at = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(at)) return null;
  if (midnights.size < midnightsMax) midnights.set(day, at / 1000);
  return at / 1000;
}
