/** Reads level 2 records of any format, and remarks on odd values that are kept. */
import { relationshipFields } from '../../../lei/level-2-fields.ts';
import type { Relationship, RelationshipRecord, ReportingException } from '../../../lei/relationship.ts';
import { exceptionCategories } from '../../../lei/relationship-codes.ts';
import {
  activityCodes,
  exceptionReasonCodes,
  relationshipCodes,
  validationSourceCodes,
} from './code-lists.ts';
import { type FieldFormat, fieldsReader } from './fields.ts';
import { type RecordReport, shortQuoted } from './report.ts';
import { checkCode, checkLeiValue, checkOptionalCode, keyLei, keyText } from './values.ts';

/** Reads one record of a format; what makes it unusable or odd goes to the report. */
type ReadRecord<Node> = (node: Node, report: RecordReport) => void;

/** Says when a record was deleted, given the time of its last update; null if it was not. */
type DeletedAt<Node> = (node: Node, lastUpdate: string | null, report: RecordReport) => string | null;

/** Where the key of a relationship record is, in every format. */
export const relationshipKey = {
  start: 'Relationship.StartNode.NodeID',
  end: 'Relationship.EndNode.NodeID',
  type: relationshipFields.type.at,
} as const;

export function relationshipReader<Node>(
  format: FieldFormat<Node>,
  deletedAt: DeletedAt<Node>,
): ReadRecord<Node> {
  const textAt = (at: string) => format.text(at, at);
  const [startOf, endOf] = [textAt(relationshipKey.start), textAt(relationshipKey.end)];
  const typeOf = textAt(relationshipKey.type);
  // Both identifiers are LEIs.
  for (const end of ['StartNode', 'EndNode']) format.unused?.(`Relationship.${end}.NodeIDType`);
  const valuesOf = fieldsReader<Node, Relationship>(format, relationshipFields);
  return (node, report) => {
    const start = keyLei(startOf(node), relationshipKey.start, report);
    if (start === null) return;
    const end = keyLei(endOf(node), relationshipKey.end, report);
    if (end === null) return;
    if (keyText(typeOf(node), relationshipKey.type, report) === null) return;
    const record = { start, end, relationship: valuesOf(node, report, 0) };
    checkRelationship(record, report);
    const { lastUpdateDate } = record.relationship.registration;
    report.row({ kind: 'relationships', record, deletedAt: deletedAt(node, lastUpdateDate, report) });
  };
}

/** The columns of the key of a reporting exception. */
export const exceptionKey = { lei: 'LEI', category: 'Exception.Category' } as const;

const categories: ReadonlySet<string> = new Set(Object.values(exceptionCategories));

export function exceptionReader<Node>(
  format: FieldFormat<Node>,
  deletedAt: DeletedAt<Node>,
): ReadRecord<Node> {
  const leiOf = format.text('LEI', exceptionKey.lei);
  const categoryOf = format.text('ExceptionCategory', exceptionKey.category);
  const reasonsOf = format.texts('ExceptionReason', 'Exception.Reason');
  const referencesOf = format.texts('ExceptionReference', 'Exception.Reference');
  return (node, report) => {
    const lei = keyLei(leiOf(node), exceptionKey.lei, report);
    if (lei === null) return;
    const category = keyText(categoryOf(node), exceptionKey.category, report);
    if (category === null) return;
    if (!categories.has(category)) {
      // The category says which of the two parents is not reported; any other category is useless.
      const reason = `${shortQuoted(category)} is not one of ${[...categories].join(', ')}`;
      report.reject(exceptionKey.category, reason);
      return;
    }
    const exception = { category, reasons: reasonsOf(node), references: referencesOf(node) };
    checkException(exception, report);
    report.row({
      kind: 'reporting-exceptions',
      record: { lei, exception },
      deletedAt: deletedAt(node, null, report),
    });
  };
}

/** Remarks on everything odd in a relationship record, by the column names of the CSV form. */
function checkRelationship(record: RelationshipRecord, report: RecordReport): void {
  const { relationship } = record;
  const { registration, validation } = relationship;
  checkOptionalCode(relationship.type, relationshipCodes.type, 'Relationship.RelationshipType', report);
  checkCode(relationship.status, activityCodes, 'Relationship.RelationshipStatus', report);
  for (const [index, period] of relationship.periods.entries()) {
    checkCode(period.type, relationshipCodes.period, `Relationship.Period.${index + 1}.periodType`, report);
  }
  checkCode(
    registration.status,
    relationshipCodes.registrationStatus,
    'Registration.RegistrationStatus',
    report,
  );
  if (registration.lastUpdateDate === null) report.remark('Registration.LastUpdateDate', 'is missing');
  checkLeiValue(registration.managingLou, 'Registration.ManagingLOU', report);
  checkOptionalCode(validation.sources, validationSourceCodes, 'Registration.ValidationSources', report);
}

/** Remarks on everything odd in a reporting exception. */
function checkException(exception: ReportingException, report: RecordReport): void {
  if (exception.reasons.length === 0) report.remark('Exception.Reason', 'is missing');
  for (const [index, reason] of exception.reasons.entries()) {
    checkOptionalCode(reason, exceptionReasonCodes, `Exception.Reason.${index + 1}`, report);
  }
}
