/** Reads relationship records of any format. */
import { relationshipFields } from '../../../lei/level-2-fields.ts';
import type { Relationship } from '../../../lei/relationship.ts';
import { type Format, fieldsReader } from './fields.ts';
import { readRelationshipKey, relationshipKey } from './keys.ts';
import { checkRelationship } from './level-2-checks.ts';
import type { RecordReport } from './report.ts';

/**
 * Reads one record of a format; what makes it unusable or odd goes to the report.
 * @param deletedAt when the record was deleted, given the time of its last update; null if it was not
 */
export function relationshipReader<Node>(
  format: Format<Node>,
  deletedAt: (node: Node, lastUpdate: string | null, report: RecordReport) => string | null,
): (node: Node, report: RecordReport) => void {
  const textAt = (at: string) => format.text(at, at);
  const [startOf, endOf] = [textAt(relationshipKey.start), textAt(relationshipKey.end)];
  const typeOf = textAt(relationshipKey.type);
  // Both identifiers are LEIs.
  for (const end of ['StartNode', 'EndNode']) format.unused?.(`Relationship.${end}.NodeIDType`);
  const valuesOf = fieldsReader<Node, Relationship>(format, relationshipFields);
  return (node, report) => {
    const ends = readRelationshipKey(startOf(node), endOf(node), typeOf(node), report);
    if (ends === null) return;
    const record = { start: ends.start, end: ends.end, relationship: valuesOf(node, report, 0) };
    checkRelationship(record, report);
    const { lastUpdateDate } = record.relationship.registration;
    report.row({ kind: 'relationships', record, deletedAt: deletedAt(node, lastUpdateDate, report) });
  };
}
