/**
 * Reads long lists of documents chunk by chunk (65,536 documents). A row of the table contains one chunk, or several of
 * a sparse list, so that asking a list about a few documents takes few reads.
 */
import { uint16At } from '../../../bytes/numbers-in-bytes.ts';
import {
  chunkBits,
  chunkDocuments,
  chunksPerRow,
  chunkWords,
  listedDocumentsMax,
  type SearchTables,
} from '../format.ts';
import type { TimeLimit } from '../time-limit.ts';
import { addDocuments, addStoredList, bitmapBytes, markBits, takeBits } from './bitmap.ts';
import { type DocumentList, readDeltas } from './document-list.ts';

/** From this many bytes of a stored list per document on, searching the list is faster than making a bitmap of it. */
const searchedBytesPerDocument = 32;

/** Reads one list after the other, into memory that the next read of anything reuses. */
export class ListReader {
  private readonly tables: Pick<SearchTables, 'postings'>;
  private readonly places: number;
  private readonly timeLimit: TimeLimit;
  /** A bitmap for short use, and the same memory as bytes. */
  private readonly words = new Uint32Array(chunkWords);
  private readonly bytes = new Uint8Array(this.words.buffer);
  private list = 0;
  private perRow = 1;
  /** Number of the current row; -1 for none. */
  private rowNumber = -1;
  /** Its bytes, in memory that may be longer, and how many they are: 0 if there is no such row. */
  private row: Buffer = Buffer.alloc(0);
  private length = 0;
  /** The bounds of the chunk in the row: a sorted list of 16-bit numbers, or a bitmap. */
  private from = 0;
  private to = 0;
  /** Where the search in a sorted list continues. */
  private at = 0;

  constructor(tables: Pick<SearchTables, 'postings'>, places: number, timeLimit: TimeLimit) {
    this.timeLimit = timeLimit;
    this.tables = tables;
    this.places = places;
  }

  /** The documents of a list, which keeps them from now on; null for a long list, whose documents stay in the table. */
  documentsOf(list: DocumentList): Uint32Array | null {
    if (list.documents === null && list.frequency <= listedDocumentsMax) {
      list.documents = this.readShort(list.list, list.frequency);
    }
    return list.documents;
  }

  private readShort(list: number, frequency: number): Uint32Array {
    this.timeLimit.smallStep();
    const { postings } = this.tables;
    if (postings.read(list) === 0) throw new Error(`The search index has no list ${list}.`);
    return readDeltas(postings.bytes, 0, frequency);
  }

  /** All documents of a long list, ascending. */
  readWhole(list: DocumentList): Uint32Array {
    const all = new Uint32Array(list.frequency);
    this.open(list);
    let length = 0;
    for (let chunk = 0; chunk * chunkDocuments < this.places; chunk++) {
      this.enter(chunk);
      length = this.appendTo(all, length, chunk);
    }
    return all;
  }

  /** Goes to a long list. */
  open({ list, frequency }: DocumentList): void {
    this.list = list;
    this.perRow = chunksPerRow(frequency, this.places);
    this.rowNumber = -1;
  }

  /** Goes to a chunk of the list. */
  enter(chunk: number): void {
    this.timeLimit.smallStep();
    const { perRow } = this;
    const rowNumber = Math.floor(chunk / perRow);
    if (rowNumber !== this.rowNumber) {
      this.rowNumber = rowNumber;
      this.length = this.tables.postings.read(this.list + rowNumber);
    }
    const { length } = this;
    this.row = this.tables.postings.bytes;
    this.from = 0;
    this.to = length;
    if (length > 0 && perRow > 1) this.enterPart(chunk - rowNumber * perRow);
    this.at = this.from;
  }

  /** A row of several chunks begins with the length in bytes of each. */
  private enterPart(part: number): void {
    const { row } = this;
    let from = this.perRow * 2;
    for (let before = 0; before < part; before++) from += uint16At(row, before * 2);
    this.from = from;
    this.to = from + uint16At(row, part * 2);
  }

  /**
   * Sets `member` to 1 for each document that the list has.
   * @param documents those from `first` up to `end` (exclusive) are all in the current chunk
   */
  mark(member: Uint8Array, documents: Uint32Array, first: number, end: number): void {
    const { row, from, to } = this;
    if (from === to) return;
    if (to - from === bitmapBytes) markBits(member, documents, first, end, row, from);
    else if (to - from > (end - first) * searchedBytesPerDocument) {
      for (let i = first; i < end; i++)
        if (this.has((documents[i] ?? 0) & (chunkDocuments - 1))) member[i] = 1;
    } else {
      this.words.fill(0);
      addStoredList(this.words, row, from, to);
      markBits(member, documents, first, end, this.bytes, 0);
    }
  }

  /**
   * Whether a sorted list has the document whose position in the chunk is `bit`; calls come in ascending order. It has
   * its own loop: binary-search.ts would need a call for each step, and this one runs for thousands of documents.
   */
  private has(bit: number): boolean {
    const { row, to } = this;
    // Doubling steps from the last position on, then halving.
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

  /** Appends the documents of the current chunk to an array. @returns the resulting number of documents in the array */
  appendTo(all: Uint32Array, length: number, chunk: number): number {
    const { row, from, to } = this;
    const first = chunk << chunkBits;
    if (to - from === bitmapBytes) return takeBits(all, length, this.bitmap(), first, 0);
    let next = length;
    for (let at = from; at < to; at += 2) all[next++] = first + uint16At(row, at);
    return next;
  }

  /** Sets the bits of a list's documents in the chunk. */
  addTo(words: Uint32Array, list: DocumentList, chunk: number): void {
    const documents = this.documentsOf(list);
    if (documents !== null) {
      addDocuments(words, documents, chunk << chunkBits);
      return;
    }
    this.open(list);
    this.enter(chunk);
    const { row, from, to } = this;
    if (to - from === bitmapBytes) {
      const bitmap = this.bitmap();
      for (let i = 0; i < chunkWords; i++) words[i] = (words[i] ?? 0) | (bitmap[i] ?? 0);
      return;
    }
    addStoredList(words, row, from, to);
  }

  /** The chunk as 32-bit words: a view if it is aligned, otherwise a copy. */
  private bitmap(): Uint32Array {
    const { row } = this;
    const start = row.byteOffset + this.from;
    if (start % 4 === 0) return new Uint32Array(row.buffer, start, chunkWords);
    this.bytes.set(row.subarray(this.from, this.to));
    return this.words;
  }
}
