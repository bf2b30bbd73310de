/**
 * Defines the questions that GLEIF's API asks a query thread. The answer to each is a whole JSON:API document. A plain
 * record has a question of its own, because most requests want one.
 */
import type { GleifListName } from '../lei/gleif-code-lists.ts';
import type { LinkedName, ParentName, RelationName } from '../lei/gleif-relations.ts';

/** Asks for one record. */
export interface GleifRecordQuestion {
  readonly kind: 'gleif-record';
  readonly lei: string;
  /** The public address of GLEIF's API, without a trailing slash. */
  readonly base: string;
}

/** Asks for any other document. */
export interface GleifQuestion {
  readonly kind: 'gleif';
  readonly base: string;
  readonly asks: GleifAsk;
}

export type GleifAsk =
  | { readonly for: 'record'; readonly lei: string; readonly shape: RecordShape }
  | { readonly for: 'linked'; readonly lei: string; readonly name: LinkedName; readonly shape: RecordShape }
  | {
      readonly for: 'related';
      readonly lei: string;
      readonly name: RelationName;
      readonly shape: RecordShape;
    }
  | { readonly for: 'relationship'; readonly lei: string; readonly name: RelationName }
  | { readonly for: 'exception'; readonly lei: string; readonly name: ParentName }
  | { readonly for: 'issuer'; readonly lei: string }
  | {
      readonly for: 'successors';
      readonly lei: string;
      readonly page: GleifPage;
      readonly shape: RecordShape;
    }
  | {
      readonly for: 'relatives';
      readonly lei: string;
      readonly name: RelationName;
      readonly page: GleifPage;
      readonly shape: RecordShape;
    }
  | {
      readonly for: 'relationships';
      readonly lei: string;
      readonly name: RelationName;
      readonly page: GleifPage;
    }
  | { readonly for: 'isins'; readonly lei: string; readonly page: GleifPage }
  | {
      readonly for: 'modifications';
      readonly lei: string;
      readonly filters: readonly GleifFilter[];
      readonly isOldestFirst: boolean;
      readonly page: GleifPage;
    }
  | {
      readonly for: 'records';
      readonly filters: readonly GleifFilter[];
      readonly sort: readonly GleifSort[];
      readonly page: GleifPage;
      readonly shape: RecordShape;
    }
  | { readonly for: 'completions'; readonly isFuzzy: boolean; readonly q: string }
  | { readonly for: 'code'; readonly list: GleifListName; readonly id: string }
  | {
      readonly for: 'codes';
      readonly list: GleifListName;
      readonly filters: readonly GleifFilter[];
      readonly sort: readonly GleifSort[];
      readonly page: GleifPage;
    }
  | { readonly for: 'issuer-jurisdictions'; readonly lei: string; readonly page: GleifPage };

/** How records are shown. */
export interface RecordShape {
  /** The attributes that are wanted; null for all. */
  readonly fields: readonly string[] | null;
  /** The relationships whose other end is included. */
  readonly include: readonly ParentName[];
}

/** A filter as it was read. */
export type GleifFilter =
  /** One of these values, upper case where case does not matter; none of them if `isExcluded`. */
  | {
      readonly is: 'values';
      readonly field: string;
      readonly values: readonly string[];
      readonly isExcluded: boolean;
    }
  /** Both ends are included; null for no end. Times are seconds since 1970. */
  | {
      readonly is: 'range';
      readonly field: string;
      readonly from: number | null;
      readonly to: number | null;
      readonly isExcluded: boolean;
    }
  /** All words of the text. */
  | { readonly is: 'text'; readonly field: string; readonly text: string; readonly isExcluded: boolean };

export interface GleifSort {
  readonly field: string;
  readonly isDescending: boolean;
}

/** Which page of a list, and how the addresses of its pages are written. */
export interface GleifPage {
  /** From 1; a walk by cursor does not use it. */
  readonly number: number;
  readonly size: number;
  /** For a walk by cursor, the number of items before the page and the cursor of the next one; null for a page by number. */
  readonly cursor: { readonly from: number; readonly next: string } | null;
  /** Path below the base. */
  readonly path: string;
  /** All parameters of the addresses but those of the page, encoded; '' for none. */
  readonly query: string;
}
