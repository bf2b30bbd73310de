/** Reads columns of a company file (layout.ts). Each read of codes checks them. */
import { checksum } from '../../bytes/hash.ts';
import { DamagedFile } from '../../errors.ts';
import type { ValueField } from '../../lei/list-fields.ts';
import type { Glimpse } from '../../lmdb.ts';
import type { MappedFile } from '../../system/mapped-file.ts';
import { unpack } from '../packing.ts';
import { ColumnCodes, type ColumnTexts, valueColumns, valueSeparator } from './codes.ts';
import {
  blockEntities,
  blockOf,
  blocksFor,
  bytesOfCode,
  type ColumnName,
  columnBlockBytes,
  columnNames,
  columnPlaces,
  placeOfColumn,
} from './layout.ts';

export type ColumnCodesOfBlock = Uint16Array | Uint32Array;

export class ColumnReader {
  readonly #file: MappedFile;
  readonly #from: number;
  readonly #readTexts: () => string;
  #texts: ColumnTexts | null = null;
  readonly blocks: number;
  readonly #short = roomOf(new Uint16Array(blockEntities));
  readonly #long = roomOf(new Uint32Array(blockEntities));

  #made: ColumnCodes | null = null;
  #kept: { readonly block: number; readonly codes: readonly ColumnCodesOfBlock[] } | null = null;

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
    const place = placeOfColumn.get(name);
    if (place === undefined) throw new Error(`There is no column ${name}.`);
    const { codes, bytes } = bytesOfCode(name) === 4 ? this.#long : this.#short;
    const at = this.#from + block * columnBlockBytes;
    this.#file.copy(at + place.from, place.bytes, bytes);
    if (checksum(bytes) === this.#file.uint32At(at + place.check)) return codes;
    throw new DamagedFile(
      this.#file.path,
      `column ${name} has other codes than were written in block ${block}`,
    );
  }

  /** The values of each code but 0, from code 1 on. */
  values(name: ValueField): readonly (readonly string[])[] {
    this.#texts ??= parseTexts(this.#readTexts());
    return this.#texts[name].map((text) => valuesOf(text));
  }

  /** The first column in which an entity has another code than its stored record gives; null if there is none. */
  differenceFrom(entity: number, stored: Glimpse): ColumnName | null {
    this.#texts ??= parseTexts(this.#readTexts());
    this.#made ??= new ColumnCodes(this.#texts);
    this.#made.read(stored);
    const made = this.#made.codes;
    const found = this.#blockCodes(blockOf(entity));
    const index = columnPlaces.findIndex((_, each) => found[each]?.[entity % blockEntities] !== made[each]);
    return columnPlaces[index]?.name ?? null;
  }

  /** The codes of all columns of a block, kept until those of another are asked for. */
  #blockCodes(block: number): readonly ColumnCodesOfBlock[] {
    if (this.#kept?.block !== block)
      this.#kept = { block, codes: columnNames.map((name) => this.codes(name, block).slice()) };
    return this.#kept.codes;
  }

  /** Checks all columns. @throws DamagedFile */
  checkAll(): void {
    for (const name of valueColumns) this.values(name);
    for (let block = 0; block < this.blocks; block++) for (const name of columnNames) this.codes(name, block);
  }
}

/** The same memory as codes and as bytes. */
function roomOf<Codes extends Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(codes: Codes) {
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
