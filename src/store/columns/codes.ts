/** Makes the codes of a company from its stored record. */
import { hashItems } from '../../bytes/hash.ts';
import { byKind } from '../../lei/identifier-kinds.ts';
import type { FoldedField, FractionField, OrderText, TimeField, ValueField } from '../../lei/list-fields.ts';
import type { Glimpse } from '../../lmdb.ts';
import { isRecord, slotCount, slotOf } from '../company-fields.ts';
import { fieldEndFrom, fieldFrom, findSlots, isSame } from '../packed-json.ts';
import { secondsOfBytes, thousandthsOfBytes } from '../packed-time.ts';
import { fieldSeparator, rowSeparator, unpack } from '../packing.ts';
import { RecordWords } from '../record-words.ts';
import { furtherPlaces, searchedPlaces } from '../text-parts.ts';
import { setBit } from './bits.ts';
import {
  type ColumnName,
  columnNames,
  columns,
  isFraction,
  isTime,
  isValue,
  type KeyName,
  type SecondsName,
  secondsIn,
  textCodeMax,
  thousandthsIn,
  timeCode,
} from './layout.ts';
import { isPlain, PlainFolder } from './plain-text.ts';
import { bitsOfWord, CommonWords, wordBits } from './signatures.ts';
import {
  codeOfHash,
  codeOfLei,
  codeOfText,
  folded,
  hashCode,
  isSpaced,
  orderedBytes,
  placesOfKeys,
  placesOfTexts,
} from './texts.ts';

/**
 * The packed texts of each column, and the words that have bits of their own (signatures.ts). The code of a text is its
 * index plus one; code 0 means that there is no record.
 */
export interface ColumnTexts extends Readonly<Record<ValueField, readonly string[]>> {
  readonly commonWords: readonly string[];
}

export const valueColumns = columnNames.filter(isValue);
/** Those of a publication whose columns are not written yet. */
export function newTexts(commonWords: readonly string[]): ColumnTexts {
  return { ...byKind(valueColumns, () => []), commonWords };
}
/** Between the values of a text that holds several: no packed value contains it. */
export const valueSeparator = rowSeparator;

const slots = {
  legal: slotOf('entity.legalAddress'),
  headquarters: slotOf('entity.headquartersAddress'),
  /** Their rows begin with a type, so members stand one field later. */
  lists: [slotOf('entity.otherAddresses'), slotOf('entity.transliteratedOtherAddresses')],
  registeredAt: slotOf('entity.registeredAt.id'),
};

/**
 * The text of a column's greatest code: any value for which no code is left. Published data has far fewer values; where a
 * damaged file has more, lists can't find these companies by them. No packed value has this character.
 */
export const furtherValues = '\u0001';

interface KnownText {
  readonly bytes: Buffer;
  readonly code: number;
}

