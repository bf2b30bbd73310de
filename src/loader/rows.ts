/** Defines the rows that parsers pass on, the same for every format: one row of the domain at a time. */
import { ExpectedFailure } from '../errors.ts';
import type { LegalEntityRecord } from '../lei/company.ts';
import type { CodeListEntry, LoadedListName } from '../lei/gleif-code-lists.ts';
import type { MappingKind } from '../lei/identifier-kinds.ts';
import type { ExceptionRecord, RelationshipRecord } from '../lei/relationship.ts';

/** One line of the ISO 10383 list. */
interface MicListRecord {
  readonly mic: string;
  readonly operatingMic: string;
  readonly name: string | null;
  /** OPRT or SGMT. */
  readonly type: string | null;
  readonly country: string | null;
  readonly city: string | null;
  readonly status: string | null;
}

/** A level 1 row as a parsing thread passes it on. */
interface PackedRow {
  readonly kind: 'packed-level-1';
  readonly lei: string;
  readonly packed: PackedText;
  /** Its text for the search index. */
  readonly prepared: PreparedEntry;
  /** The record itself, of some rows only. */
  readonly record: LegalEntityRecord | null;
}

/** A packed record, as UTF-8 among others: valid until the sink returns. */
export interface PackedText {
  readonly bytes: Uint8Array;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

export function textOf({ bytes, from, to }: PackedText): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString();
}

/** A company in a block of companies that a parsing thread prepared for the search index. */
export interface PreparedEntry {
  readonly block: PreparedBlock;
  readonly place: number;
}

export interface PreparedBlock {
  /**
   * Numbers of the companies; 0 for one that the index does not get. The thread that stores the companies fills them
   * in.
   */
  readonly entities: Uint32Array<ArrayBuffer>;
  /** The companies, as the JSON of a list. */
  readonly json: Uint8Array<ArrayBuffer>;
}

/** A row of a code list: one member of {@link SourceRow} for each list, so that a comparison of kinds tells them apart. */
type CodeListRow = {
  readonly [Kind in LoadedListName]: { readonly kind: Kind; readonly record: CodeListEntry };
}[LoadedListName];

export type SourceRow =
  | { readonly kind: 'level-1'; readonly record: LegalEntityRecord }
  | PackedRow
  | {
      readonly kind: 'relationships';
      readonly record: RelationshipRecord;
      /** From `gleif:Deletion`: remove the record. Its last update if the mark has no time; null for no deletion. */
      readonly deletedAt: string | null;
    }
  | {
      readonly kind: 'reporting-exceptions';
      readonly record: ExceptionRecord;
      /** The same, but '' if the mark has no time. */
      readonly deletedAt: string | null;
    }
  | { readonly kind: MappingKind; readonly lei: string; readonly value: string }
  | { readonly kind: 'mic-list'; readonly record: MicListRecord }
  | CodeListRow;

/** A row's place in its file. */
export interface RowPlace {
  /** Line of a CSV file (the header is line 1), or number of the record from 1 in XML and JSON. */
  readonly unit: 'line' | 'record';
  readonly number: number;
}

/** Why a row can't be used; as a remark, what is odd about a row that is kept. */
export interface RowFault {
  readonly place: RowPlace;
  /** Column name, element path or JSON member. */
  readonly column: string | null;
  readonly reason: string;
}

/** A parser calls these in file order; each returns at once. */
export interface RowSink {
  row(row: SourceRow, place: RowPlace): void;
  /** The row is skipped and counted. */
  reject(fault: RowFault): void;
  /** The row is kept; its odd value is counted and reported. */
  remark(fault: RowFault): void;
  /** The parser awaits it from time to time, so that the receiver can catch up. */
  ready?(): Promise<void> | undefined;
}

export type SourceFormat = 'csv' | 'xml' | 'json';

/** What a file states about itself. */
export interface SourceHeader {
  /** UTC; from ContentDate, otherwise from the name of the file or of its archive member. */
  readonly contentDate: string | null;
  /** Such as GLEIF_FULL_PUBLISHED. */
  readonly fileContent: string | null;
  readonly deltaStart: string | null;
  readonly recordCount: number | null;
}

/** For the formats without one. */
export const noHeader: SourceHeader = {
  contentDate: null,
  fileContent: null,
  deltaStart: null,
  recordCount: null,
};

/** A file that can't be used at all. */
export class SourceError extends ExpectedFailure {
  override readonly name = 'SourceError';
  constructor(path: string, reason: string) {
    super('bad-file', `${path}: ${reason}`);
  }
}
