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

/** Reads companies in order of rank, and each of their terms once. */
class TermsOfDocuments {
  /** For each term, one more than the last document that had it. */
  private readonly last: Uint32Array;
  private length = 0;
  private readonly collection: Collection;
  private readonly ids: Uint32Array;
  /** One more than the company of each document; 0 for none. */
  private readonly order: Uint32Array;

  constructor(collection: Collection, ids: Uint32Array, order: Uint32Array) {
    this.collection = collection;
    this.ids = ids;
    this.order = order;
    this.last = new Uint32Array(ids.length);
  }

  /** Copies the document's terms, filters included, into {@link companyTerms}. @returns how many */
  read(document: number): number {
    const { sequence, starts, countries, statuses } = this.collection;
    const place = this.order[document] ?? 0;
    this.length = 0;
    if (place === 0) return 0;
    const company = place - 1;
    let at = starts.at(company);
    const names = sequence.at(at++);
    for (let name = 0; name < names; name++) {
      const end = at + 1 + (sequence.at(at) & 0xffff);
      for (at++; at < end; at++) this.take(sequence.at(at), document);
    }
    if (countries.at(company) > 0) this.take(countries.at(company) - 1, document);
    if (statuses.at(company) > 0) this.take(statuses.at(company) - 1, document);
    return this.length;
  }

  private take(provisional: number, document: number): void {
    const id = this.ids[provisional] ?? 0;
    if (this.last[id] === document + 1) return;
    this.last[id] = document + 1;
    companyTerms[this.length++] = id;
  }
}

/**
 * Two passes over all names in order of rank: the first counts the documents of each term, the second places them.
 * @param ids provisional number of a term → id
 * @param order one more than the company of each document; 0 for none
 */
export function gatherPostings(collection: Collection, ids: Uint32Array, order: Uint32Array): Postings {
  const frequencies = new Uint32Array(ids.length);
  const counted = new TermsOfDocuments(collection, ids, order);
  for (let document = 0; document < order.length; document++) {
    const terms = counted.read(document);
    for (let i = 0; i < terms; i++) {
      const id = companyTerms[i] ?? 0;
      frequencies[id] = (frequencies[id] ?? 0) + 1;
    }
  }
  const starts = new Uint32Array(ids.length + 1);
  for (let id = 0; id < ids.length; id++) starts[id + 1] = (starts[id] ?? 0) + (frequencies[id] ?? 0);
  const documents = new Uint32Array(starts[ids.length] ?? 0);
  const ends = starts.slice(0, ids.length);
  const placed = new TermsOfDocuments(collection, ids, order);
  for (let document = 0; document < order.length; document++) {
    const terms = placed.read(document);
    for (let i = 0; i < terms; i++) {
      const id = companyTerms[i] ?? 0;
      const end = ends[id] ?? 0;
      documents[end] = document;
      ends[id] = end + 1;
    }
  }
  return { frequencies, starts, documents };
}
