/**
 * Defines the format of the search index, for its writers and its readers.
 *
 * Documents are companies, numbered from 0 in order of rank: live registrations first, then the number of children,
 * then LEI. Some numbers are free, so that a delta can put companies between others (build/room.ts). Terms are numbered
 * in alphabetical order of their UTF-16 units, so that a beginning is a range; those that a delta brings get the next
 * numbers and are in separate tables. A term that no name has any more keeps its number without documents.
 *
 * Most rows are in a row file beside the environment (row-file/layout.ts), because a question reads a hundred of them:
 *
 *     terms              block → 64 terms, front coded, each with its count and (up to 12) its documents
 *     postings           list → deltas of up to 4,096 documents; longer lists are cut into chunks of 65,536 documents,
 *                        each a sorted list of 16-bit numbers or a bitmap, whichever is smaller; a row holds one
 *                        chunk, or several of a thin list: first the bytes of each (uint16), then the chunks
 *     names              chunk of 32 documents → entity number, and for scoring the terms of every name
 *     keys               bucket → hashes of whole names, their initials and identifiers with their document
 *     spellings          bucket → words by each of their pieces, to find them in spite of typing errors
 *
 * The environment has what is read at the start or rarely:
 *
 *     searchMeta         'shape' → JSON of {@link IndexShape}
 *     searchTop          0 → first term of every block
 *     searchNewTerms     term (UTF-16, high byte first) → its number, its count and its documents or list
 *     searchWeights      chunk of 4,064 terms → one byte a term
 *     searchCards        chunk of 2,032 documents → two bytes each about the legal name, for scoring many
 *     searchCompletions  beginning → its most frequent terms
 */
import { bytesTable, type Environment, folderOf, textTable } from '../../lmdb.ts';
import { searchIn } from '../../publication/layout.ts';
import type { RowTable } from '../row-file/rows.ts';

export const indexFormatVersion = 8;
export const termsPerBlock = 64;
export const inlineDocumentsMax = 12;
export const listedDocumentsMax = 4_096;
export const chunkBits = 16;
export const chunkDocuments = 1 << chunkBits;
export const chunkWords = chunkDocuments / 32;
/** The most average bytes of a row of several chunks: a read copies the whole row. */
const rowBytes = 3_900;
const chunksPerRowMax = 64;
export const namesPerChunk = 32;
/** Average bytes of a bucket of keys or spellings: a read copies the whole bucket. */
const bucketBytes = 600;
/** Bytes of a key in its bucket: a hash, and a document with the index of a name. */
export const keyEntryBytes = 8;

/** How many chunks of a long list share a row: a power of two. */
export function chunksPerRow(frequency: number, places: number): number {
  const chunkBytes = 2 + (frequency * 2) / Math.ceil(places / chunkDocuments);
  let chunks = 1;
  while (chunks < chunksPerRowMax && chunks * 2 * chunkBytes <= rowBytes) chunks *= 2;
  return chunks;
}

/** How many buckets a table of keys or spellings has. @param bytes of all its entries */
export function bucketsFor(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / bucketBytes));
}

/** First character of the terms that are not words but filters. */
export const filterMark = '¢';
export const countryTerm = (country: string) => `${filterMark}c${country}`;
export const statusTerm = (status: string) => `${filterMark}s${status}`;

export interface IndexShape {
  readonly version: number;
  /** Version of the rules by which the names became terms. */
  readonly termRules: number;
  /** How many companies there are. */
  readonly documents: number;
  /** The number of document numbers: of companies and free ones. */
  readonly places: number;
  readonly names: number;
  /** Terms in alphabetical order; those that deltas brought have the numbers after them. */
  readonly terms: number;
  readonly newTerms: number;
  /** The next free row of the table of postings. */
  readonly lists: number;
  /** Terms of legal forms have the ids from `formsFrom` to below `formsTo`. */
  readonly formsFrom: number;
  readonly formsTo: number;
  /** The checksum of the header of the row file. */
  readonly rowFile: number;
  /** For each grade of rank from the best, its first document; see score/grades.ts. */
  readonly gradeStarts: readonly number[];
  readonly keyBuckets: number;
  readonly spellingBuckets: number;
}

/** First document that is a duplicate of another record; the number of all places if there is none. */
export function duplicatesFromOf({
  gradeStarts,
  places,
}: Pick<IndexShape, 'gradeStarts' | 'places'>): number {
  return gradeStarts[gradeStarts.length - 1] ?? places;
}

/** The tables that are in the row file, in their order there. */
export const rowFileTables = ['terms', 'postings', 'names', 'keys', 'spellings'] as const;
export type RowFileTable = (typeof rowFileTables)[number];

/** The row file beside an environment. */
export function rowFileOf(environment: Environment): string {
  return searchIn(folderOf(environment));
}

/** The tables that are in the environment. */
export function openStoredTables(environment: Environment) {
  return {
    meta: textTable(environment, 'searchMeta', 'string'),
    top: bytesTable(environment, 'searchTop', 'uint32'),
    newTerms: bytesTable(environment, 'searchNewTerms', 'binary'),
    weights: bytesTable(environment, 'searchWeights', 'uint32'),
    cards: bytesTable(environment, 'searchCards', 'uint32'),
    completions: bytesTable(environment, 'searchCompletions', 'binary'),
  };
}
export type StoredTables = ReturnType<typeof openStoredTables>;
export type SearchTables = StoredTables & Readonly<Record<RowFileTable, RowTable>>;

/** The shape of the index in an environment, whichever version made it. */
export function storedShape({ meta }: Pick<StoredTables, 'meta'>): IndexShape {
  const text = meta.get('shape');
  if (text === undefined) throw new Error('The environment has no search index.');
  return JSON.parse(text);
}

/** Seeds of two independent hashes: one chooses the bucket, one distinguishes the entries within it. */
export const keySeeds = { name: [0x6e616d65, 0x1b873593], identifier: [0x69646e74, 0x5bd1e995] } as const;
export const spellingSeeds = [0x7370656c, 0x27d4eb2f] as const;

/** Name index of an entry that is an identifier. */
export const identifierNameIndex = 255;
/** The code of a name's kind, stored beside its terms. */
export const nameKinds = { legal: 0, other: 1, previous: 2 } as const;
