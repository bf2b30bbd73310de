/**
 * Sets of documents and what is done with them: unions of terms, intersected. A set of few documents is a sorted
 * array; a large one is never held whole but met chunk by chunk (65,536 documents, a bitmap of 8 kB).
 */
import {
  appendChunk,
  ChunkReader,
  type DocumentList,
  isInChunk,
  populationOf,
  sizeOf,
  takeBits,
  type Union,
} from './chunks.ts';
import { chunkBits, chunkDocuments, chunkWords, listedDocumentsMax, type SearchTables } from './format.ts';
import { readDeltas } from './postings.ts';
import { markCommon, sortedUnique } from './sorted.ts';
import type { Term } from './term-reader.ts';

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
