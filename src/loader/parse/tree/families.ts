/** Lists the three families of common data files, which XML and JSON share. */
import { type FileFamily, goldenCopy } from '../../../lei/golden-copy.ts';
import { level1Reader } from '../record/level-1.ts';
import type { RecordReport } from '../record/report.ts';
import { treeFormat } from './format.ts';
import { readException, readRelationship } from './level-2.ts';

export interface Family extends FileFamily {
  /** Reads one record; what makes it unusable or odd goes to the report. */
  read(node: unknown, report: RecordReport): void;
}

export const families: readonly Family[] = [
  { ...goldenCopy.lei2, read: level1Reader(treeFormat) },
  { ...goldenCopy.rr, read: readRelationship },
  { ...goldenCopy.repex, read: readException },
];
