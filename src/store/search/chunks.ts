/**
 * Long lists of documents chunk by chunk (65,536 documents), and bitmaps of 8 kB in which they are joined and
 * intersected. A row of the table holds one chunk, or several of a list that is thinly spread, so that asking a list
 * about a few documents takes few reads.
 */
import { lowerBound } from '../../bytes/binary-search.ts';
import { uint16At } from '../../bytes/numbers-in-bytes.ts';
import { chunkBits, chunkDocuments, chunksPerRow, chunkWords, type SearchTables } from './format.ts';

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

const bitmapBytes = chunkWords * 4;
/** Bytes of a sorted list from which on looking for one document in it takes less time than making a bitmap of them. */
const lookedForBytes = 32;

/** Reads one list after the other. What it has found is valid until anything else is read. */
export class ChunkReader {
  private readonly tables: SearchTables;
  private readonly documentCount: number;
  /** A bitmap for passing use, and the same as bytes. */
  private readonly words = new Uint32Array(chunkWords);
  private readonly bytes = new Uint8Array(this.words.buffer);
  private list = 0;
  private perRow = 1;
  /** Number of the row at hand; -1 for none. */
  private rowNumber = -1;
  private row: Uint8Array | undefined;
  /** Where the chunk stands in the row: a sorted list of 16-bit numbers, or a bitmap. */
  private from = 0;
  private to = 0;
  /** Where the next place of a sorted list is looked for. */
  private at = 0;

  constructor(tables: SearchTables, documentCount: number) {
    this.tables = tables;
    this.documentCount = documentCount;
  }

  /** Turns to a long list. */
  open({ list, frequency }: DocumentList): void {
    this.list = list;
    this.perRow = chunksPerRow(frequency, this.documentCount);
    this.rowNumber = -1;
  }

  /** Goes to a chunk of the list. */
  enter(chunk: number): void {
    const { perRow } = this;
    const rowNumber = Math.floor(chunk / perRow);
    if (rowNumber !== this.rowNumber) {
      this.rowNumber = rowNumber;
      this.row = this.tables.postings.getBinaryFast(this.list + rowNumber);
    }
    const { row } = this;
    this.from = 0;
    this.to = row === undefined ? 0 : row.length;
    if (row !== undefined && perRow > 1) this.enterPart(row, chunk - rowNumber * perRow);
    this.at = this.from;
  }

  /** A row of several chunks begins with the bytes that each of them takes. */
  private enterPart(row: Uint8Array, part: number): void {
    let from = this.perRow * 2;
    for (let before = 0; before < part; before++) from += uint16At(row, before * 2);
    this.from = from;
    this.to = from + uint16At(row, part * 2);
  }

  /** Marks those of the documents that the list has. They are all in the chunk at hand, from `first` up to `end`. */
  mark(member: Uint8Array, documents: Uint32Array, first: number, end: number): void {
    const { row, from, to } = this;
    if (row === undefined) return;
    if (to - from === bitmapBytes) markBits(member, documents, first, end, row, from);
    else if (to - from > (end - first) * lookedForBytes) {
      for (let i = first; i < end; i++)
        if (this.has((documents[i] ?? 0) & (chunkDocuments - 1))) member[i] = 1;
    } else {
      this.words.fill(0);
      addSorted(this.words, row, from, to);
      markBits(member, documents, first, end, this.bytes, 0);
    }
  }

  /** Whether a sorted list has the document whose place in the chunk is `bit`. Places are asked ascending. */
  private has(bit: number): boolean {
    const { row, to } = this;
    if (row === undefined) return false;
    // Doubling steps from where the one before was looked for, then halving.
    let step = 2;
    let low = this.at;
    let high = low;
    while (high < to && uint16At(row, high) < bit) {
      low = high + 2;
      high += step;
      step *= 2;
    }
    if (high > to) high = to;
    while (low < high) {
      const middle = low + (((high - low) >>> 2) << 1);
      if (uint16At(row, middle) < bit) low = middle + 2;
      else high = middle;
    }
    this.at = low;
    return low < to && uint16At(row, low) === bit;
  }

  /** Appends the documents of the chunk to an array. @returns how many there are now */
  appendTo(all: Uint32Array, length: number, chunk: number): number {
    const { row, from, to } = this;
    if (row === undefined) return length;
    const first = chunk << chunkBits;
    if (to - from === bitmapBytes) return takeBits(all, length, this.bitmap(row), chunk, 0);
    let next = length;
    for (let at = from; at < to; at += 2) all[next++] = first + uint16At(row, at);
    return next;
  }

  /** Sets the bits of a list's documents in the chunk. */
  addTo(words: Uint32Array, list: DocumentList, chunk: number): void {
    if (list.documents !== null) {
      addArray(words, list.documents, chunk);
      return;
    }
    this.open(list);
    this.enter(chunk);
    const { row, from, to } = this;
    if (row === undefined) return;
    if (to - from === bitmapBytes) {
      const bitmap = this.bitmap(row);
      for (let i = 0; i < chunkWords; i++) words[i] = (words[i] ?? 0) | (bitmap[i] ?? 0);
      return;
    }
    addSorted(words, row, from, to);
  }

  /** The chunk seen as 32-bit words: in place where it is aligned. */
  private bitmap(row: Uint8Array): Uint32Array {
    const start = row.byteOffset + this.from;
    if (start % 4 === 0) return new Uint32Array(row.buffer, start, chunkWords);
    this.bytes.set(row.subarray(this.from, this.to));
    return this.words;
  }
}

/** Sets the bits of a sorted list of 16-bit numbers. */
function addSorted(words: Uint32Array, row: Uint8Array, from: number, to: number): void {
  for (let at = from; at < to; at += 2) {
    const bit = uint16At(row, at);
    words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }
}

/** Marks the documents, all in one chunk, whose bits are set in the bitmap that begins at `from`. */
function markBits(
  member: Uint8Array,
  documents: Uint32Array,
  first: number,
  end: number,
  bytes: Uint8Array,
  from: number,
): void {
  for (let i = first; i < end; i++) {
    const bit = (documents[i] ?? 0) & (chunkDocuments - 1);
    if (((bytes[from + (bit >>> 3)] ?? 0) & (1 << (bit & 7))) !== 0) member[i] = 1;
  }
}

function addArray(words: Uint32Array, documents: Uint32Array, chunk: number): void {
  const first = chunk << chunkBits;
  for (let i = lowerBound(documents, first); i < documents.length; i++) {
    const bit = (documents[i] ?? 0) - first;
    if (bit >= chunkDocuments) return;
    words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }
}

/** How many bits are set. */
export function populationOf(words: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < words.length; i++) {
    let word = words[i] ?? 0;
    if (word === 0) continue;
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
