/** What a query thread (and a loader that verifies or compares) can ask of one sealed publication. */
import type { IdentifierKind } from '../lei/identifier-kinds.ts';
import type { Notices } from '../lei/notices.ts';
import type { JsonBytes } from '../protocol/json-bytes.ts';
import type { SearchReader } from './search/search-reader.ts';

/**
 * Every LEI that a publication mentions has an entity number; those known only from a relationship or a mapping
 * have no record.
 */
export type EntityNumber = number;

export interface DirectoryEntry {
  readonly entity: EntityNumber;
  /** False: mentioned only. */
  readonly hasRecord: boolean;
}

/** The few fields of a company that other answers show. All but the LEI are null where it has no record. */
export const summaryFields = [
  'lei',
  'name',
  'country',
  'jurisdiction',
  'city',
  'entityStatus',
  'registrationStatus',
] as const;
export type SummaryField = (typeof summaryFields)[number];

/** They are read when they are asked for, from where the record stands until the thread reads anything else. */
export interface EntitySummary {
  readonly lei: string;
  readonly name: string | null;
  /** Writes the JSON of a field: a string or null. */
  put(out: JsonBytes, field: SummaryField): void;
  /**
   * Writes the JSON of a {@link NameText}: number 0 is the legal name, then come other and transliterated names in
   * record order. The legal name stands for a number that is none. Throws where there is no record.
   */
  putName(out: JsonBytes, number: number): void;
}

/** One relationship record. */
export interface StoredRelationship {
  readonly start: EntityNumber;
  readonly end: EntityNumber;
  readonly type: string;
  readonly status: string | null;
  /** UTC, '' where absent. */
  readonly lastUpdateDate: string;
  /** JSON text of a {@link Relationship}. */
  readonly json: string;
  /** Writes that JSON. */
  put(out: JsonBytes): void;
}

/** The records of a company as start node and as end node, in no promised order. */
export interface RelationshipsOfOne {
  readonly asStart: readonly StoredRelationship[];
  readonly asEnd: readonly StoredRelationship[];
}

export interface CompanyText {
  /** Finished JSON of a whole Company in UTF-8: valid until the next one is asked for. */
  readonly json: Uint8Array;
  /** What its identifiers call for. */
  readonly notices: Notices;
}

export interface ChangePage {
  /** Finished JSON texts of ChangeItems, newest first. */
  readonly items: readonly string[];
  /** Position after the last item; null where nothing follows. */
  readonly next: string | null;
}

export interface NameText {
  readonly name: string;
  /** LEGAL_NAME or a name type of LEI-CDF 3.1. */
  readonly type: string;
}

export interface PublicationReader {
  readonly id: string;
  readonly search: SearchReader;
  /** The path of a company's own address up to its LEI. */
  readonly companyPath: string;
  /** Entity numbers run from 1 to this. */
  readonly lastEntity: EntityNumber;
  /** ISO 3166-1 alpha-2 codes of the legal addresses in the publication. */
  readonly countries: ReadonlySet<string>;
  find(lei: string): DirectoryEntry | null;
  company(entity: EntityNumber): CompanyText | null;
  /** Valid until the thread reads from a publication again. */
  summary(entity: EntityNumber): EntitySummary;
  /** Valid until relationships are asked for again. */
  relationships(entity: EntityNumber): RelationshipsOfOne;
  /** JSON texts of the ReportingExceptions of a company. */
  exceptions(entity: EntityNumber): { readonly direct: string | null; readonly ultimate: string | null };
  /** Entities an identifier maps to, in LEI order. BICs are the 11-character form. Empty where unknown. */
  entitiesOf(kind: IdentifierKind, value: string): readonly EntityNumber[];
  /** A line of the ISO 10383 list: its operating MIC and the JSON of a MicListEntry. */
  micListEntry(mic: string): { readonly operatingMic: string; readonly json: string } | null;
  /** A removed LEI keeps its changes. Null where the LEI was never seen. */
  changes(lei: string, after: string | null, limit: number): ChangePage | null;
  close(): Promise<void>;
}
