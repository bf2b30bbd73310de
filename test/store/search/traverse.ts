/** Reads all pages of a question, as a client with a cursor does. */
import type { SearchHit } from '../../../src/store/search/search-reader.ts';
import type { SmallIndex } from './small-index.ts';

export interface Filters {
  readonly country?: string;
  readonly status?: string;
}

export interface Traversal {
  readonly hits: readonly SearchHit[];
  readonly total: number;
}

/** @param from position of the first hit */
export function traverse(
  index: SmallIndex,
  q: string,
  limit: number,
  filters: Filters = {},
  from = 0,
): Traversal {
  const hits: SearchHit[] = [];
  let after: string | null = from === 0 ? null : String(from);
  let total = 0;
  do {
    const outcome = index.ask(q, { ...filters, after, limit });
    if (outcome.outcome !== 'hits') throw new Error(outcome.detail);
    if (outcome.hits.length > limit) throw new Error(`A page of ${limit} has ${outcome.hits.length} rows.`);
    hits.push(...outcome.hits);
    total = outcome.total;
    after = outcome.next;
  } while (after !== null);
  return { hits, total };
}