/** The texts of a column with their codes. */
class TextCodes {
  readonly #codes: Map<string, number>;
  readonly #name: ValueField;
  /** The last text with each hash. Nearly all are known by their bytes, without making a string of them. */
  readonly #byHash = new Map<number, KnownText>();
  /** Many companies have the text of the company before. */
  #last: KnownText = { bytes: Buffer.alloc(0), code: 0 };

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
    if (this.#last.code !== 0 && isSameText(this.#last.bytes, bytes, from, to)) return this.#last.code;
    const hash = hashItems(bytes, from, to);
    const known = this.#byHash.get(hash);
    if (known !== undefined && isSameText(known.bytes, bytes, from, to)) this.#last = known;
    else {
      // Each byte as one character: texts are compared, not shown.
      const code = this.codeOf(bytes.toString('latin1', from, to));
      this.#last = { bytes: Buffer.from(bytes.subarray(from, to)), code };
      if (code < textCodeMax(this.#name)) this.#byHash.set(hash, this.#last);
    }
    return this.#last.code;
  }

  codeOf(text: string): number {
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    const most = textCodeMax(this.#name);
    const next = this.#codes.size + 1;
    if (next >= most) {
      this.#codes.set(furtherValues, most);
      return most;
    }
    this.#codes.set(text, next);
    return next;
  }
}

/** Remembers the results for texts that are not plain: many repeat, such as cities, and folding one takes microseconds. */
class Remembered<Made> {
  readonly #made = new Map<string, Made>();

  /** @param make makes the result of an unpacked text; '' for none */
  of(bytes: Buffer, from: number, to: number, make: (text: string) => Made): Made {
    // Each byte as one character.
    const packed = bytes.toString('latin1', from, to);
    const known = this.#made.get(packed);
    if (known !== undefined) return known;
    const made = make(unpack(bytes.toString('utf8', from, to)) ?? '');
    if (this.#made.size === rememberedMax) this.#made.clear();
    this.#made.set(packed, made);
    return made;
  }
}
const rememberedMax = 4096;

function isKey(name: ColumnName): name is KeyName {
  return columns[name].is === 'key';
}

function isHash(name: ColumnName): name is FoldedField {
  return columns[name].is === 'hash';
}

function isSeconds(name: ColumnName): name is SecondsName {
  return columns[name].is === 'seconds';
}

export class ColumnCodes {
  /** The codes of the company last read, in the order of {@link columnNames}. */
  readonly codes = new Uint32Array(columnNames.length);
  readonly #texts: Readonly<Record<ValueField, TextCodes>>;
  /** Makes the code of each column. */
  readonly #readers: readonly (() => number)[];
  /** The bits of the words of the company last read. */
  readonly wordBits = new Uint32Array(wordBits / 32);
  readonly #commonWords: readonly string[];
  readonly #common: CommonWords;
  readonly #words = new RecordWords();
  /** Where each slot of the record begins, and one past its end. */
  readonly #starts = new Int32Array(slotCount + 1);
  #bytes: Buffer = Buffer.alloc(0);
  /** Where the text stands that was last looked for. */
  #textFrom = 0;
  #textTo = 0;
  readonly #hashes = byKind(columnNames.filter(isHash), () => new Remembered<number>());
  readonly #cities = new Remembered<Buffer>();
  /** The name of the company last read, as it is ordered, if a key needed it. Names rarely repeat. */
  #name: Buffer | null = null;
  readonly #plain = new PlainFolder();

  /** @param texts those that have codes already, and the common words */
  constructor(texts: ColumnTexts) {
    this.#texts = byKind(valueColumns, (name) => new TextCodes(name, texts[name]));
    this.#commonWords = texts.commonWords;
    this.#common = new CommonWords(texts.commonWords);
    this.#readers = columnNames.map((name) => this.#readerOf(name));
  }

  #readerOf(name: ColumnName): () => number {
    if (isTime(name)) return () => this.#timeCode(name);
    if (isSeconds(name)) return () => this.#secondsCode(name);
    if (isFraction(name)) return () => this.#fractionCode(name);
    if (isKey(name)) return () => this.#keyCode(name);
    if (isHash(name)) return () => this.#hashCode(name);
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
    const texts = byKind(valueColumns, (name) => this.#texts[name].texts());
    return { ...texts, commonWords: this.#commonWords };
  }

  /** Reads a stored record, or an LEI alone, into {@link codes} and {@link wordBits}. @throws ExpectedFailure for too many values */
  read(stored: Glimpse): void {
    this.codes.fill(0);
    this.wordBits.fill(0);
    if (!isRecord(stored)) return;
    this.#bytes = stored.bytes;
    this.#name = null;
    findSlots(this.#starts, stored.bytes, stored.length);
    this.#readWords();
    for (let index = 0; index < this.#readers.length; index++)
      this.codes[index] = this.#readers[index]?.() ?? 0;
  }

  #readWords(): void {
    const words = this.#words;
    words.readSlots(this.#bytes, this.#starts, searchedPlaces);
    for (let index = 0; index < words.count; index++) {
      const bit = this.#common.bitOf(words.hashes[index] ?? 0, (word) => words.isAt(index, word));
      if (bit === null) this.#sign(words.hashes[index] ?? 0);
      else setBit(this.wordBits, bit);
    }
    words.readSlots(this.#bytes, this.#starts, furtherPlaces);
    for (let index = 0; index < words.count; index++) this.#sign(words.hashes[index] ?? 0);
  }

  #sign(hash: number): void {
    for (const bit of bitsOfWord(hash)) setBit(this.wordBits, bit);
  }

  /** Of a text of the record: it stands in a slot, or in a field of one. */
  #findText(of: FoldedField | OrderText): void {
    const { slot, field } = placesOfTexts[of];
    this.#textFrom = this.#memberFrom(slot, field);
    this.#textTo = this.#memberTo(slot, this.#textFrom);
  }

  #hashCode(name: FoldedField): number {
    this.#findText(name);
    const bytes = this.#bytes;
    const [from, to] = [this.#textFrom, this.#textTo];
    if (from === to) return 0;
    if (this.#plain.fold(bytes, from, to, isSpaced(name)))
      return codeOfHash(hashItems(this.#plain.bytes, 0, this.#plain.length));
    return this.#hashes[name].of(bytes, from, to, (text) => hashCode(folded(name, text)));
  }

  #keyCode(name: KeyName): number {
    const { of, from, to } = placesOfKeys[name];
    if (of === 'lei') return codeOfLei(this.#bytes, from, to);
    this.#findText(of);
    const [begin, end] = [this.#textFrom, this.#textTo];
    if (this.#isPlainTo(to)) return codeOfText(this.#bytes, begin + from, begin + to, end);
    const made = of === 'city' ? this.#cities.of(this.#bytes, begin, end, orderedBytes) : this.#orderedName();
    return codeOfText(made, from, to, made.length);
  }

  #orderedName(): Buffer {
    this.#name ??= orderedBytes(unpack(this.#bytes.toString('utf8', this.#textFrom, this.#textTo)) ?? '');
    return this.#name;
  }

  /** Whether this many bytes of the text need no folding. An accent may follow, so one more is looked at. */
  #isPlainTo(length: number): boolean {
    const end = Math.min(this.#textTo, this.#textFrom + length + 1);
    for (let at = this.#textFrom; at < end; at++) if (!isPlain(this.#bytes[at] ?? 0)) return false;
    return true;
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
    return isSame(this.#bytes, this.#from(slot), this.#to(slot));
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
    return fieldFrom(this.#bytes, this.#from(slot), this.#to(slot), member);
  }

  /** Where the field of a slot ends that begins at `from`. */
  #memberTo(slot: number, from: number): number {
    return fieldEndFrom(this.#bytes, from, this.#to(slot));
  }

  /** The different values of a member in all addresses of a company, sorted. */
  #allOf(member: number): string {
    const values = new Set([this.#member(slots.legal, member)]);
    if (!this.#isSame(slots.headquarters)) values.add(this.#member(slots.headquarters, member));
    for (const slot of slots.lists) {
      if (this.#isEmpty(slot)) continue;
      for (const row of this.#slot(slot).split(rowSeparator))
        values.add(row.split(fieldSeparator, member + 2)[member + 1] ?? '');
    }
    values.delete('');
    return values.size < 2 ? [...values].join() : [...values].sort().join(valueSeparator);
  }

  #member(slot: number, member: number): string {
    const from = this.#memberFrom(slot, member);
    return this.#bytes.toString('latin1', from, this.#memberTo(slot, from));
  }

  #timeCode(name: TimeField): number {
    const at = this.#timeAt(columns[name].slot);
    return at === null ? 0 : timeCode(name, at);
  }

  #secondsCode(name: SecondsName): number {
    const at = this.#timeAt(columns[name].slot);
    return at === null ? 0 : secondsIn(at);
  }

  #fractionCode(name: FractionField): number {
    const { slot } = columns[name];
    if (this.#isEmpty(slot)) return 0;
    const thousandths = thousandthsOfBytes(this.#bytes, this.#from(slot), this.#to(slot));
    if (thousandths === 0) return 0;
    const at = this.#timeAt(slot);
    return at === null ? 0 : (thousandths ?? thousandthsIn(at));
  }

  /** Seconds since 1970; null for no time. */
  #timeAt(slot: number): number | null {
    if (this.#isEmpty(slot)) return null;
    const [from, to] = [this.#from(slot), this.#to(slot)];
    return secondsOfBytes(this.#bytes, from, to) ?? secondsOf(unpack(this.#slot(slot)));
  }
}

function isSameText(known: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (known.length !== to - from) return false;
  for (let i = 0; i < known.length; i++) if (known[i] !== bytes[from + i]) return false;
  return true;
}

/** Seconds since 1970; null for what is no time: odd values are kept as they were published. */
export function secondsOf(time: string | null): number | null {
  if (time === null || time.charCodeAt(4) !== dash || time.charCodeAt(10) !== beforeTime) return null;
  const at = Date.parse(time) / 1000;
  return Number.isNaN(at) ? null : at;
}
const dash = 0x2d;
const beforeTime = 0x54;
