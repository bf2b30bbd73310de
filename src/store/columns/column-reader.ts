/** Reads columns of a company file (layout.ts). Each read of codes checks them. */
import { checksum } from '../../bytes/hash.ts';
import { DamagedFile } from '../../errors.ts';
import type { FoldedField, TimeField, ValueField } from '../../lei/list-fields.ts';
import type { Glimpse } from '../../lmdb.ts';
import type { MappedFile } from '../../system/mapped-file.ts';
import { unpack } from '../packing.ts';
import { hashOfWord } from '../sought-words.ts';
import { atOnce, type Steps } from '../steps.ts';
import { hasBit } from './bits.ts';
import { ColumnCodes, type ColumnTexts, furtherValues, valueColumns, valueSeparator } from './codes.ts';
import {
  type BlockPart,
  blockEntities,
  blockOf,
  blocksFor,
  type ColumnName,
  columnBlockBytes,
  columnNames,
  columnPlaces,
  placeOfColumn,
  slicePlaces,
  sliceWords,
} from './layout.ts';
import { CommonWords } from './signatures.ts';

export type ColumnCodesOfBlock = Uint16Array | Uint32Array;

export class ColumnReader {
  readonly #file: MappedFile;
  readonly #from: number;
  readonly #readJson: () => string;
  /** The texts of the codes. It is parsed column by column: some have tens of thousands. */
  #json: string | null = null;
  #common: CommonWords | null = null;
  /** Of the columns that were asked for. */
  readonly #values = new Map<ValueField, readonly (readonly string[])[]>();
  readonly blocks: number;
  /** Room for a part of a block, by its bytes. */
  readonly #rooms = new Map<number, PartRoom>();
  /** The codes of a column that stands in slices. */
  readonly #unsliced = new Uint16Array(blockEntities);

  #made: ColumnCodes | null = null;
  /** All of a block. */
  #kept: {
    readonly block: number;
    readonly codes: readonly ColumnCodesOfBlock[];
    readonly slices: readonly Uint32Array[];
  } | null = null;

  /**
   * @param from where the columns begin
   * @param readJson reads the texts of the codes, as JSON
   */
  constructor(file: MappedFile, from: number, lastEntity: number, readJson: () => string) {
    this.#file = file;
    this.#from = from;
    this.#readJson = readJson;
    this.blocks = blocksFor(lastEntity);
  }

  /** The codes of a block, valid until the next codes are read. @throws DamagedFile */
  codes(name: ColumnName, block: number): ColumnCodesOfBlock {
    const { isSliced, bits } = placeOfColumn(name);
    if (isSliced) return this.#unslice(this.slices(name, block), bits);
    const { short, long } = this.#read(name, block);
    return bits === 32 ? long : short;
  }

  /** As {@link codes}, but only the codes of the first `count` places are those of the block. */
  codesAt(name: ColumnName, block: number, places: Uint16Array, count: number): ColumnCodesOfBlock {
    const { isSliced, bits } = placeOfColumn(name);
    if (!isSliced) return this.codes(name, block);
    const slices = this.slices(name, block);
    for (let at = 0; at < count; at++) {
      const place = places[at] ?? 0;
      let code = 0;
      for (let bit = 0; bit < bits; bit++)
        code |= (((slices[bit * sliceWords + (place >>> 5)] ?? 0) >>> (place & 31)) & 1) << bit;
      this.#unsliced[place] = code;
    }
    return this.#unsliced;
  }

  /** As {@link codes}, of a column with 32 bits for each code. */
  longCodes(name: TimeField | FoldedField, block: number): Uint32Array {
    return this.#read(name, block).long;
  }

  /** The slices of a column that stands in slices, the lowest first; valid as its codes are. @throws DamagedFile */
  slices(name: ColumnName, block: number): Uint32Array {
    return this.#read(name, block).long;
  }

  #unslice(slices: Uint32Array, bits: number): Uint16Array {
    const codes = this.#unsliced.fill(0);
    for (let bit = 0; bit < bits; bit++) {
      for (let word = 0; word < sliceWords; word++) {
        for (let left = slices[bit * sliceWords + word] ?? 0; left !== 0; left &= left - 1) {
          const place = word * 32 + (31 - Math.clz32(left & -left));
          codes[place] = (codes[place] ?? 0) | (1 << bit);
        }
      }
    }
    return codes;
  }

  #read(name: ColumnName, block: number): PartRoom {
    return this.#copied(placeOfColumn(name), block) ?? this.#refuse(`column ${name}`, block);
  }

  /** A bit of the words of a block's entities (signatures.ts), valid until the next is read. @throws DamagedFile */
  slice(bit: number, block: number): Uint32Array {
    const place = slicePlaces[bit];
    if (place === undefined) throw new Error(`Words have no bit ${bit}.`);
    return (this.#copied(place, block) ?? this.#refuse(`bit ${bit} of the words`, block)).long;
  }

  /** Null if the bytes are not those that were written. */
  #copied({ check, from, bytes }: BlockPart, block: number): PartRoom | null {
    const room = this.#rooms.get(bytes) ?? roomOf(bytes);
    this.#rooms.set(bytes, room);
    const at = this.#from + block * columnBlockBytes;
    this.#file.copy(at + from, bytes, room.bytes);
    return checksum(room.bytes) === this.#file.uint32At(at + check) ? room : null;
  }

  #refuse(part: string, block: number): never {
    throw new DamagedFile(this.#file.path, `${part} has other values than were written in block ${block}`);
  }

  /** The values of each code but 0, from code 1 on. */
  *values(name: ValueField): Steps<readonly (readonly string[])[]> {
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    const json = this.#allTexts();
    yield;
    const values: (readonly string[])[] = [];
    for (const texts of textsIn(json, name)) {
      yield;
      values.push(...texts.map(valuesOf));
    }
    this.#values.set(name, values);
    return values;
  }

  #allTexts(): string {
    this.#json ??= this.#readJson();
    return this.#json;
  }

  /** The bit of a word that has one of its own; null for another word. */
  commonBit(word: string): number | null {
    this.#common ??= new CommonWords([...textsIn(this.#allTexts(), 'commonWords')].flat());
    return this.#common.bitOf(hashOfWord(word), (common) => common === word);
  }

  /**
   * The first column in which an entity has another code than its stored record gives, or `word`; null if there is none.
   */
  differenceFrom(entity: number, stored: Glimpse): ColumnName | 'word' | null {
    this.#made ??= new ColumnCodes(parseTexts(this.#allTexts()));
    this.#made.read(stored);
    const { codes, wordBits } = this.#made;
    const found = this.#wholeBlock(blockOf(entity));
    const place = entity % blockEntities;
    const index = columnPlaces.findIndex((_, each) => found.codes[each]?.[place] !== codes[each]);
    const column = columnPlaces[index];
    if (column !== undefined) return column.name;
    const hasWords = found.slices.every((slice, bit) => hasBit(slice, place) === hasBit(wordBits, bit));
    return hasWords ? null : 'word';
  }

  /** Kept until another one is asked for. */
  #wholeBlock(block: number) {
    if (this.#kept?.block !== block) {
      const codes = columnNames.map((name) => this.codes(name, block).slice());
      this.#kept = { block, codes, slices: slicePlaces.map((_, bit) => this.slice(bit, block).slice()) };
    }
    return this.#kept;
  }

  /** Checks all columns. @throws DamagedFile */
  checkAll(): void {
    for (const name of valueColumns) atOnce(this.values(name));
    for (let block = 0; block < this.blocks; block++) this.#wholeBlock(block);
  }
}

