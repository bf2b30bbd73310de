/** Defines a list of companies by their columns, as the rest of the code asks for it. */
import type { Steps } from '../steps.ts';
import type { ColumnName, TimeColumnName, ValueColumnName } from './layout.ts';

/** All conditions of a list must hold. */
export type Condition =
  | {
      readonly column: ValueColumnName;
      readonly values: readonly string[];
      /** Whether companies with one of the values are left out, in place of all others. */
      readonly isExcluded: boolean;
    }
  | {
      readonly column: TimeColumnName;
      /** Seconds since 1970, both included; null for no end. Companies without a time are left out. */
      readonly from: number | null;
      readonly to: number | null;
    };

export interface OrderKey {
  readonly column: ColumnName;
  readonly isDescending: boolean;
}

export interface ListQuery {
  readonly conditions: readonly Condition[];
  /** Only these entities, such as the hits of a search; null for all. */
  readonly among: Uint32Array | null;
  /** Companies without a value come last. Equal companies are in the default order: newest registration first, then by LEI. */
  readonly order: readonly OrderKey[];
  /** The position at which an earlier page ended; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

export type ListOutcome =
  | {
      readonly outcome: 'page';
      /** Exact. */
      readonly total: number;
      readonly entities: readonly number[];
      readonly next: string | null;
    }
  /** `after` came from no list. */
  | { readonly outcome: 'refused' };

/** The lists of one publication. */
export interface Lists {
  /** A page of the companies that meet all conditions. @throws DamagedFile */
  list(query: ListQuery): Steps<ListOutcome>;
  /** The values that companies have. */
  values(column: ValueColumnName): ReadonlySet<string>;
}
