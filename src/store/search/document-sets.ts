/**
 * Sets of documents and what is done with them: unions of terms, intersected. A set of few documents is a sorted
 * array; a large one is never held whole but met chunk by chunk (65,536 documents, a bitmap of 8 kB).
 */
import { lowerBound } from '../../bytes/binary-search.ts';
import { ChunkReader, type DocumentList, populationOf, sizeOf, takeBits, type Union } from './chunks.ts';
import { chunkBits, chunkDocuments, chunkWords, listedDocumentsMax, type SearchTables } from './format.ts';
import { readDeltas } from './postings.ts';
import { joined, joinedUnique, markCommon, merged } from './sorted.ts';
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
  /**
   * Documents in every union but at most one.
   * @param mayLack for each union whether it may be the one
   */
  almostAll(unions: readonly Union[], mayLack: readonly boolean[]): Uint32Array;
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
      const [list] = smallest;
      if (others.length === 0 && smallest.length === 1 && list?.documents === null && skip === 0) {
        return wholeList(reader, list, { chunks, duplicatesFrom, skip, max, enough });
      }
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
    almostAll: (unions, mayLack) => almostAll(reader, unions, mayLack, chunks),
    members: (unions, documents) =>
      unions.reduce((members, union) => keepMembers(reader, members, union), documents),
  };
}

/** All documents of a union, ascending. */
function gather(reader: ChunkReader, union: Union, chunks: number): Uint32Array {
  const listed = union.flatMap(({ documents }) => (documents === null ? [] : [documents]));
  // Many short lists are sorted together; long ones are merged in.
  let all = listed.length < 3 ? listed.reduce(merged, new Uint32Array(0)) : joinedUnique(listed);
  for (const list of union) if (list.documents === null) all = merged(all, readWhole(reader, list, chunks));
  return all;
}

function readWhole(reader: ChunkReader, list: DocumentList, chunks: number): Uint32Array {
  const all = new Uint32Array(list.frequency);
  reader.open(list);
  let length = 0;
  for (let chunk = 0; chunk < chunks; chunk++) {
    reader.enter(chunk);
    length = reader.appendTo(all, length, chunk);
  }
  return all;
}

/** The documents of one long list alone: how many is known, and no more are read than are wanted. */
function wholeList(reader: ChunkReader, list: DocumentList, walk: ChunkWalk): Intersection {
  const { chunks, duplicatesFrom, max } = walk;
  const total = list.frequency;
  const taken = new Uint32Array(Math.min(max, total));
  reader.open(list);
  let length = 0;
  for (let chunk = 0; chunk < chunks && length < taken.length; chunk++) {
    reader.enter(chunk);
    // What does not fit in is left out.
    length = Math.min(taken.length, reader.appendTo(taken, length, chunk));
  }
  let kept = total;
  for (let chunk = duplicatesFrom >>> chunkBits; chunk < chunks; chunk++) {
    commonWords.fill(0);
    reader.addTo(commonWords, list, chunk);
    const count = populationOf(commonWords);
    kept -= count - populationBelow(commonWords, duplicatesFrom - (chunk << chunkBits), count);
  }
  return { documents: taken, total, kept };
}

/** Those of the documents that any list of the union has. */
function keepMembers(reader: ChunkReader, documents: Uint32Array, union: Union): Uint32Array {
  return marked(documents, membership(reader, documents, union));
}

/** For each document 1 where any list of the union has it. */
function membership(reader: ChunkReader, documents: Uint32Array, union: Union): Uint8Array {
  const member = new Uint8Array(documents.length);
  for (const list of union) {
    if (list.documents !== null) markCommon(member, documents, list.documents);
    else markInChunks(member, documents, list, reader);
  }
  return member;
}

function marked(documents: Uint32Array, marks: Uint8Array): Uint32Array {
  let count = 0;
  for (let i = 0; i < marks.length; i++) count += marks[i] ?? 0;
  const kept = new Uint32Array(count);
  let length = 0;
  for (let i = 0; length < count; i++) if (marks[i] === 1) kept[length++] = documents[i] ?? 0;
  return kept;
}

