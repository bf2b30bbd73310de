/** What the beginning of a file says. */
import type { SourceKind } from '../../publication/manifest.ts';
import type { SourceFormat, SourceHeader } from '../rows.ts';

export interface Recognised {
  readonly format: SourceFormat;
  readonly kind: SourceKind;
  /** From the file itself, regardless of its name. */
  readonly header: SourceHeader;
}

/** For the formats without one. */
export const noHeader: SourceHeader = {
  contentDate: null,
  fileContent: null,
  deltaStart: null,
  recordCount: null,
};
