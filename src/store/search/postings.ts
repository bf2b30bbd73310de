/** Which documents have a term: gathered by counting, packed, and read back. */
import { type Appendable, append } from '../../lmdb.ts';
import { ByteWriter } from './bytes.ts';
import type { Collection } from './collection.ts';
import { chunkBits, chunkDocuments, chunkWords, listedDocumentsMax } from './format.ts';

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
  return frequency <= listedDocumentsMax ? 1 : Math.ceil(documents / chunkDocuments);
}

const writer = new ByteWriter();

/** Writes one list that is too long to stand beside its term. */
export function appendList(table: Appendable<Buffer>, list: number, documents: Uint32Array): void {
  if (documents.length <= listedDocumentsMax) {
    writer.clear();
    writeDeltas(writer, documents);
    append(table, list, writer.view());
    return;
  }
  let from = 0;
  while (from < documents.length) {
    const chunk = (documents[from] ?? 0) >>> chunkBits;
    let to = from;
    while (to < documents.length && (documents[to] ?? 0) >>> chunkBits === chunk) to++;
    append(table, list + chunk, packChunk(documents.subarray(from, to)));
    from = to;
  }
}

/** A bitmap of 8 kB where a list would be longer. */
function packChunk(documents: Uint32Array): Buffer {
  if (documents.length * 2 < chunkWords * 4) {
    const list = Uint16Array.from(documents, (document) => document & (chunkDocuments - 1));
    return Buffer.from(list.buffer);
  }
  const words = new Uint32Array(chunkWords);
  for (const document of documents) {
    const bit = document & (chunkDocuments - 1);
    words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }
  return Buffer.from(words.buffer);
}
