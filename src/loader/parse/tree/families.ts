/** Lists the three families of common data files, which XML and JSON share. */
import { shownTime } from '../../../lei/dates.ts';
import { type FileFamily, goldenCopy } from '../../../lei/golden-copy.ts';
import { level1Reader } from '../record/level-1.ts';
import { exceptionReader, relationshipReader } from '../record/level-2.ts';
import type { RecordReport } from '../record/report.ts';
import { descend, textOf, treeFormat } from './tree.ts';

export interface RecordFamily extends FileFamily {
  /** Reads one record; what makes it unusable or odd goes to the report. */
  read(node: unknown, report: RecordReport): void;
}

export const families: readonly RecordFamily[] = [
  { ...goldenCopy.lei2, read: level1Reader(treeFormat) },
  { ...goldenCopy.rr, read: relationshipReader(treeFormat, deletedAt) },
  { ...goldenCopy.repex, read: exceptionReader(treeFormat, deletedAt) },
];

/**
 * A deletion is the last state of the record with this mark.
 * @param lastUpdate the time of a deletion whose mark has none
 */
function deletedAt(node: unknown, lastUpdate: string | null, report: RecordReport): string | null {
  const deletion = descend(node, ['Extension', 'gleif:Deletion']);
  // JSON also writes null for what a record does not have.
  if (deletion === undefined || deletion === null) return null;
  const time = report.date(textOf(deletion, 'gleif:DeletedAt'), 'Extension.Deletion.DeletedAt');
  if (time === null)
    report.remark('Extension.Deletion.DeletedAt', 'is missing; the record is deleted anyway');
  return shownTime(time ?? lastUpdate ?? '').time;
}