/** The same memory as bytes and as numbers. */
interface PartRoom {
  readonly bytes: Buffer;
  readonly short: Uint16Array;
  readonly long: Uint32Array;
}
function roomOf(length: number): PartRoom {
  const memory = new ArrayBuffer(length);
  return { bytes: Buffer.from(memory), short: new Uint16Array(memory), long: new Uint32Array(memory) };
}

function valuesOf(text: string): readonly string[] {
  if (text === '' || text === furtherValues) return [];
  return text.split(valueSeparator).map((value) => unpack(textOfBytes(value)) ?? '');
}

/** @param bytes each as one character */
function textOfBytes(bytes: string): string {
  return beyondAscii.test(bytes) ? Buffer.from(bytes, 'latin1').toString() : bytes;
}
const beyondAscii = /[\x80-\xff]/;

/** Reads the texts that {@link formatTexts} wrote. */
export function parseTexts(json: string): ColumnTexts {
  return JSON.parse(json);
}

/** The texts of one column, some at a time: those of regions, of which there are tens of thousands, take 20 ms together. */
export function* textsIn(json: string, name: keyof ColumnTexts): Generator<readonly string[]> {
  // Texts have no such part: each of their quotes is escaped.
  const key = `"${name}":[`;
  for (let from = json.indexOf(key) + key.length; json[from] === '"'; ) {
    let to = endOfText(json, from);
    for (let texts = 1; texts < textsPerStep && json[to] === ','; texts++) to = endOfText(json, to + 1);
    yield JSON.parse(`[${json.slice(from, to)}]`);
    from = to + 1;
  }
}

/** Some 100 microseconds of work. */
const textsPerStep = 256;

/**
 * Where a text of a JSON array ends. A regular expression would not do: it finds nothing in more than two megabytes.
 * @param from its first quote
 */
function endOfText(json: string, from: number): number {
  for (let at = from + 1; ; at++) {
    at = json.indexOf('"', at);
    let escapes = at;
    while (json[escapes - 1] === '\\') escapes--;
    if ((at - escapes) % 2 === 0) return at + 1;
  }
}

export function formatTexts(texts: ColumnTexts): string {
  return JSON.stringify(texts);
}
