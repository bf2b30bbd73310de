/** Which kind of file a beginning belongs to: by content alone, for names are an operator's own business. */
import type { SourceKind } from '../../publication/manifest.ts';
import type { SourceFormat } from '../rows.ts';
import { readCsvKind } from './csv/read-csv.ts';
import { Refusal } from './refusal.ts';

export interface Recognised {
  readonly format: SourceFormat;
  readonly kind: SourceKind;
  readonly header: PublishedHeader;
}

/** What the file itself says; all null in the formats without a header. */
export interface PublishedHeader {
  readonly contentDate: string | null;
  readonly fileContent: string | null;
  readonly deltaStart: string | null;
  readonly recordCount: number | null;
}

export const noHeader: PublishedHeader = {
  contentDate: null,
  fileContent: null,
  deltaStart: null,
  recordCount: null,
};

/** How much of a file must be looked at: the longest header (level 1 CSV) has 21 KB. */
export const recognisedBytes = 256 * 1024;

/** @throws Refusal for content of no known kind */
export function recognise(beginning: Buffer): Recognised {
  if (beginning.length === 0) throw new Refusal('is empty');
  refuseOtherEncodings(beginning);
  return { format: 'csv', kind: readCsvKind(beginning).kind, header: noHeader };
}

function refuseOtherEncodings(beginning: Buffer): void {
  const mark = beginning.length >= 2 ? beginning.readUInt16BE(0) : 0;
  if (mark === 0xfffe || mark === 0xfeff) {
    throw new Refusal('is encoded in UTF-16; all files that GLEIF publishes are UTF-8');
  }
}
