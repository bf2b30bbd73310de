/** What the beginning of a file tells. */
import type { SourceKind } from '../../publication/manifest.ts';
import type { SourceFormat, SourceHeader } from '../rows.ts';

export interface Recognised {
  readonly format: SourceFormat;
  readonly kind: SourceKind;
  /** As the file itself has it, without a look at its name. */
  readonly header: SourceHeader;
}

/** Of the formats without one. */
export const noHeader: SourceHeader = {
  contentDate: null,
  fileContent: null,
  deltaStart: null,
  recordCount: null,
};
