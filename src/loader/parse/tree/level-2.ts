/** Reads trees of relationship records (RR-CDF 2.1, 1.1) and reporting exceptions (2.1, 1.0) as records. */
import { readExceptionKey } from '../record/keys.ts';
import { checkException } from '../record/level-2-checks.ts';
import { relationshipReader } from '../record/relationships.ts';
import type { RecordReport } from '../record/report.ts';
import { treeFormat } from './format.ts';
import { descend, textOf, texts } from './tree.ts';

/** Reads one relationship record; what makes it unusable or odd goes to the report. */
export const readRelationship = relationshipReader(treeFormat, deletedAt);

/** Reads one reporting exception; what makes it unusable or odd goes to the report. */
export function readException(node: unknown, report: RecordReport): void {
  const key = readExceptionKey(textOf(node, 'LEI'), textOf(node, 'ExceptionCategory'), report);
  if (key === null) return;
  const exception = {
    category: key.category,
    reasons: texts(node, 'ExceptionReason'),
    references: texts(node, 'ExceptionReference'),
  };
  checkException(exception, report);
  report.row({
    kind: 'reporting-exceptions',
    record: { lei: key.lei, exception },
    deletedAt: deletedAt(node, null, report),
  });
}

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
  return time ?? lastUpdate ?? '';
}
