/** Writes the columns of a company file (layout.ts), block by block: those of all companies, or of changed ones. */
import { readSync } from 'node:fs';
import { checksum } from '../../bytes/hash.ts';
import type { Glimpse } from '../../lmdb.ts';
import { writeAll } from '../../publication/files.ts';
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
  slicesAt,
  sliceWords,
} from './layout.ts';

/** In the order of a block. */
const parts: readonly BlockPart[] = [...columnPlaces, ...slicePlaces];
/** Unchanged bytes between changed ones that are written with them: less than a page, so few more pages change. */
const gapBytesMax = 2048;

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
   * @param lastEntity the greatest entity number that the file has already; null for a new file
   * @param texts of the file
   */
  constructor(file: number, from: number, lastEntity: number | null, texts: ColumnTexts) {
    this.#file = file;
    this.#from = from;
    this.#written = lastEntity === null ? 0 : blocksFor(lastEntity);
    this.#codes = new ColumnCodes(texts);
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
      if (column.isSliced) this.#putBits(column.from / 4, place, code, column.bits);
      else if (column.bits === 32) this.#long[column.from / 4 + place] = code;
      else this.#short[column.from / 2 + place] = code;
    }
    const { wordBits } = this.#codes;
    for (let word = 0; word < wordBits.length; word++)
      this.#putBits(slicesAt / 4 + word * 32 * sliceWords, place, wordBits[word] ?? 0, 32);
  }

  /** Writes the bits of a number into as many slices. @param from the first word of the first slice */
  #putBits(from: number, place: number, number: number, bits: number): void {
    const long = this.#long;
    const mask = 1 << (place & 31);
    const first = from + (place >>> 5);
    // A new block has only zeros, and most bits are zeros.
    for (let bit = 0; bit < bits && this.#block < this.#written; bit++)
      long[first + bit * sliceWords] = (long[first + bit * sliceWords] ?? 0) & ~mask;
    for (let left = number; left !== 0; left &= left - 1) {
      const at = first + (31 - Math.clz32(left & -left)) * sliceWords;
      long[at] = (long[at] ?? 0) | mask;
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
    const changed = parts.filter((part) => this.#isRenewed(part));
    if (this.#block < this.#written) this.#writeParts(changed);
    else this.#write(0, columnBlockBytes);
    this.#written = Math.max(this.#written, this.#block + 1);
    this.#block = -1;
  }

  /** Writes the checksums and some parts: those that are near each other at once, because each write costs microseconds. */
  #writeParts(changed: readonly BlockPart[]): void {
    let [begin, end] = [0, headBytes];
    for (const { from, bytes } of changed) {
      if (from - end > gapBytesMax) {
        this.#write(begin, end);
        begin = from;
      }
      end = from + bytes;
    }
    this.#write(begin, end);
  }

  /** Writes bytes of the current block. */
  #write(from: number, to: number): void {
    writeAll(this.#file, this.#bytes.subarray(from, to), this.#from + this.#block * columnBlockBytes + from);
  }

  /** Renews the checksum of a part of the block. @returns whether it was another one */
  #isRenewed({ check, from, bytes }: BlockPart): boolean {
    const found = checksum(this.#bytes.subarray(from, from + bytes));
    if (found === this.#bytes.readUInt32LE(check)) return false;
    this.#bytes.writeUInt32LE(found, check);
    return true;
  }

  texts(): ColumnTexts {
    return this.#codes.allTexts();
  }

  /** Whether companies brought new texts. */
  get hasNewTexts(): boolean {
    return this.#codes.textCount() > this.#textsBefore;
  }
}
