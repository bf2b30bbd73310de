/** What the beginning of a file tells. */
import type { SourceKind } from '../../publication/manifest.ts';
import type { SourceFormat, SourceHeader } from '../rows.ts';

/** What the file says of itself, without a look at its name; all null in the formats without a header. */
export type PublishedHeader = SourceHeader;

export interface Recognised {
  readonly format: SourceFormat;
  readonly kind: SourceKind;
  readonly header: PublishedHeader;
}

export const noHeader: PublishedHeader = {
  contentDate: null,
  fileContent: null,
  deltaStart: null,
  recordCount: null,
};
