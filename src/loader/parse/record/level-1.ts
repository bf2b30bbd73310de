/** Reads level 1 records of any format. */
import type { LegalEntityRecord } from '../../../lei/company.ts';
import { level1Fields } from '../../../lei/level-1-fields.ts';
import { type Format, fieldsReader } from './fields.ts';
import { keyLei } from './keys.ts';
import { checkLevel1 } from './level-1-checks.ts';
import type { RecordReport } from './report.ts';

/** Reads one record of a format; what makes it unusable or odd goes to the report. */
export function level1Reader<Node>(format: Format<Node>): (node: Node, report: RecordReport) => void {
  const { lei: leiField, ...others } = level1Fields;
  const leiOf = format.text(leiField.at, leiField.at);
  const readOthers = fieldsReader<Node, Omit<LegalEntityRecord, 'lei'>>(format, others);
  return (node, report) => {
    const lei = keyLei(leiOf(node), leiField.at, report);
    if (lei === null) return;
    const record = { lei, ...readOthers(node, report, 0) };
    checkLevel1(record, report);
    report.row({ kind: 'level-1', record });
  };
}
