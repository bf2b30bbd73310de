/** Defines the search index of one publication as the rest of the code reads it. */
import type { Question } from '../../protocol/questions.ts';
import type { Steps } from '../steps.ts';

/** `after` is the position at which an earlier page ended, as {@link SearchOutcome} gave it. */
export type SearchQuery = Omit<Extract<Question, { readonly kind: 'search' }>, 'kind'>;

export interface SearchHit {
  /** Entity number in the publication. */
  readonly entity: number;
  /** 0 to 1. */
  readonly score: number;
  /** Which of the company's names matched best: index into {@link SearchDocument.names}. */
  readonly nameIndex: number;
}

/** A company that was found by other means than a search. */
export interface RankedEntity {
  readonly entity: number;
  /** How well known and alive it is; see score/grades.ts. */
  readonly grade: number;
}

/** The search reached its time limit. */
export interface TimedOut {
  readonly outcome: 'timeout';
  readonly detail: string;
}

export type SearchOutcome =
  | {
      readonly outcome: 'hits';
      /** Exact: how many hits a full traversal shows. */
      readonly total: number;
      readonly hits: readonly SearchHit[];
      readonly next: string | null;
    }
  | TimedOut
  /** `after` came from no search. */
  | { readonly outcome: 'refused'; readonly detail: string };

/** All companies that a search finds. */
export interface AllHits {
  readonly outcome: 'all';
  /** Best first, as the pages of the search have them. */
  readonly entities: Uint32Array;
  /** {@link SearchHit.nameIndex} of the hit at a place in `entities`. */
  nameIndexAt(place: number): number;
}

export interface SearchReader {
  search(query: SearchQuery): SearchOutcome;
  /** All hits of a text, in steps: `entities` may be long. */
  all(q: string): Steps<AllHits | TimedOut>;
  /**
   * Companies that have all words of a text in their legal name, or together in all their names, in no order. Null if
   * the text has no word. In steps.
   */
  withWords(text: string, of: 'legalName' | 'names'): Steps<Uint32Array | TimedOut | null>;
  /** Companies with these initials of a name, in lower case, at most `max`: by rank, the best first. */
  withInitials(letters: string, max: number): readonly RankedEntity[];
  /**
   * How much a term of a name says about a company, 0 to 1: rare ones say most. Null if no name has it. @throws TimeIsUp
   */
  weightOf(term: string): number | null;
  /**
   * Share of the companies of a country that have a term in a name: how usual a legal form is there. 0 to 1. @throws
   * TimeIsUp
   */
  shareIn(country: string, term: string): number;
  /** Companies for a text that is still being typed, best first: a few, without further pages. */
  suggest(q: string): SearchOutcome;
}

/** A reader of an index on the disk. */
export interface OpenSearch extends SearchReader {
  /** Nothing may be asked afterwards. The environment is left to its owner. */
  close(): void;
}

/** One company, by its own record. */
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

/** The facts about companies that other records contain. */
export interface SearchLinks {
  /** How many companies name each entity as direct parent, by entity number. */
  readonly directChildren: Uint32Array;
  readonly bics: readonly { readonly entity: number; readonly bic: string }[];
}

/** A company with the facts that other records contain about it. */
export interface CompanyFacts extends SearchDocument {
  /** How many companies name it as direct parent. */
  readonly directChildren: number;
  readonly bics: readonly string[];
}
