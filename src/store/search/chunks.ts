/**
 * Long lists of documents chunk by chunk (65,536 documents): as rows of the table, and as bitmaps of 8 kB that are
 * joined and intersected. Rows come in one buffer that the next read overwrites.
 */
import { chunkBits, chunkDocuments, chunkWords, type SearchTables } from './format.ts';
import { lowerBound } from './sorted.ts';

/** The documents of one term, or of a set already at hand. */
export interface DocumentList {
  readonly frequency: number;
  /** All of them, ascending; null for a list too long to hold. */
  readonly documents: Uint32Array | null;
  /** First row of a long list. */
  readonly list: number;
}

/** Documents in any of the lists. */
export type Union = readonly DocumentList[];

/** All documents of a set already at hand, ascending. */
export function setOf(documents: Uint32Array): DocumentList {
  return { frequency: documents.length, documents, list: 0 };
}

export function sizeOf(union: Union): number {
  let size = 0;
  for (const list of union) size += list.frequency;
  return size;
}

export class ChunkReader {
  private readonly tables: SearchTables;
  private readonly words = new Uint32Array(chunkWords);
  constructor(tables: SearchTables) {
    this.tables = tables;
  }

  row(list: DocumentList, chunk: number): Buffer | undefined {
    return this.tables.postings.getBinaryFast(list.list + chunk);
  }

  /** Sets the bits of a list's documents in the chunk. */
  addTo(words: Uint32Array, list: DocumentList, chunk: number): void {
    if (list.documents !== null) {
      addArray(words, list.documents, chunk);
      return;
    }
    const row = this.row(list, chunk);
    if (row === undefined) return;
    if (row.length === chunkWords * 4) {
      const bitmap = wordsOf(row, this.words);
      for (let i = 0; i < chunkWords; i++) words[i] = (words[i] ?? 0) | (bitmap[i] ?? 0);
      return;
    }
    for (let at = 0; at < row.length; at += 2) {
      const bit = (row[at] ?? 0) | ((row[at + 1] ?? 0) << 8);
      words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31));
    }
  }
}

/** A row seen as 32-bit words: in place where it is aligned. */
function wordsOf(row: Buffer, scratch: Uint32Array): Uint32Array {
  if (row.byteOffset % 4 === 0) return new Uint32Array(row.buffer, row.byteOffset, chunkWords);
  new Uint8Array(scratch.buffer).set(row.subarray(0, chunkWords * 4));
  return scratch;
}

function addArray(words: Uint32Array, documents: Uint32Array, chunk: number): void {
  const first = chunk << chunkBits;
  for (let i = lowerBound(documents, first); i < documents.length; i++) {
    const bit = (documents[i] ?? 0) - first;
    if (bit >= chunkDocuments) return;
    words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }
}

/** Appends the documents of a row. @returns how many there are now */
export function appendChunk(all: Uint32Array, from: number, row: Buffer | undefined, chunk: number): number {
  if (row === undefined) return from;
  const first = chunk << chunkBits;
  let length = from;
  if (row.length < chunkWords * 4) {
    for (let at = 0; at < row.length; at += 2) {
      all[length++] = first + ((row[at] ?? 0) | ((row[at + 1] ?? 0) << 8));
    }
    return length;
  }
  for (let byte = 0; byte < row.length; byte++) {
    for (let bits = row[byte] ?? 0; bits !== 0; bits &= bits - 1) {
      all[length++] = first + byte * 8 + (31 - Math.clz32(bits & -bits));
    }
  }
  return length;
}

export function isInChunk(row: Buffer, bit: number): boolean {
  if (row.length === chunkWords * 4) return ((row[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  let low = 0;
  let high = row.length >>> 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const value = (row[middle * 2] ?? 0) | ((row[middle * 2 + 1] ?? 0) << 8);
    if (value === bit) return true;
    if (value < bit) low = middle + 1;
    else high = middle;
  }
  return false;
}

/** How many bits are set. */
export function populationOf(words: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < words.length; i++) {
    let word = words[i] ?? 0;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/**
 * Takes the documents of set bits until the array is full.
 * @param skip how many of the first to leave out
 * @returns how many are taken now
 */
export function takeBits(
  taken: Uint32Array,
  from: number,
  words: Uint32Array,
  chunk: number,
  skip: number,
): number {
  const first = chunk << chunkBits;
  let left = skip;
  let length = from;
  for (let i = 0; i < words.length; i++) {
    for (let word = words[i] ?? 0; word !== 0; word &= word - 1) {
      if (left-- > 0) continue;
      if (length === taken.length) return length;
      taken[length++] = first + i * 32 + (31 - Math.clz32(word & -word));
    }
  }
  return length;
}
