/** The outcome of reading every file of a load. */
import type { SourceFile } from '../../publication/manifest.ts';
import type { KindCounts } from '../load-request.ts';

export interface Reading {
  readonly files: readonly SourceFile[];
  /** Rows used, by kind. */
  readonly rows: KindCounts;
  /** Rows that could not be used, by kind. */
  readonly rejected: KindCounts;
  readonly superseded: number;
  readonly deleted: number;
  /** Keys that this load brought, by kind: a full set must contain exactly these. */
  readonly keys: KindCounts;
}

/** Used and unusable rows, over all kinds. */
export function totalsOf({ rows, rejected }: Reading): { rows: number; rejected: number } {
  const sum = (counts: KindCounts) => Object.values(counts).reduce((total, count) => total + count, 0);
  return { rows: sum(rows), rejected: sum(rejected) };
}
