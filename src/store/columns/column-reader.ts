/** Reads columns of a company file (layout.ts). Each read of codes checks them. */
import { checksum } from '../../bytes/hash.ts';
import { DamagedFile } from '../../errors.ts';
import type { FoldedField, TimeField, ValueField } from '../../lei/list-fields.ts';
import type { Glimpse } from '../../lmdb.ts';
import type { MappedFile } from '../../system/mapped-file.ts';
import { unpack } from '../packing.ts';
import { hasBit } from './bits.ts';
import { ColumnCodes, type ColumnTexts, valueColumns, valueSeparator } from './codes.ts';
import {
  type BlockPart,
  blockEntities,
  blockOf,
  blocksFor,
  bytesOfCode,
  type ColumnName,
  columnBlockBytes,
  columnNames,
  columnPlaces,
  placeOfColumn,
  sliceBytes,
  slicePlaces,
} from './layout.ts';

export type ColumnCodesOfBlock = Uint16Array | Uint32Array;

export class ColumnReader {
  readonly #file: MappedFile;
  readonly #from: number;
  readonly #readTexts: () => string;
  #texts: ColumnTexts | null = null;
  /** Of the columns that were asked for. */
  readonly #values = new Map<ValueField, readonly (readonly string[])[]>();
  readonly blocks: number;
  readonly #short = roomOf(new Uint16Array(blockEntities));
  readonly #long = roomOf(new Uint32Array(blockEntities));
  readonly #slice = roomOf(new Uint32Array(sliceBytes / 4));

  #made: ColumnCodes | null = null;
  /** All of a block. */
  #kept: {
    readonly block: number;
    readonly codes: readonly ColumnCodesOfBlock[];
    readonly slices: readonly Uint32Array[];
  } | null = null;

  /**
   * @param from where the columns begin
   * @param readTexts reads the texts of the codes, as JSON
   */
  constructor(file: MappedFile, from: number, lastEntity: number, readTexts: () => string) {
    this.#file = file;
    this.#from = from;
    this.#readTexts = readTexts;
    this.blocks = blocksFor(lastEntity);
  }

  /** The codes of a block, valid until the next block of a column of this width is read. @throws DamagedFile */
  codes(name: ColumnName, block: number): ColumnCodesOfBlock {
    return bytesOfCode(name) === 4
      ? this.#read(name, block, this.#long)
      : this.#read(name, block, this.#short);
  }

  /** The same of a column with two bytes for each code. */
  shortCodes(name: ValueField, block: number): Uint16Array {
    return this.#read(name, block, this.#short);
  }

  /** The same of a column with four bytes for each code. */
  longCodes(name: TimeField | FoldedField, block: number): Uint32Array {
    return this.#read(name, block, this.#long);
  }

  #read<Codes>(name: ColumnName, block: number, { codes, bytes }: CodeRoom<Codes>): Codes {
    const place = placeOfColumn.get(name);
    if (place === undefined) throw new Error(`There is no column ${name}.`);
    if (this.#copyPart(place, block, bytes)) return codes;
    throw new DamagedFile(
      this.#file.path,
      `column ${name} has other codes than were written in block ${block}`,
    );
  }

  /** A bit of the signatures of a block's entities, valid until the next is read. @throws DamagedFile */
  slice(bit: number, block: number): Uint32Array {
    const place = slicePlaces[bit];
    if (place === undefined) throw new Error(`Signatures have no bit ${bit}.`);
    if (this.#copyPart(place, block, this.#slice.bytes)) return this.#slice.codes;
    throw new DamagedFile(
      this.#file.path,
      `bit ${bit} of the signatures in block ${block} is another one than was written`,
    );
  }

  /** @returns whether the bytes are those that were written */
  #copyPart({ check, from, bytes }: BlockPart, block: number, into: Buffer): boolean {
    const at = this.#from + block * columnBlockBytes;
    this.#file.copy(at + from, bytes, into);
    return checksum(into) === this.#file.uint32At(at + check);
  }

  /** The values of each code but 0, from code 1 on. */
  values(name: ValueField): readonly (readonly string[])[] {
    this.#texts ??= parseTexts(this.#readTexts());
    const values = this.#values.get(name) ?? this.#texts[name].map(valuesOf);
    this.#values.set(name, values);
    return values;
  }

  /**
   * The first column in which an entity has another code than its stored record gives, or `signature`; null if there is
   * none.
   */
  differenceFrom(entity: number, stored: Glimpse): ColumnName | 'signature' | null {
    this.#texts ??= parseTexts(this.#readTexts());
    this.#made ??= new ColumnCodes(this.#texts);
    this.#made.read(stored);
    const { codes, signature } = this.#made;
    const found = this.#wholeBlock(blockOf(entity));
    const place = entity % blockEntities;
    const index = columnPlaces.findIndex((_, each) => found.codes[each]?.[place] !== codes[each]);
    const column = columnPlaces[index];
    if (column !== undefined) return column.name;
    const isSigned = found.slices.every((slice, bit) => hasBit(slice, place) === hasBit(signature, bit));
    return isSigned ? null : 'signature';
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
    for (const name of valueColumns) this.values(name);
    for (let block = 0; block < this.blocks; block++) this.#wholeBlock(block);
  }
}

/** The same memory as codes and as bytes. */
interface CodeRoom<Codes> {
  readonly codes: Codes;
  readonly bytes: Buffer;
}
function roomOf<Codes extends Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(
  codes: Codes,
): CodeRoom<Codes> {
  return { codes, bytes: Buffer.from(codes.buffer) };
}

function valuesOf(text: string): readonly string[] {
  if (text === '') return [];
  const packed = text.split(valueSeparator);
  return packed.map((value) => unpack(Buffer.from(value, 'latin1').toString()) ?? '');
}

/** Reads the texts that {@link formatTexts} wrote. */
export function parseTexts(json: string): ColumnTexts {
  return JSON.parse(json);
}

export function formatTexts(texts: ColumnTexts): string {
  return JSON.stringify(texts);
}
