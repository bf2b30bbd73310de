/** Lists the three families of common data files, which XML and JSON share. */
import { type FileFamily, goldenCopy } from '../../../lei/golden-copy.ts';
import type { RecordReport } from '../record/report.ts';
import { readLevel1 } from './level-1.ts';
import { readException, readRelationship } from './level-2.ts';

export interface Family extends FileFamily {
  /** Reads one record. */
  read(node: unknown, report: RecordReport): void;
}

export const families: readonly Family[] = [
  { ...goldenCopy.lei2, read: readLevel1 },
  { ...goldenCopy.rr, read: readRelationship },
  { ...goldenCopy.repex, read: readException },
];
