/** Builds the search index of a publication: collects its companies in packed columns, then makes table after table. */
import { formMark } from '../../lei/names/name-terms.ts';
import { append } from '../../lmdb.ts';
import { type Collection, collect, emptyCollection, rankedCompanies, relate } from './build/collection.ts';
import { gatherPostings } from './build/gather-postings.ts';
import { createRowBlocks, type SearchRows } from './build/rows.ts';
import { rangeOf, sortVocabulary, weightsOf } from './build/vocabulary.ts';
import { gradeStarts, writeCards, writeNames } from './build/write-documents.ts';
import { keyBucketsFor, writeKeys } from './build/write-keys.ts';
import { writeSpellings } from './build/write-spellings.ts';
import { writeCompletions, writeTerms } from './build/write-terms.ts';
import { type IndexShape, indexFormatVersion } from './format.ts';
import type { SearchBuilder } from './search-reader.ts';

/** @returns a builder for one index: after `finish` it is used up */
export function createSearchBuilder(): SearchBuilder {
  const collection = emptyCollection();
  return {
    add: (document) => collect(collection, document),
    finish: (links, take, progress) => {
      relate(collection, links);
      const rows = createRowBlocks(take);
      const shape = writeIndex(rows.tables, collection, progress);
      rows.flush();
      return shape;
    },
  };
}

function writeIndex(
  tables: SearchRows,
  collection: Collection,
  progress: (done: number) => void,
): IndexShape {
  const documents = collection.count;
  const done = (share: number) => progress(Math.floor(documents * share));
  const order = rankedCompanies(collection);
  const vocabulary = sortVocabulary(collection.vocabulary);
  done(0.15);
  const postings = gatherPostings(collection, vocabulary.ids, order);
  const [formsFrom, formsTo] = rangeOf(vocabulary, formMark);
  const weights = weightsOf(vocabulary, postings.frequencies, documents);
  done(0.35);
  writeTerms(tables, vocabulary, postings, documents);
  writeCompletions(tables, vocabulary, postings.frequencies);
  done(0.5);
  const source = { collection, order, ids: vocabulary.ids, weights, shape: { formsFrom, formsTo } };
  append(tables.weights, 0, Buffer.from(weights.buffer));
  writeNames(tables, source);
  writeCards(tables, source);
  collection.sequence.clear();
  done(0.65);
  const spellingBuckets = writeSpellings(tables, vocabulary);
  done(0.8);
  const keyBuckets = keyBucketsFor(collection);
  writeKeys(tables, collection, inverse(order), keyBuckets);
  progress(documents);
  return {
    version: indexFormatVersion,
    documents,
    names: collection.names,
    terms: vocabulary.size,
    formsFrom,
    formsTo,
    gradeStarts: gradeStarts(collection, order),
    keyBuckets,
    spellingBuckets,
  };
}

/** Company → document. */
function inverse(order: Uint32Array): Uint32Array {
  const documents = new Uint32Array(order.length);
  for (let document = 0; document < order.length; document++) documents[order[document] ?? 0] = document;
  return documents;
}
