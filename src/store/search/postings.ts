/** Which documents have a term: gathered by counting, packed, and read back. */
import { type Appendable, append } from '../../lmdb.ts';
import { ByteWriter } from './bytes.ts';
import type { Collection } from './collection.ts';
import { chunkDocuments, chunksPerRow, chunkWords, listedDocumentsMax } from './format.ts';
import { lowerBound } from './sorted.ts';

export interface Postings {
  /** How many documents a term has. */
  readonly frequencies: Uint32Array;
  /** Where a term's documents begin in `documents`. */
  readonly starts: Uint32Array;
  /** For each term in order its documents in ascending order. */
  readonly documents: Uint32Array;
}

/** Calls once for each different term of the company, filters included. */
function eachTerm(
  collection: Collection,
  ids: Uint32Array,
  company: number,
  visit: (id: number) => void,
): void {
  const { sequence } = collection;
  let at = collection.starts.at(company);
  const names = sequence.at(at++);
  for (let name = 0; name < names; name++) {
    const end = at + 1 + (sequence.at(at) & 0xffff);
    for (at++; at < end; at++) visit(ids[sequence.at(at)] ?? 0);
  }
  const country = collection.countries.at(company);
  if (country > 0) visit(ids[country - 1] ?? 0);
  const status = collection.statuses.at(company);
  if (status > 0) visit(ids[status - 1] ?? 0);
}

/** Two passes over all names in rank order: one counts, one places. No sorting is needed. */
export function gatherPostings(collection: Collection, ids: Uint32Array, order: Uint32Array): Postings {
  const frequencies = new Uint32Array(ids.length);
  // The document that last had the term, + 1: a company that has it twice counts once.
  const last = new Uint32Array(ids.length);
  order.forEach((company, document) => {
    eachTerm(collection, ids, company, (id) => {
      if (last[id] === document + 1) return;
      last[id] = document + 1;
      frequencies[id] = (frequencies[id] ?? 0) + 1;
    });
  });
  const starts = new Uint32Array(ids.length + 1);
  for (let id = 0; id < ids.length; id++) starts[id + 1] = (starts[id] ?? 0) + (frequencies[id] ?? 0);
  const documents = new Uint32Array(starts[ids.length] ?? 0);
  const ends = starts.slice(0, ids.length);
  last.fill(0);
  order.forEach((company, document) => {
    eachTerm(collection, ids, company, (id) => {
      if (last[id] === document + 1) return;
      last[id] = document + 1;
      const end = ends[id] ?? 0;
      documents[end] = document;
      ends[id] = end + 1;
    });
  });
  return { frequencies, starts, documents };
}

/** Appends ascending numbers as differences. */
export function writeDeltas(writer: ByteWriter, documents: Uint32Array): void {
  let before = 0;
  for (const document of documents) {
    writer.varint(document - before);
    before = document;
  }
}

/** Reads `count` differences from `at`. */
export function readDeltas(bytes: Uint8Array, at: number, count: number): Uint32Array {
  const documents = new Uint32Array(count);
  let offset = at;
  let document = 0;
  for (let i = 0; i < count; i++) {
    let byte = bytes[offset++] ?? 0;
    let delta = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[offset++] ?? 0;
      delta |= (byte & 127) << shift;
    }
    document += delta;
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
    for (const document of of) writer.uint16(document & (chunkDocuments - 1));
    return;
  }
  chunkBitmap.fill(0);
  for (const document of of) {
    const bit = document & (chunkDocuments - 1);
    chunkBitmap[bit >>> 5] = (chunkBitmap[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }
  for (const word of chunkBitmap) writer.uint32(word);
}
