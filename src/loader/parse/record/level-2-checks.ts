/** What is odd about a level 2 record that is kept all the same: the same for every format. */
import type { RelationshipRecord, ReportingException } from '../../../lei/relationship.ts';
import { checkCode, checkLeiValue, checkOptionalCode, validationSources } from './codes.ts';
import type { RecordReport } from './report.ts';

const types = new Set([
  'IS_DIRECTLY_CONSOLIDATED_BY',
  'IS_ULTIMATELY_CONSOLIDATED_BY',
  'IS_INTERNATIONAL_BRANCH_OF',
  'IS_FUND-MANAGED_BY',
  'IS_SUBFUND_OF',
  'IS_FEEDER_TO',
]);
const statuses = new Set(['ACTIVE', 'INACTIVE', 'NULL']);
const periodTypes = new Set(['ACCOUNTING_PERIOD', 'RELATIONSHIP_PERIOD', 'DOCUMENT_FILING_PERIOD']);
const registrationStatuses = new Set([
  'PENDING_VALIDATION',
  'PUBLISHED',
  'DUPLICATE',
  'LAPSED',
  'RETIRED',
  'ANNULLED',
  'TRANSFERRED',
  'PENDING_TRANSFER',
  'PENDING_ARCHIVAL',
]);
/** With the ones folded into NON_PUBLIC in 2022, which older files hold, and one that GLEIF itself misspells. */
const reasons = new Set([
  'NO_LEI',
  'NATURAL_PERSONS',
  'NON_CONSOLIDATING',
  'NO_KNOWN_PERSON',
  'NON_PUBLIC',
  'BINDING_LEGAL_COMMITMENTS',
  'LEGAL_OBSTACLES',
  'DISCLOSURE_DETRIMENTAL',
  'DISCOLSURE_DETRIMENTAL',
  'DETRIMENT_NOT_EXCLUDED',
  'CONSENT_NOT_OBTAINED',
]);

/** Remarks on everything odd in a relationship record, by the column names of the CSV form. */
export function checkRelationship(record: RelationshipRecord, report: RecordReport): void {
  const { relationship } = record;
  const { registration, validation } = relationship;
  checkOptionalCode(relationship.type, types, 'Relationship.RelationshipType', report);
  checkCode(relationship.status, statuses, 'Relationship.RelationshipStatus', report);
  for (const [index, period] of relationship.periods.entries()) {
    checkCode(period.type, periodTypes, `Relationship.Period.${index + 1}.periodType`, report);
  }
  checkCode(registration.status, registrationStatuses, 'Registration.RegistrationStatus', report);
  if (registration.lastUpdateDate === null) report.remark('Registration.LastUpdateDate', 'is missing');
  checkLeiValue(registration.managingLou, 'Registration.ManagingLOU', report);
  checkOptionalCode(validation.sources, validationSources, 'Registration.ValidationSources', report);
}

/** Remarks on everything odd in a reporting exception. */
export function checkException(exception: ReportingException, report: RecordReport): void {
  if (exception.reasons.length === 0) report.remark('Exception.Reason', 'is missing');
  for (const [index, reason] of exception.reasons.entries()) {
    checkOptionalCode(reason, reasons, `Exception.Reason.${index + 1}`, report);
  }
}
