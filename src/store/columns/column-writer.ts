/** Writes the columns of a company file (layout.ts), block by block: those of all companies, or of changed ones. */
import { readSync } from 'node:fs';
import { checksum } from '../../bytes/hash.ts';
import type { Glimpse } from '../../lmdb.ts';
import { writeAll } from '../../publication/files.ts';
import { clearBit, hasBit, setBit } from './bits.ts';
import { ColumnCodes, type ColumnTexts } from './codes.ts';
import {
  type BlockPart,
  blockEntities,
  blockOf,
  blocksFor,
  columnBlockBytes,
  columnPlaces,
  headBytes,
  slicePlaces,
} from './layout.ts';

export class ColumnWriter {
  readonly #file: number;
  readonly #from: number;
  readonly #codes: ColumnCodes;
  readonly #textsBefore: number;
  /** Blocks that the file has already. */
  #written: number;
  #block = -1;
  readonly #bytes = Buffer.from(new ArrayBuffer(columnBlockBytes));
  /** The same memory as numbers. */
  readonly #short = new Uint16Array(this.#bytes.buffer);
  readonly #long = new Uint32Array(this.#bytes.buffer);

  /**
   * @param from where the columns begin in the file
   * @param known what the file has already: the greatest entity number, and the texts; null for a new file
   */
  constructor(
    file: number,
    from: number,
    known: { readonly lastEntity: number; readonly texts: ColumnTexts } | null,
  ) {
    this.#file = file;
    this.#from = from;
    this.#written = known === null ? 0 : blocksFor(known.lastEntity);
    this.#codes = new ColumnCodes(known?.texts ?? null);
    this.#textsBefore = this.#codes.textCount();
  }

  /** Ascending entities write each block once. @param stored a record, or an LEI alone */
  put(entity: number, stored: Glimpse): void {
    this.#turnTo(blockOf(entity));
    this.#codes.read(stored);
    const place = entity % blockEntities;
    for (let index = 0; index < columnPlaces.length; index++) {
      const column = columnPlaces[index];
      if (column === undefined) continue;
      const code = this.#codes.codes[index] ?? 0;
      if (column.bytes === blockEntities * 4) this.#long[column.from / 4 + place] = code;
      else this.#short[column.from / 2 + place] = code;
    }
    this.#putSignature(place);
  }

  #putSignature(place: number): void {
    for (let bit = 0; bit < slicePlaces.length; bit++) {
      const at = (slicePlaces[bit]?.from ?? 0) * 8 + place;
      if (hasBit(this.#codes.signature, bit)) setBit(this.#long, at);
      else clearBit(this.#long, at);
    }
  }

  #turnTo(block: number): void {
    if (block === this.#block) return;
    this.#flush();
    this.#block = block;
    const at = this.#from + block * columnBlockBytes;
    if (block >= this.#written) this.#bytes.fill(0);
    else if (readSync(this.#file, this.#bytes, 0, columnBlockBytes, at) < columnBlockBytes)
      throw new Error(`The company file ends within its columns, before byte ${at + columnBlockBytes}.`);
  }

  /** Makes the columns those of a publication with this greatest entity number. */
  finish(lastEntity: number): void {
    this.#turnTo(blockOf(lastEntity));
    this.#flush();
  }

  /** Writes the current block if it is new, otherwise what has changed in it. */
  #flush(): void {
    if (this.#block === -1) return;
    const at = this.#from + this.#block * columnBlockBytes;
    const changed = [...columnPlaces, ...slicePlaces].filter((part) => this.#isRenewed(part));
    if (this.#block >= this.#written) {
      writeAll(this.#file, this.#bytes, at);
    } else {
      for (const { from, bytes } of changed)
        writeAll(this.#file, this.#bytes.subarray(from, from + bytes), at + from);
      writeAll(this.#file, this.#bytes.subarray(0, headBytes), at);
    }
    this.#written = Math.max(this.#written, this.#block + 1);
    this.#block = -1;
  }

  /** Renews the checksum of a part of the block. @returns whether it was another one */
  #isRenewed({ check, from, bytes }: BlockPart): boolean {
    const found = checksum(this.#bytes.subarray(from, from + bytes));
    if (found === this.#bytes.readUInt32LE(check)) return false;
    this.#bytes.writeUInt32LE(found, check);
    return true;
  }

  /** The texts of all codes if there are new ones; otherwise null. */
  newTexts(): ColumnTexts | null {
    return this.#codes.textCount() === this.#textsBefore ? null : this.#codes.allTexts();
  }
}
