/** Reads trees of relationship records (RR-CDF 2.1, 1.1) and reporting exceptions (2.1, 1.0) as records. */
import type { RelationshipRecord } from '../../../lei/relationship.ts';
import { readExceptionKey, readRelationshipKey } from '../record/keys.ts';
import { checkException, checkRelationship } from '../record/level-2-checks.ts';
import type { RecordReport } from '../record/report.ts';
import { child, children, descend, listed, ownText, textOf } from './tree.ts';

/** Reads one relationship record; what makes it unusable or odd goes to the report. */
export function readRelationship(node: unknown, report: RecordReport): void {
  const published = child(node, 'Relationship');
  const registration = child(node, 'Registration');
  const key = readRelationshipKey(
    ownText(descend(published, ['StartNode', 'NodeID'])),
    ownText(descend(published, ['EndNode', 'NodeID'])),
    textOf(published, 'RelationshipType'),
    report,
  );
  if (key === null) return;
  const date = (name: string) => report.date(textOf(registration, name), `Registration.${name}`);
  const record: RelationshipRecord = {
    start: key.start,
    end: key.end,
    relationship: {
      type: key.type,
      status: textOf(published, 'RelationshipStatus'),
      periods: periods(published, report),
      qualifiers: listed(published, 'RelationshipQualifiers', 'RelationshipQualifier', (item) => ({
        dimension: textOf(item, 'QualifierDimension'),
        category: textOf(item, 'QualifierCategory'),
      })),
      quantifiers: listed(published, 'RelationshipQuantifiers', 'RelationshipQuantifier', (item) => ({
        method: textOf(item, 'MeasurementMethod'),
        amount: textOf(item, 'QuantifierAmount'),
        units: textOf(item, 'QuantifierUnits'),
      })),
      validation: {
        sources: textOf(registration, 'ValidationSources'),
        documents: textOf(registration, 'ValidationDocuments'),
        reference: textOf(registration, 'ValidationReference'),
      },
      registration: {
        status: textOf(registration, 'RegistrationStatus'),
        initialRegistrationDate: date('InitialRegistrationDate'),
        lastUpdateDate: date('LastUpdateDate'),
        nextRenewalDate: date('NextRenewalDate'),
        managingLou: textOf(registration, 'ManagingLOU'),
      },
    },
  };
  checkRelationship(record, report);
  report.row({
    kind: 'relationships',
    record,
    deletedAt: deletedAt(node, record.relationship.registration.lastUpdateDate, report),
  });
}

function periods(published: unknown, report: RecordReport) {
  return listed(published, 'RelationshipPeriods', 'RelationshipPeriod', (item, index) => {
    const prefix = `Relationship.Period.${index + 1}`;
    return {
      type: textOf(item, 'PeriodType'),
      startDate: report.date(textOf(item, 'StartDate'), `${prefix}.startDate`),
      endDate: report.date(textOf(item, 'EndDate'), `${prefix}.endDate`),
    };
  });
}

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

function texts(node: unknown, name: string): string[] {
  return children(node, name)
    .map(ownText)
    .filter((text) => text !== null);
}

/**
 * A deletion is the last state of the record with this mark.
 * @param lastUpdate the time of a deletion whose mark has none
 */
function deletedAt(node: unknown, lastUpdate: string | null, report: RecordReport): string | null {
  const deletion = descend(node, ['Extension', 'gleif:Deletion']);
  if (deletion === undefined) return null;
  const time = report.date(textOf(deletion, 'gleif:DeletedAt'), 'Extension.Deletion.DeletedAt');
  if (time === null)
    report.remark('Extension.Deletion.DeletedAt', 'is missing; the record is deleted anyway');
  return time ?? lastUpdate ?? '';
}
