/**
 * Defines the questions that operations below /ext/v1, GLEIF's API and pages ask a query thread. They are few and large, and cross
 * as JSON.
 */
import type { ChangeKind } from '../lei/change-kinds.ts';
import type { MappingKind } from '../lei/identifier-kinds.ts';
import type { ChildKind } from '../lei/relationship-codes.ts';
import type { GleifQuestion } from './gleif-questions.ts';
import type { ListQuestion } from './list-questions.ts';

/** One value of a batch: an identifier as its check writes it, or the text that was sent instead. */
export type BatchItem = string | FaultyItem;

interface FaultyItem {
  /** As it was sent. */
  readonly value: string;
  /** JSON of the problem that is the item's answer. */
  readonly problem: string;
}

/** Look-ups of up to 100 identifiers of one kind. */
export interface BatchQuestion {
  readonly kind: 'batch';
  readonly of: 'lei' | MappingKind;
  readonly items: readonly BatchItem[];
  /** JSON of the problem of an identifier that is not found; {@link valueMark} stands for the identifier. */
  readonly notFound: string;
  /** Whether the answer may come in parts, each as soon as it is made. */
  readonly inParts: boolean;
}

/** No text of a problem contains this otherwise. */
export const valueMark = '{value}';

/**
 * The known facts about the wanted company; null for unknown ones. At least one of name, registration number and LEI is
 * known.
 */
export interface KnownOfCompany {
  readonly name: string | null;
  /** As people write it: a code or a name. */
  readonly country: string | null;
  readonly city: string | null;
  /** May begin with the code of its register, such as RA000585. */
  readonly registrationNumber: string | null;
  readonly lei: string | null;
}

/** Asks which company that is. */
export interface MatchQuestion extends KnownOfCompany {
  readonly kind: 'match';
}

/** A few queries of a batch of the reconciliation service, each answered by a member of one JSON object. */
export interface ReconcileQuestion {
  readonly kind: 'reconcile';
  readonly queries: readonly ReconcileQuery[];
}

/** Asks which company that is, or says why a query can't be answered. */
export type ReconcileQuery =
  | {
      /** Any text: the client's name for the query. */
      readonly name: string;
      readonly known: KnownOfCompany;
      /** The most candidates, at least 1. */
      readonly limit: number;
      /** Sentences about properties whose cell could not be read. */
      readonly leftOut: readonly string[];
    }
  | { readonly name: string; readonly fault: string };

/** Asks for properties (company-properties.ts) of up to 100 companies, as rows of a data extension. */
export interface ExtensionQuestion {
  readonly kind: 'extension';
  readonly rows: readonly ExtensionRow[];
  /** Ids of properties, each once. */
  readonly properties: readonly string[];
}

export interface ExtensionRow {
  /** As it was sent; each occurs once. */
  readonly id: string;
  /** Null if the id is not an LEI: the row then has no values, like that of an unknown company. */
  readonly lei: string | null;
}

/** Which page of a list. */
export interface PageRequest {
  /** `next` of an earlier answer; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/** One page of the children of a company. */
export interface ChildrenQuestion extends PageRequest {
  readonly kind: 'children';
  readonly lei: string;
  readonly of: ChildKind;
}

/** One page of the ISINs of a company. */
export interface IsinsQuestion extends PageRequest {
  readonly kind: 'isins';
  readonly lei: string;
}

/** Selects the wanted changes of the publications after one. */
export interface ChangesSinceQuery extends PageRequest {
  /** A dataset version, or a time in UTC (ISO 8601). */
  readonly since: string;
  /** Only changes of these companies; empty for all. */
  readonly leis: readonly string[];
  /** Only changes of these kinds; empty for all. */
  readonly kinds: readonly ChangeKind[];
}

/** One page of the changes of the publications after one. */
export interface ChangesSinceQuestion extends ChangesSinceQuery {
  readonly kind: 'changes-since';
}

export const ownershipDirections = ['up', 'down'] as const;
/** The predicate of a sentence about a text that {@link readDirections} refuses. */
export const directionsAllowed = 'must be up, down, or up,down';

/** Reads a list with commas. @returns null if it names anything else, or one direction twice */
export function readDirections(text: string): OwnershipQuestion['directions'] | null {
  const asked = text.split(',');
  const known = ownershipDirections.filter((each) => asked.includes(each));
  return known.length === asked.length ? known : null;
}

export const ownershipDepthMax = 10;

/** The companies above and below one. */
export interface OwnershipQuestion {
  readonly kind: 'ownership';
  readonly lei: string;
  readonly directions: readonly (typeof ownershipDirections)[number][];
  /** 1 to {@link ownershipDepthMax}. */
  readonly depth: number;
}

/** The content of a group's picture: {@link OwnershipQuestion} with funds and branches, one step down, ten up. */
export interface GroupQuestion {
  readonly kind: 'group';
  readonly lei: string;
  readonly directions: readonly (typeof ownershipDirections)[number][];
}

/** What the links of a page begin with. */
export interface SiteAddress {
  /** Precedes every path; '' or begins with a slash. */
  readonly basePath: string;
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string;
}

/** Asks for the content of the page of a company (html/made-page.ts). */
export interface CompanyPageQuestion extends SiteAddress {
  readonly kind: 'company-page';
  readonly lei: string;
}

/** Asks for a page of its children of one kind. */
export interface ChildrenPageQuestion extends SiteAddress {
  readonly kind: 'children-page';
  readonly lei: string;
  readonly of: ChildKind;
  /** From 1 on. */
  readonly page: number;
}

/** Asks for a page of its history, without the links to other pages. */
export interface HistoryPageQuestion extends PageRequest, SiteAddress {
  readonly kind: 'history-page';
  readonly lei: string;
}

/** Companies for a text while it is typed. */
export interface SuggestQuestion {
  readonly kind: 'suggest';
  /** Trimmed, 2 to 500 code points. */
  readonly q: string;
}

/** The record of a company as of a moment. */
export interface AsOfQuestion {
  readonly kind: 'as-of';
  readonly lei: string;
  /** UTC, ISO 8601, to the second. */
  readonly at: string;
}

export type ExtQuestion =
  | AsOfQuestion
  | BatchQuestion
  | ChangesSinceQuestion
  | ChildrenPageQuestion
  | ChildrenQuestion
  | CompanyPageQuestion
  | ExtensionQuestion
  | GleifQuestion
  | GroupQuestion
  | HistoryPageQuestion
  | IsinsQuestion
  | ListQuestion
  | MatchQuestion
  | OwnershipQuestion
  | ReconcileQuestion
  | SuggestQuestion;

/** Every kind once. The compiler refuses a list that lacks one. */
export const extQuestionKinds: Readonly<Record<ExtQuestion['kind'], true>> = {
  batch: true,
  match: true,
  reconcile: true,
  extension: true,
  gleif: true,
  'as-of': true,
  'changes-since': true,
  children: true,
  isins: true,
  list: true,
  ownership: true,
  group: true,
  'company-page': true,
  'children-page': true,
  'history-page': true,
  suggest: true,
};
