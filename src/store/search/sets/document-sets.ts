/**
 * Intersects sets of documents, which are unions of terms. A small set is a sorted array; a large one is processed
 * chunk by chunk (chunk-walk.ts).
 */
import { lowerBound } from '../../../bytes/binary-search.ts';
import {
  chunkBits,
  chunkDocuments,
  duplicatesFromOf,
  type IndexShape,
  type SearchTables,
} from '../format.ts';
import { DocumentTerms } from '../index/document-terms.ts';
import type { Term } from '../index/term-blocks.ts';
import type { TimeLimit } from '../time-limit.ts';
import { ListReader } from './chunk-reader.ts';
import { almostAllInChunks, intersectChunks, wholeList } from './chunk-walk.ts';
import { type DocumentList, type Intersection, sizeOf, type Union } from './document-list.ts';
import { joinedUnique, markCommon, merged } from './sorted.ts';

export interface DocumentSets {
  /** The documents of a word or form. */
  listOf(term: Term): DocumentList;
  /** The documents of a country or status. */
  filterOf(term: Term): DocumentList;
  /**
   * Documents in every union.
   * @param skip how many of the first documents to leave out
   * @param max how many documents to return at most; the total counts all
   * @param enough the total at which counting may stop
   */
  intersect(unions: readonly Union[], skip: number, max: number, enough?: number): Intersection;
  /**
   * Documents in every union except at most one.
   * @param mayLack for each union whether it is optional
   */
  almostAll(unions: readonly Union[], mayLack: readonly boolean[]): Uint32Array;
  /** Those of the documents (ascending) that are in every union. */
  members(unions: readonly Union[], documents: Uint32Array): Uint32Array;
  /** The ids of all terms of all names of a document. */
  termsOf(document: number): readonly number[];
}

/** A union of at most this many documents is collected in one array, and the others are asked about each of them. */
const gatheredDocumentsMax = 20_000;

export function openDocumentSets(
  tables: Pick<SearchTables, 'postings' | 'names'>,
  shape: Pick<IndexShape, 'places' | 'gradeStarts'>,
  timeLimit: TimeLimit,
): DocumentSets {
  const duplicatesFrom = duplicatesFromOf(shape);
  const chunks = Math.ceil(shape.places / chunkDocuments);
  const lists = new ListReader(tables, shape.places, timeLimit);
  const reader: ListsAndNames = { lists, names: new DocumentTerms(tables, timeLimit) };
  return {
    listOf: ({ id, frequency, inline, list }) => ({ frequency, documents: inline, list, term: id }),
    filterOf: ({ frequency, inline, list }) => ({ frequency, documents: inline, list, term: null }),
    intersect: (unions, skip, max, enough = Number.POSITIVE_INFINITY) => {
      timeLimit.largeStep();
      const bySize = [...unions].sort((a, b) => sizeOf(a) - sizeOf(b));
      const [smallest = [], ...others] = bySize;
      const [list] = smallest;
      const isAlone = others.length === 0 && smallest.length === 1 && list !== undefined && skip === 0;
      if (isAlone && lists.documentsOf(list) === null) {
        return wholeList(lists, list, { chunks, duplicatesFrom, skip, max, enough });
      }
      if (sizeOf(smallest) > gatheredDocumentsMax) {
        return intersectChunks(lists, bySize, { chunks, duplicatesFrom, skip, max, enough });
      }
      let documents = gather(lists, smallest);
      for (const union of others) {
        timeLimit.largeStep();
        documents = keepMembers(reader, documents, union);
      }
      return {
        documents: skip === 0 && max >= documents.length ? documents : documents.slice(skip, skip + max),
        total: documents.length,
        kept: lowerBound(documents, duplicatesFrom),
      };
    },
    almostAll: (unions, mayLack) => {
      timeLimit.largeStep();
      return almostAll(reader, unions, mayLack, chunks);
    },
    members: (unions, documents) => {
      timeLimit.largeStep();
      return unions.reduce((members, union) => keepMembers(reader, members, union), documents);
    },
    termsOf: (document) => reader.names.of(document),
  };
}

/** Reads lists of documents, and the terms of documents. */
interface ListsAndNames {
  readonly lists: ListReader;
  readonly names: DocumentTerms;
}

/** All documents of a union, ascending. */
function gather(reader: ListReader, union: Union): Uint32Array {
  const listed = union.flatMap((list) => reader.documentsOf(list) ?? []);
  // Many short lists are sorted together; long ones are merged in.
  let all = listed.length < 3 ? listed.reduce(merged, new Uint32Array(0)) : joinedUnique(listed);
  for (const list of union) if (list.documents === null) all = merged(all, reader.readWhole(list));
  return all;
}

/** Those of the documents that any list of the union has. */
function keepMembers(reader: ListsAndNames, documents: Uint32Array, union: Union): Uint32Array {
  return documents.length === 0 ? documents : marked(documents, membership(reader, documents, union));
}

/** For each document 1 if any list of the union has it. */
function membership({ lists, names }: ListsAndNames, documents: Uint32Array, union: Union): Uint8Array {
  if (documents.length <= unreadListsOf(union)) return membershipByNames(names, documents, union);
  const member = new Uint8Array(documents.length);
  for (const list of union) {
    const all = lists.documentsOf(list);
    if (all !== null) markCommon(member, documents, all);
    else markInChunks(member, documents, list, lists);
  }
  return member;
}

/** How many reads of lists the names of documents may save: 0 if they do not tell whether a list has a document. */
function unreadListsOf(union: Union): number {
  let unread = 0;
  for (const { documents, term } of union) {
    if (documents !== null) continue;
    if (term === null) return 0;
    unread++;
  }
  return unread;
}

/** The same by the names of the documents: a few of them are read faster than many lists. */
function membershipByNames(names: DocumentTerms, documents: Uint32Array, union: Union): Uint8Array {
  const member = new Uint8Array(documents.length);
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i] ?? 0;
    const terms = names.of(document);
    const has = ({ term, documents: all }: DocumentList) =>
      term === null ? all !== null && all[lowerBound(all, document)] === document : terms.includes(term);
    if (union.some(has)) member[i] = 1;
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
  reader: ListReader,
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

/** Documents in every union except at most one, which must be an optional one. */
function almostAll(
  reader: ListsAndNames,
  unions: readonly Union[],
  mayLack: readonly boolean[],
  chunks: number,
): Uint32Array {
  const bySize = unions.map((union, i) => ({ union, mayLack: mayLack[i] ?? false }));
  bySize.sort((a, b) => sizeOf(a.union) - sizeOf(b.union));
  // A document that lacks one of the two smallest unions has the other.
  const smallest = bySize.slice(0, 2).map(({ union }) => union);
  if (smallest.reduce((sum, union) => sum + sizeOf(union), 0) > gatheredDocumentsMax) {
    return almostAllInChunks(reader.lists, bySize, chunks);
  }
  let documents = smallest.map((union) => gather(reader.lists, union)).reduce(merged, new Uint32Array(0));
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
