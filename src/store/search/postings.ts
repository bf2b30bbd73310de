/** Which documents have a term: gathered by counting, packed, and read back. */
import { lowerBound } from '../../bytes/binary-search.ts';
import { ByteWriter } from '../../bytes/byte-writer.ts';
import { readVarint } from '../../bytes/varint.ts';
import { type Appendable, append } from '../../lmdb.ts';
import type { Collection } from './collection.ts';
import { chunkDocuments, chunksPerRow, chunkWords, listedDocumentsMax } from './format.ts';
import { searchLimits } from './limits.ts';

export interface Postings {
  /** How many documents a term has. */
  readonly frequencies: Uint32Array;
  /** Where a term's documents begin in `documents`. */
  readonly starts: Uint32Array;
  /** For each term in order its documents in ascending order. */
  readonly documents: Uint32Array;
}

/** Terms of one company: of all its names, as many as may have them, and its filters. */
const companyTerms = new Uint32Array(searchLimits.namesPerDocumentMax * searchLimits.termsPerNameMax + 2);

/** Reads companies in order of rank, each of their terms once. */
class TermsOfDocuments {
  /** The document that last had each term, + 1. */
  private readonly last: Uint32Array;
  private length = 0;
  private readonly collection: Collection;
  private readonly ids: Uint32Array;
  private readonly order: Uint32Array;

  constructor(collection: Collection, ids: Uint32Array, order: Uint32Array) {
    this.collection = collection;
    this.ids = ids;
    this.order = order;
    this.last = new Uint32Array(ids.length);
  }

  /** Leaves the document's terms, filters included, in {@link companyTerms}. @returns how many */
  read(document: number): number {
    const { sequence, starts, countries, statuses } = this.collection;
    const company = this.order[document] ?? 0;
    this.length = 0;
    let at = starts.at(company);
    const names = sequence.at(at++);
    for (let name = 0; name < names; name++) {
      const end = at + 1 + (sequence.at(at) & 0xffff);
      for (at++; at < end; at++) this.take(sequence.at(at), document);
    }
    if (countries.at(company) > 0) this.take(countries.at(company) - 1, document);
    if (statuses.at(company) > 0) this.take(statuses.at(company) - 1, document);
    return this.length;
  }

  private take(provisional: number, document: number): void {
    const id = this.ids[provisional] ?? 0;
    if (this.last[id] === document + 1) return;
    this.last[id] = document + 1;
    companyTerms[this.length++] = id;
  }
}

/** Two passes over all names in rank order: one counts, one places. No sorting is needed. */
export function gatherPostings(collection: Collection, ids: Uint32Array, order: Uint32Array): Postings {
  const frequencies = new Uint32Array(ids.length);
  const counted = new TermsOfDocuments(collection, ids, order);
  for (let document = 0; document < order.length; document++) {
    const terms = counted.read(document);
    for (let i = 0; i < terms; i++) {
      const id = companyTerms[i] ?? 0;
      frequencies[id] = (frequencies[id] ?? 0) + 1;
    }
  }
  const starts = new Uint32Array(ids.length + 1);
  for (let id = 0; id < ids.length; id++) starts[id + 1] = (starts[id] ?? 0) + (frequencies[id] ?? 0);
  const documents = new Uint32Array(starts[ids.length] ?? 0);
  const ends = starts.slice(0, ids.length);
  const placed = new TermsOfDocuments(collection, ids, order);
  for (let document = 0; document < order.length; document++) {
    const terms = placed.read(document);
    for (let i = 0; i < terms; i++) {
      const id = companyTerms[i] ?? 0;
      const end = ends[id] ?? 0;
      documents[end] = document;
      ends[id] = end + 1;
    }
  }
  return { frequencies, starts, documents };
}

/** Appends ascending numbers as differences. */
export function writeDeltas(writer: ByteWriter, documents: Uint32Array): void {
  let before = 0;
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i] ?? 0;
    writer.varint(document - before);
    before = document;
  }
}

/** Reads `count` differences from `at`. */
export function readDeltas(bytes: Uint8Array, at: number, count: number): Uint32Array {
  const documents = new Uint32Array(count);
  const cursor = { bytes, at };
  let document = 0;
  for (let i = 0; i < count; i++) {
    document += readVarint(cursor);
    documents[i] = document;
  }
  return documents;
}

/** How many rows a list takes in the table of postings. */
export function rowsOfList(frequency: number, documents: number): number {
  if (frequency <= listedDocumentsMax) return 1;
  return Math.ceil(documents / chunkDocuments / chunksPerRow(frequency, documents));
}

const writer = new ByteWriter();

/**
 * Writes one list that is too long to stand beside its term.
 * @param documents how many there are in the index
 */
export function appendList(table: Appendable, list: number, of: Uint32Array, documents: number): void {
  if (of.length <= listedDocumentsMax) {
    writer.clear();
    writeDeltas(writer, of);
    append(table, list, writer.view());
    return;
  }
  const perRow = chunksPerRow(of.length, documents);
  let from = 0;
  while (from < of.length) {
    const row = Math.floor((of[from] ?? 0) / chunkDocuments / perRow);
    const to = from + lowerBound(of.subarray(from), (row + 1) * perRow * chunkDocuments);
    writer.clear();
    if (perRow === 1) packChunk(of.subarray(from, to));
    else packChunks(of.subarray(from, to), row * perRow, perRow);
    append(table, list + row, writer.view());
    from = to;
  }
}

/** Several chunks: the bytes of each, then one after the other. */
function packChunks(of: Uint32Array, first: number, chunks: number): void {
  for (let part = 0; part < chunks; part++) writer.uint16(0);
  let from = 0;
  for (let part = 0; part < chunks && from < of.length; part++) {
    const to = from + lowerBound(of.subarray(from), (first + part + 1) * chunkDocuments);
    const start = writer.length;
    packChunk(of.subarray(from, to));
    writer.setUint16(part * 2, writer.length - start);
    from = to;
  }
}

const chunkBitmap = new Uint32Array(chunkWords);

/** A bitmap of 8 kB where a list would be longer. */
function packChunk(of: Uint32Array): void {
  if (of.length * 2 < chunkWords * 4) {
    for (let i = 0; i < of.length; i++) writer.uint16((of[i] ?? 0) & (chunkDocuments - 1));
    return;
  }
  chunkBitmap.fill(0);
  for (let i = 0; i < of.length; i++) {
    const bit = (of[i] ?? 0) & (chunkDocuments - 1);
    chunkBitmap[bit >>> 5] = (chunkBitmap[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }
  for (const word of chunkBitmap) writer.uint32(word);
}
