/** Defines a list of companies by their columns, as the rest of the code asks for it. */
import type { ValueField } from '../../lei/list-fields.ts';
import type { FieldCondition, ListOrder } from '../../protocol/list-questions.ts';
import type { Steps } from '../steps.ts';

/** Certain companies, such as the hits of a search. */
export interface EntityCondition {
  readonly is: 'entity';
  /** In any order. */
  readonly entities: Uint32Array;
  /** Whether these are left out, in place of all others. */
  readonly isExcluded: boolean;
}

/**
 * Companies that may have certain words in their names, addresses and numbers: all that have them, and few others. The
 * records tell.
 */
export interface WordsCondition {
  readonly is: 'words';
  /** Folded words: all of one of these lists must be there. */
  readonly alternatives: readonly (readonly string[])[];
  /** Whether the words are looked for in names, addresses and numbers, and not in further texts. */
  readonly isSearched: boolean;
}

export interface ColumnsQuery {
  /** All of them must hold. */
  readonly conditions: readonly (FieldCondition | EntityCondition | WordsCondition)[];
  /**
   * Companies that come first, best first, such as the hits of a search; those that do not meet the conditions are
   * skipped. Null for none.
   */
  readonly first: Uint32Array | null;
  /**
   * The order of all others. Companies without a value come last. Equal companies are sorted by LEI. Without keys, the
   * newest initial registration comes first.
   */
  readonly order: readonly ListOrder[];
  /** How many companies stand before the page. */
  readonly skip: number;
  readonly limit: number;
}

export interface ColumnsPage {
  /** Exact: of all pages. */
  readonly total: number;
  /** The numbers of the companies of the page; none behind the last. */
  readonly entities: readonly number[];
}

/** The lists of one publication. */
export interface Lists {
  /** A page of the companies that meet all conditions. @throws DamagedFile */
  list(query: ColumnsQuery): Steps<ColumnsPage>;
  /** All companies that meet all conditions, by number. The caller may change the list. @throws DamagedFile */
  matching(conditions: ColumnsQuery['conditions']): Steps<Uint32Array>;
  /** The values that companies have. */
  values(field: ValueField): Steps<ReadonlySet<string>>;
  /** Whether a condition on this folded word holds for no other companies than those that have it. */
  isExact(word: string): boolean;
}
