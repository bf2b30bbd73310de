/** Builds the search index of a publication: collects its companies in packed columns, then makes table after table. */
import { formMark, lightWords, termRulesVersion } from '../../lei/names/name-terms.ts';
import { blockedTables } from '../row-blocks.ts';
import { Collection } from './build/collection.ts';
import { gatherPostings } from './build/gather-postings.ts';
import type { PreparedCompany } from './build/prepared-company.ts';
import { placesOf } from './build/room.ts';
import { type BuiltShape, type IndexBlock, rowTables, type SearchRows } from './build/rows.ts';
import { idsOf, rangeOf, sortVocabulary } from './build/vocabulary.ts';
import { writeDocuments } from './build/write-documents.ts';
import { writeKeys } from './build/write-keys.ts';
import { writeSpellings } from './build/write-spellings.ts';
import { writeCompletions, writeTerms } from './build/write-terms.ts';
import { filterMark, indexFormatVersion } from './format.ts';
import { appendColumn } from './index/column.ts';
import { weightsOf } from './index/weights.ts';
import type { SearchLinks } from './search-reader.ts';

interface SearchBuilder {
  /** Adds a company, in any order: answers do not depend on it. */
  add(entity: number, company: PreparedCompany): void;
  /**
   * Makes the rows of the index and passes them to `take`. Called once, after the last company.
   * @param progress receives how many companies' worth of work is done
   */
  finish(links: SearchLinks, take: (block: IndexBlock) => void, progress: (done: number) => void): BuiltShape;
}

/** @returns a builder for one index: after `finish` it is used up */
export function createSearchBuilder(): SearchBuilder {
  const collection = new Collection();
  return {
    add: (entity, company) => collection.add(entity, company),
    finish: (links, take, progress) => {
      collection.relate(links);
      const rows = blockedTables(rowTables, take);
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
): BuiltShape {
  const documents = collection.count;
  const done = (share: number) => progress(Math.floor(documents * share));
  const places = placesOf(collection.ranked(), (company) => collection.grades.at(company));
  const order = places.companies;
  const vocabulary = sortVocabulary(collection.vocabulary);
  done(0.15);
  const postings = gatherPostings(collection, vocabulary.ids, order);
  const forms = rangeOf(vocabulary, formMark);
  const [formsFrom, formsTo] = forms;
  const weights = weightsOf(
    postings.frequencies,
    documents,
    [forms, rangeOf(vocabulary, filterMark)],
    idsOf(vocabulary, lightWords),
  );
  done(0.35);
  const lists = writeTerms(tables, vocabulary, postings, order.length);
  writeCompletions(tables, vocabulary, postings.frequencies);
  done(0.5);
  appendColumn(tables.weights, weights);
  writeDocuments(tables, { collection, order, vocabulary, weights, shape: { formsFrom, formsTo } });
  collection.sequence.clear();
  done(0.65);
  const spellingBuckets = writeSpellings(tables, vocabulary);
  done(0.8);
  const keyBuckets = writeKeys(tables, collection, inverse(order, documents));
  progress(documents);
  return {
    version: indexFormatVersion,
    termRules: termRulesVersion,
    documents,
    places: order.length,
    names: collection.names,
    terms: vocabulary.size,
    newTerms: 0,
    lists,
    formsFrom,
    formsTo,
    gradeStarts: places.gradeStarts,
    keyBuckets,
    spellingBuckets,
  };
}

/** Company → document. @param order one more than the company of each document; 0 for none */
function inverse(order: Uint32Array, companies: number): Uint32Array {
  const documents = new Uint32Array(companies);
  for (let document = 0; document < order.length; document++) {
    const place = order[document] ?? 0;
    if (place > 0) documents[place - 1] = document;
  }
  return documents;
}
