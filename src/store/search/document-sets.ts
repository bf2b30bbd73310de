/**
 * Sets of documents and what is done with them: unions of terms, intersected. A set of few documents is a sorted
 * array; a large one is never held whole but met chunk by chunk (65,536 documents, a bitmap of 8 kB).
 */
import { chunkBits, chunkDocuments, chunkWords, listedDocumentsMax, type SearchTables } from './format.ts';
import { readDeltas } from './postings.ts';
import type { Term } from './term-reader.ts';

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

export interface Intersection {
  /** The first documents in order of rank, at most as many as asked for. */
  readonly documents: Uint32Array;
  /** How many there are in all. */
  readonly total: number;
}

export interface DocumentSets {
  listOf(term: Term): DocumentList;
  /**
   * Documents in every union.
   * @param skip how many of the first to leave out
   * @param max how many to give at most; the total counts on
   */
  intersect(unions: readonly Union[], skip: number, max: number): Intersection;
  contains(unions: readonly Union[], document: number): boolean;
}

export function setOf(documents: Uint32Array): DocumentList {
  return { frequency: documents.length, documents, list: 0 };
}

export function sizeOf(union: Union): number {
  let size = 0;
  for (const list of union) size += list.frequency;
  return size;
}

/** Sorts and drops repeated documents, in place. */
export function sortedUnique(documents: Uint32Array): Uint32Array {
  documents.sort();
  let length = 0;
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i] ?? 0;
    if (length === 0 || documents[length - 1] !== document) documents[length++] = document;
  }
  return documents.subarray(0, length);
}

/** A union of fewer documents than this is gathered in one array and the others are asked about each. */
const gatheredDocumentsMax = 20_000;

export function openDocumentSets(tables: SearchTables, documentCount: number): DocumentSets {
  const chunks = Math.ceil(documentCount / chunkDocuments);
  const reader = new ChunkReader(tables);
  const listOf = (term: Term): DocumentList => {
    const { frequency, list } = term;
    if (term.inline !== null) return { frequency, documents: term.inline, list };
    if (frequency > listedDocumentsMax) return { frequency, documents: null, list };
    const bytes = tables.postings.getBinaryFast(list);
    if (bytes === undefined) throw new Error(`The search index has no list ${list}.`);
    return { frequency, documents: readDeltas(bytes, 0, frequency), list };
  };
  return {
    listOf,
    intersect: (unions, skip, max) => {
      const bySize = [...unions].sort((a, b) => sizeOf(a) - sizeOf(b));
      const [smallest = [], ...others] = bySize;
      if (sizeOf(smallest) > gatheredDocumentsMax) return intersectChunks(reader, bySize, chunks, skip, max);
      let documents = gather(reader, smallest, chunks);
      for (const union of others) documents = keepMembers(reader, documents, union);
      return { documents: documents.slice(skip, skip + max), total: documents.length };
    },
    contains: (unions, document) => {
      const one = Uint32Array.of(document);
      return unions.every((union) => keepMembers(reader, one.slice(), union).length > 0);
    },
  };
}

/** Reads chunks of long lists: rows come in one buffer that the next read overwrites. */
class ChunkReader {
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

export function lowerBound(sorted: Uint32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** All documents of a union, ascending. */
function gather(reader: ChunkReader, union: Union, chunks: number): Uint32Array {
  const [only] = union;
  if (union.length === 1 && only?.documents) return only.documents;
  const all = new Uint32Array(sizeOf(union));
  let length = 0;
  for (const list of union) {
    if (list.documents !== null) {
      all.set(list.documents, length);
      length += list.documents.length;
      continue;
    }
    for (let chunk = 0; chunk < chunks; chunk++)
      length = appendChunk(all, length, reader.row(list, chunk), chunk);
  }
  return sortedUnique(all.subarray(0, length));
}

function appendChunk(all: Uint32Array, from: number, row: Buffer | undefined, chunk: number): number {
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

/** Those of the documents that any list of the union has. */
function keepMembers(reader: ChunkReader, documents: Uint32Array, union: Union): Uint32Array {
  const member = new Uint8Array(documents.length);
  for (const list of union) {
    if (list.documents !== null) markCommon(member, documents, list.documents);
    else markInChunks(member, documents, list, reader);
  }
  const kept = new Uint32Array(documents.length);
  let length = 0;
  for (let i = 0; i < documents.length; i++) if (member[i] === 1) kept[length++] = documents[i] ?? 0;
  return kept.subarray(0, length);
}

/** Walks the shorter array and gallops through the longer. */
function markCommon(member: Uint8Array, documents: Uint32Array, others: Uint32Array): void {
  const documentsShorter = documents.length < others.length;
  const short = documentsShorter ? documents : others;
  const long = documentsShorter ? others : documents;
  let at = 0;
  for (let i = 0; i < short.length && at < long.length; i++) {
    const value = short[i] ?? 0;
    at = gallop(long, at, value);
    if (long[at] === value) member[documentsShorter ? i : at] = 1;
  }
}

/** First position from `from` whose value is not below: doubling steps, then halving. */
function gallop(sorted: Uint32Array, from: number, value: number): number {
  let step = 1;
  let low = from;
  let high = from;
  while (high < sorted.length && (sorted[high] ?? 0) < value) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  if (high > sorted.length) high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function markInChunks(
  member: Uint8Array,
  documents: Uint32Array,
  list: DocumentList,
  reader: ChunkReader,
): void {
  let i = 0;
  while (i < documents.length) {
    const chunk = (documents[i] ?? 0) >>> chunkBits;
    const row = reader.row(list, chunk);
    for (; i < documents.length && (documents[i] ?? 0) >>> chunkBits === chunk; i++) {
      if (row !== undefined && isInChunk(row, (documents[i] ?? 0) & (chunkDocuments - 1))) member[i] = 1;
    }
  }
}

function isInChunk(row: Buffer, bit: number): boolean {
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

const unionWords = new Uint32Array(chunkWords);
const commonWords = new Uint32Array(chunkWords);

/** All unions are large: bitmaps, chunk by chunk, so that memory and time do not depend on how many hits there are. */
function intersectChunks(
  reader: ChunkReader,
  unions: readonly Union[],
  chunks: number,
  skip: number,
  max: number,
): Intersection {
  const taken = new Uint32Array(Math.min(max, sizeOf(unions[0] ?? [])));
  let length = 0;
  let total = 0;
  for (let chunk = 0; chunk < chunks; chunk++) {
    commonWords.fill(0xffffffff);
    for (const union of unions) {
      unionWords.fill(0);
      for (const list of union) reader.addTo(unionWords, list, chunk);
      for (let i = 0; i < chunkWords; i++) commonWords[i] = (commonWords[i] ?? 0) & (unionWords[i] ?? 0);
    }
    const count = populationOf(commonWords);
    if (total + count > skip && length < taken.length) {
      length = takeBits(taken, length, commonWords, chunk, skip - total);
    }
    total += count;
  }
  return { documents: taken.subarray(0, length), total };
}

function populationOf(words: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < words.length; i++) {
    let word = words[i] ?? 0;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** @returns how many are taken now */
function takeBits(taken: Uint32Array, from: number, words: Uint32Array, chunk: number, skip: number): number {
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
