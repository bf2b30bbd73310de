/**
 * Defines lists of documents and unions of lists: the documents of a term, a word or a filter. Stores short ones as
 * differences: ascending numbers, each as a varint of its distance to the last.
 */
import type { ByteWriter } from '../../../bytes/byte-writer.ts';

/** The documents of one term, or a set that is in memory already. */
export interface DocumentList {
  readonly frequency: number;
  /** All of them, ascending; null for a list that nobody has read yet, or that is too long to hold. */
  documents: Uint32Array | null;
  /** First row of a stored list. */
  readonly list: number;
  /** Id of the word or form, which the names of the documents have; null for a set or a filter. */
  readonly term: number | null;
}

/** Documents in any of the lists. */
export type Union = readonly DocumentList[];

/** @param documents ascending */
export function setOf(documents: Uint32Array): DocumentList {
  return { frequency: documents.length, documents, list: 0, term: null };
}

/** The sum of the lists' lengths: a document in several of them counts several times. */
export function sizeOf(union: Union): number {
  let size = 0;
  for (const list of union) size += list.frequency;
  return size;
}

/** The same union with the list of each term once. */
export function withoutRepeats(union: Union): Union {
  const seen = new Set<number>();
  return union.filter(({ term }) => {
    if (term === null) return true;
    const isNew = !seen.has(term);
    seen.add(term);
    return isNew;
  });
}

/** Documents that several unions have in common. */
export interface Intersection {
  /** The first documents in order of rank, at most as many as requested. */
  readonly documents: Uint32Array;
  /** The total; if counting stopped early, at least `enough`. */
  readonly total: number;
  /** Count of the documents that are not duplicates of other records. In order of rank they come first. */
  readonly kept: number;
}

export function writeDeltas(writer: ByteWriter, documents: Uint32Array): void {
  let before = 0;
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i] ?? 0;
    writer.varint(document - before);
    before = document;
  }
}

/** Reads a list of `count` documents that begins at `from`. */
export function readDeltas(bytes: Uint8Array, from: number, count: number): Uint32Array {
  const documents = new Uint32Array(count);
  let at = from;
  let document = 0;
  for (let i = 0; i < count; i++) {
    // A loop of its own: readVarint would need a call and a cursor for each of thousands.
    let byte = bytes[at++] ?? 0;
    let difference = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] ?? 0;
      difference |= (byte & 127) << shift;
    }
    document += difference;
    documents[i] = document;
  }
  return documents;
}
