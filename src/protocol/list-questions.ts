/** Defines the questions for lists of companies. Callers have checked the form of all values. */
import type { FoldedField, FractionField, OrderText, TimeField, ValueField } from '../lei/list-fields.ts';

/** A condition on what a record says. All conditions of a list hold for each of its companies. */
export type FieldCondition =
  | {
      readonly is: 'value';
      readonly field: ValueField;
      /** As published. A company meets the condition if it has any of them. A value that no company has is no error. */
      readonly values: readonly string[];
      /** Whether companies with any of the values are left out, in place of all others. */
      readonly isExcluded: boolean;
    }
  | {
      readonly is: 'text';
      readonly field: FoldedField;
      /** Compared as a whole and as searches fold it: without case and accents; codes and numbers also without separators. */
      readonly values: readonly string[];
      /** Whether companies with any of the values are left out, in place of all others. */
      readonly isExcluded: boolean;
    }
  | {
      readonly is: 'time';
      readonly field: TimeField;
      /** Seconds since 1970, both included; null for no end. Companies without the time are left out. */
      readonly from: number | null;
      readonly to: number | null;
    };

/** Companies without a value come last in both directions. */
export interface ListOrder {
  /** A time orders to the second. */
  readonly field: ValueField | TimeField | FractionField | OrderText;
  readonly isDescending: boolean;
}

/** One page of a list. Without conditions and search the list has all companies with a record. */
export interface ListQuery {
  readonly conditions: readonly FieldCondition[];
  /** A text as in a search: only its hits. Trimmed, 2 to 500 code points; null for none. */
  readonly q: string | null;
  /** Empty: by relevance if there is a `q`, else newest initial registration first. Equal companies are sorted by LEI. */
  readonly order: readonly ListOrder[];
  /** How many companies of the list stand before the page. A page behind the last company is empty. */
  readonly skip: number;
  /** At least 0. */
  readonly limit: number;
}

/** A page of a list, with its items as in a search. */
export interface ListQuestion extends ListQuery {
  readonly kind: 'list';
}
