/** Collects the documents of each term by counting, without sorting. */
import { searchLimits } from '../limits.ts';
import type { Collection } from './collection.ts';

export interface Postings {
  /** Count of documents of a term. */
  readonly frequencies: Uint32Array;
  /** Start of a term's documents in `documents`. */
  readonly starts: Uint32Array;
  /** The documents of each term in ascending order, term by term. */
  readonly documents: Uint32Array;
}

/** The terms of one company: of all its names and its filters. */
const companyTerms = new Uint32Array(searchLimits.namesPerDocumentMax * searchLimits.termsPerNameMax + 2);

/** @returns a function that copies a document's terms, each once, into {@link companyTerms}, and returns how many */
function termsReader(
  { sequence, starts, countries, statuses }: Collection,
  ids: Uint32Array,
  order: Uint32Array,
): (document: number) => number {
  /** For each term, one more than the last document that had it. */
  const last = new Uint32Array(ids.length);
  let length = 0;
  const take = (provisional: number, document: number) => {
    const id = ids[provisional] ?? 0;
    if (last[id] === document + 1) return;
    last[id] = document + 1;
    companyTerms[length++] = id;
  };
  return (document) => {
    length = 0;
    const place = order[document] ?? 0;
    if (place === 0) return 0;
    const company = place - 1;
    let at = starts.at(company);
    const names = sequence.at(at++);
    for (let name = 0; name < names; name++) {
      const end = at + 1 + (sequence.at(at) & 0xffff);
      for (at++; at < end; at++) take(sequence.at(at), document);
    }
    if (countries.at(company) > 0) take(countries.at(company) - 1, document);
    if (statuses.at(company) > 0) take(statuses.at(company) - 1, document);
    return length;
  };
}

/**
 * Two passes over all names in order of rank: the first counts the documents of each term, the second places them.
 * @param ids provisional number of a term → id
 * @param order one more than the company of each document; 0 for none
 */
export function gatherPostings(collection: Collection, ids: Uint32Array, order: Uint32Array): Postings {
  const frequencies = new Uint32Array(ids.length);
  const counted = termsReader(collection, ids, order);
  for (let document = 0; document < order.length; document++) {
    const terms = counted(document);
    for (let i = 0; i < terms; i++) {
      const id = companyTerms[i] ?? 0;
      frequencies[id] = (frequencies[id] ?? 0) + 1;
    }
  }
  const starts = new Uint32Array(ids.length + 1);
  for (let id = 0; id < ids.length; id++) starts[id + 1] = (starts[id] ?? 0) + (frequencies[id] ?? 0);
  const documents = new Uint32Array(starts[ids.length] ?? 0);
  const ends = starts.slice(0, ids.length);
  const placed = termsReader(collection, ids, order);
  for (let document = 0; document < order.length; document++) {
    const terms = placed(document);
    for (let i = 0; i < terms; i++) {
      const id = companyTerms[i] ?? 0;
      const end = ends[id] ?? 0;
      documents[end] = document;
      ends[id] = end + 1;
    }
  }
  return { frequencies, starts, documents };
}
