/** Defines the reading interface of one sealed publication, for query threads and for loads that verify or compare. */

import type { MappingKind } from '../lei/identifier-kinds.ts';
import type { Notices } from '../lei/notices.ts';
import type { ChangesSinceQuery } from '../protocol/ext-questions.ts';
import type { JsonBytes } from '../protocol/json-bytes.ts';
import type { Lists } from './columns/list-query.ts';
import type { GleifReader } from './gleif/gleif-reader.ts';
import type { IdentifyingFacts } from './identifying-facts.ts';
import type { SearchReader } from './search/search-reader.ts';
import type { Steps } from './steps.ts';

/**
 * An LEI that a publication mentions. Each has an entity number; an LEI known only from a relationship or a mapping has
 * no record.
 */
export type EntityNumber = number;

export interface DirectoryEntry {
  readonly entity: EntityNumber;
  /** False for an LEI that is only mentioned. */
  readonly hasRecord: boolean;
}

/** The few fields of a company that other answers show. All except the LEI are null if it has no record. */
export const summaryFields = [
  'lei',
  'name',
  'country',
  'jurisdiction',
  'city',
  'entityStatus',
  'registrationStatus',
  'lastUpdateDate',
  'initialRegistrationDate',
] as const;
export type SummaryField = (typeof summaryFields)[number];

/** Reads its fields on demand from the record in memory. */
export interface EntitySummary {
  readonly lei: string;
  readonly name: string | null;
  /** Writes the JSON of a field: a string or null. */
  put(out: JsonBytes, field: SummaryField): void;
  /**
   * Writes the JSON of a {@link NameText}. Number 0 is the legal name; other and transliterated names follow in record
   * order. A number beyond the last gives the legal name. Throws if there is no record.
   */
  putName(out: JsonBytes, number: number): void;
}

/** One relationship record. */
export interface StoredRelationship {
  readonly start: EntityNumber;
  readonly end: EntityNumber;
  readonly type: string;
  readonly status: string | null;
  /** UTC, '' if absent. */
  readonly lastUpdateDate: string;
  /** JSON text of a {@link Relationship}. */
  readonly json: string;
  /** Writes the same JSON. */
  put(out: JsonBytes): void;
}

/** The relationship records of a company as start node and as end node, in any order. */
export interface RelationshipsOfOne {
  readonly asStart: readonly StoredRelationship[];
  readonly asEnd: readonly StoredRelationship[];
  /** Frees the memory of records that stay valid between steps. Call it once none is read any more. */
  free(): void;
}

interface CompanyJson {
  /** Finished JSON of a Company in UTF-8. */
  readonly json: Uint8Array;
  /** Notices that its identifiers require. */
  readonly notices: Notices;
}

export interface ChangePage {
  /** Finished JSON texts of ChangeItems, newest first. */
  readonly items: readonly string[];
  /** Position after the last item; null on the last page. */
  readonly next: string | null;
}

/** A page of the changes since a publication, or why there is none. */
export type ChangesSince =
  | {
      readonly outcome: 'page';
      /** The dataset version after which the changes are. */
      readonly since: string;
      /** Finished JSON texts of ChangeItems with an `lei`, oldest first. A page may have fewer than requested. */
      readonly items: readonly string[];
      /** Position after the last change that was read; null on the last page. */
      readonly next: string | null;
    }
  /** Why `since` is refused: the predicate of a sentence about it. */
  | { readonly outcome: 'refused'; readonly detail: string };

/** A page of the ISINs of a company. */
export interface IsinPage {
  /** How many the company has. */
  readonly total: number;
  /** Ascending. */
  readonly items: readonly string[];
  /** Position after the last item; null on the last page. */
  readonly next: string | null;
}

export interface NameText {
  readonly name: string;
  /** LEGAL_NAME or a name type of LEI-CDF 3.1. */
  readonly type: string;
}

/**
 * Reads a publication. One company, one summary and the relationships of one company are in memory at a time: use each
 * before the next of its kind is read. A summary is also gone after any other read. Texts and numbers stay.
 */
export interface PublicationReader {
  readonly id: string;
  readonly search: SearchReader;
  readonly lists: Lists;
  /** The further data that GLEIF's API reads. */
  readonly gleif: GleifReader;
  /** The path of a company's own address up to its LEI. */
  readonly companyPath: string;
  /** Entity numbers go from 1 to this. */
  readonly lastEntity: EntityNumber;
  /** ISO 3166-1 alpha-2 codes of the legal addresses in the publication. */
  readonly countries: ReadonlySet<string>;
  find(lei: string): DirectoryEntry | null;
  company(entity: EntityNumber): CompanyJson | null;
  summary(entity: EntityNumber): EntitySummary;
  /** The facts by which companies are told apart; null for an entity without a record. They stay valid. */
  facts(entity: EntityNumber): IdentifyingFacts | null;
  relationships(entity: EntityNumber): RelationshipsOfOne;
  /**
   * The same, in steps. If there are so many that reading takes more than one step, they stay valid; read those of a
   * few before the next step.
   */
  relationshipsInSteps(entity: EntityNumber): Steps<RelationshipsOfOne>;
  /** JSON texts of the ReportingExceptions of a company. */
  exceptions(entity: EntityNumber): { readonly direct: string | null; readonly ultimate: string | null };
  /** Entities that an identifier maps to, in LEI order; empty for an unknown identifier. A BIC has 11 characters. */
  entitiesOf(kind: MappingKind, value: string): readonly EntityNumber[];
  /** A page of the ISINs that map to an entity. */
  isins(entity: EntityNumber, after: string | null, limit: number): IsinPage;
  /** A line of the ISO 10383 list: its operating MIC and the JSON of a MicListEntry. */
  micListEntry(mic: string): { readonly operatingMic: string; readonly json: string } | null;
  /** A page of changes. A removed LEI keeps its changes. Null for an LEI that never existed. */
  changes(lei: string, after: string | null, limit: number): ChangePage | null;
  /** A page of the changes of the publications after one. */
  changesSince(query: ChangesSinceQuery): ChangesSince;
  close(): Promise<void>;
}