function markInChunks(
  member: Uint8Array,
  documents: Uint32Array,
  list: DocumentList,
  reader: ChunkReader,
): void {
  reader.open(list);
  let end = 0;
  for (let first = 0; first < documents.length; first = end) {
    const chunk = (documents[first] ?? 0) >>> chunkBits;
    while (end < documents.length && (documents[end] ?? 0) >>> chunkBits === chunk) end++;
    reader.enter(chunk);
    reader.mark(member, documents, first, end);
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
    let left = 0;
    for (let i = 0; i < chunkWords; i++) {
      const word = (commonWords[i] ?? 0) & (unionWords[i] ?? 0);
      commonWords[i] = word;
      left |= word;
    }
    // The lists of further words need not be read where nobody is left.
    if (left === 0) return;
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

/** Documents in every union but at most one, which must be one that may be lacking. */
function almostAll(
  reader: ChunkReader,
  unions: readonly Union[],
  mayLack: readonly boolean[],
  chunks: number,
): Uint32Array {
  const bySize = unions.map((union, i) => ({ union, mayLack: mayLack[i] ?? false }));
  bySize.sort((a, b) => sizeOf(a.union) - sizeOf(b.union));
  // Whoever lacks one of the two smallest has the other.
  const smallest = bySize.slice(0, 2).map(({ union }) => union);
  if (smallest.reduce((sum, union) => sum + sizeOf(union), 0) > gatheredDocumentsMax) {
    return almostAllInChunks(reader, bySize, chunks);
  }
  let documents = smallest.map((union) => gather(reader, union, chunks)).reduce(merged, new Uint32Array(0));
  let lacking = new Uint8Array(documents.length);
  for (const { union, mayLack: may } of bySize) {
    const member = membership(reader, documents, union);
    for (let i = 0; i < member.length; i++)
      lacking[i] = (lacking[i] ?? 0) + (member[i] === 1 ? 0 : may ? 1 : 2);
    const left = lacking.map((lacks) => (lacks < 2 ? 1 : 0));
    documents = marked(documents, left);
    lacking = lacking.filter((lacks) => lacks < 2);
  }
  return documents;
}

interface PossiblyLacking {
  readonly union: Union;
  readonly mayLack: boolean;
}

const lackingWords = new Uint32Array(chunkWords);

function almostAllInChunks(
  reader: ChunkReader,
  unions: readonly PossiblyLacking[],
  chunks: number,
): Uint32Array {
  const found: Uint32Array[] = [];
  for (let chunk = 0; chunk < chunks; chunk++) {
    // As if every document of the chunk had all unions so far.
    commonWords.fill(0xffffffff);
    lackingWords.fill(0);
    for (const { union, mayLack } of unions) {
      unionWords.fill(0);
      for (const list of union) reader.addTo(unionWords, list, chunk);
      if (!takeAway(mayLack)) break;
    }
    for (let i = 0; i < chunkWords; i++) commonWords[i] = (commonWords[i] ?? 0) | (lackingWords[i] ?? 0);
    const documents = new Uint32Array(populationOf(commonWords));
    takeBits(documents, 0, commonWords, chunk, 0);
    found.push(documents);
  }
  return joined(found);
}

/**
 * Documents that the union lacks go from those that have all to those that lack one, or away.
 * @returns whether any is left
 */
function takeAway(mayLack: boolean): boolean {
  let left = 0;
  for (let i = 0; i < chunkWords; i++) {
    const has = unionWords[i] ?? 0;
    const common = commonWords[i] ?? 0;
    const lacking = ((lackingWords[i] ?? 0) & has) | (mayLack ? common & ~has : 0);
    lackingWords[i] = lacking;
    commonWords[i] = common & has;
    left |= lacking | (common & has);
  }
  return left !== 0;
}
