/** Finds what is odd about a level 2 record that is still kept, for every format. */
import type { RelationshipRecord, ReportingException } from '../../../lei/relationship.ts';
import {
  activityCodes,
  exceptionReasonCodes,
  relationshipCodes,
  validationSourceCodes,
} from './code-lists.ts';
import type { RecordReport } from './report.ts';
import { checkCode, checkLeiValue, checkOptionalCode } from './value-checks.ts';

/** Remarks on everything odd in a relationship record, by the column names of the CSV form. */
export function checkRelationship(record: RelationshipRecord, report: RecordReport): void {
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
export function checkException(exception: ReportingException, report: RecordReport): void {
  if (exception.reasons.length === 0) report.remark('Exception.Reason', 'is missing');
  for (const [index, reason] of exception.reasons.entries()) {
    checkOptionalCode(reason, exceptionReasonCodes, `Exception.Reason.${index + 1}`, report);
  }
}
