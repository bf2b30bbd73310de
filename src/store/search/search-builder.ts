/** Builds the search index of a publication: collects the companies in packed columns, then makes table by table. */
import { formMark } from '../../lei/names/name-terms.ts';
import { append } from '../../lmdb.ts';
import { type Collection, collect, emptyCollection, rankedCompanies, relate } from './collection.ts';
import { type IndexShape, indexFormatVersion } from './format.ts';
import { keyBucketsFor, writeKeys } from './keys.ts';
import { createNameEncoder } from './name-encoder.ts';
import { gatherPostings } from './postings.ts';
import { createRowBlocks, type SearchRows } from './rows.ts';
import type { SearchBuilder } from './search-reader.ts';
import { mountForWriting } from './storage.ts';
import { rangeOf, sortVocabulary, weightsOf } from './vocabulary.ts';
import { gradeStarts, writeCards, writeNames } from './write-documents.ts';
import { writeSpellings } from './write-spellings.ts';
import { writeCompletions, writeTerms } from './write-terms.ts';

/** Collects the companies of a publication and makes their search index; good for one `finish`. */
export function createSearchBuilder(): SearchBuilder {
  const collection = emptyCollection();
  const encoder = createNameEncoder();
  const encode = (name: string) => encoder.encode(name);
  return {
    add: (document) => collect(collection, document, encode),
    finish: (links, take, progress) => {
      relate(collection, links);
      const rows = createRowBlocks(take);
      const shapes: IndexShape[] = [];
      mountForWriting(() => void shapes.push(writeIndex(rows.tables, collection, progress))).commit();
      rows.flush();
      const [shape] = shapes;
      if (shape === undefined) throw new Error('FlexSearch did not commit the index.');
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
