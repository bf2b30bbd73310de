/** Builds the search index of a publication: collects the companies in packed columns, then writes table by table. */

import { formMark } from '../../lei/names/name-terms.ts';
import { type Collection, collect, emptyCollection, rankedCompanies } from './collection.ts';
import { formatVersion, type IndexShape, openSearchTables, type SearchTables } from './format.ts';
import { keyBucketsFor, writeKeys } from './keys.ts';
import { createNameEncoder } from './name-encoder.ts';
import { gatherPostings } from './postings.ts';
import type { SearchBuilder } from './search-reader.ts';
import { mountForWriting } from './storage.ts';
import { rangeOf, sortVocabulary, weightsOf } from './vocabulary.ts';
import { gradeStarts, writeCards, writeEntities, writeNames } from './write-documents.ts';
import { writeSpellings } from './write-spellings.ts';
import { writeCompletions, writeTerms } from './write-terms.ts';

/** Collects the companies of a publication and writes their search index; good for one `finish`. */
export function createSearchBuilder(): SearchBuilder {
  const collection = emptyCollection();
  const encoder = createNameEncoder();
  const encode = (name: string) => encoder.encode(name);
  return {
    add: (document) => collect(collection, document, encode),
    finish: (environment, progress) => {
      const tables = openSearchTables(environment);
      const inTransaction: InTransaction = (write) => environment.transactionSync(write);
      mountForWriting(() => writeIndex(tables, collection, inTransaction, progress)).commit();
    },
  };
}

type InTransaction = <T>(write: () => T) => T;

/** Each step runs in a transaction of its own, so that none grows past what lmdb keeps in memory. */
function writeIndex(
  tables: SearchTables,
  collection: Collection,
  inTransaction: InTransaction,
  progress: (done: number) => void,
): void {
  const documents = collection.count;
  const done = (share: number) => progress(Math.floor(documents * share));
  const order = rankedCompanies(collection);
  const vocabulary = sortVocabulary(collection.vocabulary);
  done(0.15);
  const postings = gatherPostings(collection, vocabulary.ids, order);
  const [formsFrom, formsTo] = rangeOf(vocabulary, formMark);
  const weights = weightsOf(vocabulary, postings.frequencies, documents);
  done(0.35);
  inTransaction(() => writeTerms(tables, vocabulary, postings, documents));
  inTransaction(() => writeCompletions(tables, vocabulary, postings.frequencies));
  done(0.5);
  const source = { collection, order, ids: vocabulary.ids, weights, shape: { formsFrom, formsTo } };
  inTransaction(() => tables.weights.putSync(0, Buffer.from(weights.buffer)));
  inTransaction(() => writeNames(tables, source));
  inTransaction(() => {
    writeCards(tables, source);
    writeEntities(tables, source);
  });
  collection.sequence.clear();
  done(0.65);
  const spellingBuckets = inTransaction(() => writeSpellings(tables, vocabulary));
  done(0.8);
  const keyBuckets = keyBucketsFor(collection);
  inTransaction(() => writeKeys(tables, collection, inverse(order), keyBuckets));
  const shape: IndexShape = {
    version: formatVersion,
    documents,
    names: collection.names,
    terms: vocabulary.size,
    formsFrom,
    formsTo,
    gradeStarts: gradeStarts(collection, order),
    keyBuckets,
    spellingBuckets,
  };
  inTransaction(() => tables.meta.putSync('shape', JSON.stringify(shape)));
  progress(documents);
}

/** Company → document. */
function inverse(order: Uint32Array): Uint32Array {
  const documents = new Uint32Array(order.length);
  order.forEach((company, document) => {
    documents[company] = document;
  });
  return documents;
}
