/**
 * Sets of documents and what is done with them: unions of terms, intersected. A set of few documents is a sorted
 * array; a large one is never held whole but met chunk by chunk (65,536 documents, a bitmap of 8 kB).
 */
import { ChunkReader, type DocumentList, populationOf, sizeOf, takeBits, type Union } from './chunks.ts';
import { chunkBits, chunkDocuments, chunkWords, listedDocumentsMax, type SearchTables } from './format.ts';
import { readDeltas } from './postings.ts';
import { lowerBound, markCommon, sortedUnique } from './sorted.ts';
import type { Term } from './term-reader.ts';

export interface Intersection {
  /** The first documents in order of rank, at most as many as asked for. */
  readonly documents: Uint32Array;
  /** How many there are in all; where the count was stopped early, at least as many as were enough. */
  readonly total: number;
  /** How many of the total are no duplicates: they come before those in order of rank. */
  readonly kept: number;
}

export interface DocumentSets {
  listOf(term: Term): DocumentList;
  /**
   * Documents in every union.
   * @param skip how many of the first to leave out
   * @param max how many to give at most; the total counts on
   * @param enough the total at which counting may stop
   */
  intersect(unions: readonly Union[], skip: number, max: number, enough?: number): Intersection;
  /** Those of the documents (ascending) that are in every union. */
  members(unions: readonly Union[], documents: Uint32Array): Uint32Array;
}

/** A union of fewer documents than this is gathered in one array and the others are asked about each. */
const gatheredDocumentsMax = 20_000;

/** @param duplicatesFrom first document that is a duplicate of another record */
export function openDocumentSets(
  tables: SearchTables,
  documentCount: number,
  duplicatesFrom: number,
): DocumentSets {
  const chunks = Math.ceil(documentCount / chunkDocuments);
  const reader = new ChunkReader(tables, documentCount);
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
    intersect: (unions, skip, max, enough = Number.POSITIVE_INFINITY) => {
      const bySize = [...unions].sort((a, b) => sizeOf(a) - sizeOf(b));
      const [smallest = [], ...others] = bySize;
      if (sizeOf(smallest) > gatheredDocumentsMax) {
        return intersectChunks(reader, bySize, { chunks, duplicatesFrom, skip, max, enough });
      }
      let documents = gather(reader, smallest, chunks);
      for (const union of others) documents = keepMembers(reader, documents, union);
      return {
        documents: skip === 0 && max >= documents.length ? documents : documents.slice(skip, skip + max),
        total: documents.length,
        kept: lowerBound(documents, duplicatesFrom),
      };
    },
    members: (unions, documents) =>
      unions.reduce((members, union) => keepMembers(reader, members, union), documents),
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
    reader.open(list);
    for (let chunk = 0; chunk < chunks; chunk++) {
      reader.enter(chunk);
      length = reader.appendTo(all, length, chunk);
    }
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
  let count = 0;
  for (let i = 0; i < member.length; i++) count += member[i] ?? 0;
  const kept = new Uint32Array(count);
  let length = 0;
  for (let i = 0; length < count; i++) if (member[i] === 1) kept[length++] = documents[i] ?? 0;
  return kept;
}

function markInChunks(
  member: Uint8Array,
  documents: Uint32Array,
  list: DocumentList,
  reader: ChunkReader,
): void {
  reader.open(list);
  let chunk = -1;
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i] ?? 0;
    if (document >>> chunkBits !== chunk) {
      chunk = document >>> chunkBits;
      reader.enter(chunk);
    }
    if (reader.has(document & (chunkDocuments - 1))) member[i] = 1;
  }
}

const unionWords = new Uint32Array(chunkWords);
const commonWords = new Uint32Array(chunkWords);

interface ChunkWalk {
  readonly chunks: number;
  readonly duplicatesFrom: number;
  readonly skip: number;
  readonly max: number;
  readonly enough: number;
}

/** All unions are large: bitmaps, chunk by chunk, so that memory and time do not depend on how many hits there are. */
function intersectChunks(
  reader: ChunkReader,
  unions: readonly Union[],
  { chunks, duplicatesFrom, skip, max, enough }: ChunkWalk,
): Intersection {
  const taken = new Uint32Array(Math.min(max, sizeOf(unions[0] ?? [])));
  let length = 0;
  let total = 0;
  let kept = 0;
  for (let chunk = 0; chunk < chunks && total < enough; chunk++) {
    intersectChunk(reader, unions, chunk);
    const count = populationOf(commonWords);
    if (total + count > skip && length < taken.length) {
      length = takeBits(taken, length, commonWords, chunk, skip - total);
    }
    total += count;
    kept += populationBelow(commonWords, duplicatesFrom - (chunk << chunkBits), count);
  }
  return { documents: taken.subarray(0, length), total, kept };
}

/** Leaves the documents of the chunk that are in every union in {@link commonWords}. */
function intersectChunk(reader: ChunkReader, unions: readonly Union[], chunk: number): void {
  const [first, ...others] = unions;
  commonWords.fill(0);
  for (const list of first ?? []) reader.addTo(commonWords, list, chunk);
  for (const union of others) {
    unionWords.fill(0);
    for (const list of union) reader.addTo(unionWords, list, chunk);
    for (let i = 0; i < chunkWords; i++) commonWords[i] = (commonWords[i] ?? 0) & (unionWords[i] ?? 0);
  }
}

/** How many bits are set below a position, which may lie outside the chunk. */
function populationBelow(words: Uint32Array, position: number, all: number): number {
  if (position >= chunkDocuments) return all;
  if (position <= 0) return 0;
  const whole = position >>> 5;
  const rest = (words[whole] ?? 0) & ((1 << (position & 31)) - 1);
  return populationOf(words.subarray(0, whole)) + populationOf(Uint32Array.of(rest));
}
