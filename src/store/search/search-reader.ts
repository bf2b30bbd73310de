/** What the search index of one publication answers, and what is told to the builder of it. */
import type { IndexShape } from './format.ts';
import type { RowBlock } from './rows.ts';

export interface SearchQuery {
  /** Trimmed, 2 to 500 code points. */
  readonly q: string;
  /** Upper case; null for all. */
  readonly country: string | null;
  /** Upper case registration status; null for all. */
  readonly status: string | null;
  /** Where an earlier page ended; null for the first. */
  readonly after: string | null;
  /** 1 to 100. */
  readonly limit: number;
}

export interface SearchHit {
  /** Entity number in the publication. */
  readonly entity: number;
  /** 0 to 1. */
  readonly score: number;
  /** Which of the company's names matched best: index into {@link SearchDocument.names}. */
  readonly nameIndex: number;
}

export type SearchOutcome =
  | {
      readonly outcome: 'hits';
      /** Exact: the number of rows of a full traversal. */
      readonly total: number;
      readonly hits: readonly SearchHit[];
      readonly next: string | null;
    }
  /** The query has nothing to search for, or `after` was never given out. */
  | { readonly outcome: 'refused'; readonly parameter: 'q' | 'cursor'; readonly detail: string };

export interface SearchReader {
  search(query: SearchQuery): SearchOutcome;
}

/** One company, as its own record tells of it. */
export interface SearchDocument {
  readonly entity: number;
  readonly lei: string;
  /** Legal name first, then other and transliterated names in record order. */
  readonly names: readonly { readonly name: string; readonly type: string }[];
  readonly country: string | null;
  readonly entityStatus: string | null;
  readonly registrationStatus: string | null;
  /** Number in the business register. */
  readonly registeredAs: string | null;
}

/** What other records tell of companies. */
export interface SearchLinks {
  /** How many companies name each entity as direct parent, by entity number. */
  readonly directChildren: Uint32Array;
  readonly bics: readonly { readonly entity: number; readonly bic: string }[];
}

export interface SearchBuilder {
  /** In any order: that of answers does not depend on it. */
  add(document: SearchDocument): void;
  /** Makes the rows of the index. Once, after the last company. */
  finish(links: SearchLinks, take: (block: RowBlock) => void, progress: (done: number) => void): IndexShape;
}
