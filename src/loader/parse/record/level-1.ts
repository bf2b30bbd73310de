/** Reads level 1 records of any format, and remarks on odd values that are kept. */
import type { LegalEntityRecord } from '../../../lei/company.ts';
import type { Address, EventGroup } from '../../../lei/company-parts.ts';
import { columnOf } from '../../../lei/fields.ts';
import { level1Fields } from '../../../lei/level-1-fields.ts';
import { activityCodes, level1Codes, validationSourceCodes } from './code-lists.ts';
import { type FieldFormat, fieldsReader } from './fields.ts';
import { type RecordReport, shortQuoted } from './report.ts';
import { checkCode, checkLeiValue, checkOptionalCode, keyLei } from './values.ts';

/** Reads one record of a format; what makes it unusable or odd goes to the report. */
export function level1Reader<Node>(format: FieldFormat<Node>): (node: Node, report: RecordReport) => void {
  const { at } = level1Fields.lei;
  const leiOf = format.text(at, at);
  const readFields = fieldsReader<Node, LegalEntityRecord>(format, level1Fields);
  return (node, report) => {
    const lei = keyLei(leiOf(node), at, report);
    if (lei === null) return;
    const read = readFields(node, report, 0);
    // Nearly all are published in capitals.
    const record = read.lei === lei ? read : { ...read, lei };
    checkLevel1(record, report);
    report.row({ kind: 'level-1', record });
  };
}

const fields = level1Fields.entity;
const { members: eventFields } = fields.eventGroups;
const { registration: registrationFields, validation: validationFields } = level1Fields;
/** Names of the checked columns; for lists, the beginning of their items' columns. */
const columns = {
  legalName: columnOf(fields.legalName.name),
  entityStatus: columnOf(fields.status),
  category: columnOf(fields.category),
  subCategory: columnOf(fields.subCategory),
  expirationReason: columnOf(fields.expiration.reason),
  associatedLei: columnOf(fields.associatedEntity.members.lei),
  legalCountry: columnOf(fields.legalAddress.members.country),
  headquartersCountry: columnOf(fields.headquartersAddress.members.country),
  otherNames: columnOf(fields.otherNames),
  transliteratedOtherNames: columnOf(fields.transliteratedOtherNames),
  otherAddresses: columnOf(fields.otherAddresses),
  transliteratedOtherAddresses: columnOf(fields.transliteratedOtherAddresses),
  successors: columnOf(fields.successorEntities),
  successorLei: columnOf(fields.successorEntities.members.lei),
  eventGroup: columnOf(eventFields.groupType, columnOf(fields.eventGroups)),
  eventType: columnOf(eventFields.event.type, columnOf(fields.eventGroups)),
  eventStatus: columnOf(eventFields.event.status, columnOf(fields.eventGroups)),
  registrationStatus: columnOf(registrationFields.status),
  lastUpdateDate: columnOf(registrationFields.lastUpdateDate),
  managingLou: columnOf(registrationFields.managingLou),
  corroborationLevel: columnOf(validationFields.corroborationLevel),
  conformityFlag: columnOf(validationFields.conformityFlag),
} as const;

/** Remarks on everything odd in a record, by the column names of the CSV form. */
function checkLevel1(record: LegalEntityRecord, report: RecordReport): void {
  checkEntity(record.entity, report);
  checkLists(record.entity, report);
  checkRegistration(record, report);
}

type Entity = LegalEntityRecord['entity'];

function checkEntity(entity: Entity, report: RecordReport): void {
  const { expiration } = entity;
  if (entity.legalName.name === '') report.remark(columns.legalName, 'is missing');
  checkCode(entity.status, activityCodes, columns.entityStatus, report);
  checkOptionalCode(entity.category, level1Codes.category, columns.category, report);
  checkOptionalCode(entity.subCategory, level1Codes.subCategory, columns.subCategory, report);
  checkOptionalCode(expiration.reason, level1Codes.expirationReason, columns.expirationReason, report);
  checkLeiValue(entity.associatedEntity?.lei ?? null, columns.associatedLei, report);
  checkCountry(entity.legalAddress, columns.legalCountry, report);
  checkCountry(entity.headquartersAddress, columns.headquartersCountry, report);
}

function checkRegistration({ registration, validation }: LegalEntityRecord, report: RecordReport): void {
  checkCode(registration.status, level1Codes.registrationStatus, columns.registrationStatus, report);
  if (registration.lastUpdateDate === null) report.remark(columns.lastUpdateDate, 'is missing');
  checkLeiValue(registration.managingLou, columns.managingLou, report);
  checkOptionalCode(validation.corroborationLevel, validationSourceCodes, columns.corroborationLevel, report);
  checkOptionalCode(validation.conformityFlag, level1Codes.conformityFlag, columns.conformityFlag, report);
}

/** Nearly all of these lists are empty in nearly all records. */
function checkLists(entity: Entity, report: RecordReport): void {
  checkTypes(entity.otherNames, level1Codes.otherName, columns.otherNames, report);
  checkTypes(
    entity.transliteratedOtherNames,
    level1Codes.transliteratedName,
    columns.transliteratedOtherNames,
    report,
  );
  checkTypes(entity.otherAddresses, level1Codes.otherAddress, columns.otherAddresses, report);
  checkTypes(
    entity.transliteratedOtherAddresses,
    level1Codes.transliteratedAddress,
    columns.transliteratedOtherAddresses,
    report,
  );
  for (let index = 0; index < entity.successorEntities.length; index++) {
    const lei = entity.successorEntities[index]?.lei ?? null;
    checkLeiValue(lei, `${columns.successors}.${index + 1}${columns.successorLei}`, report);
  }
  for (const group of entity.eventGroups) checkEvents(group, report);
}

const typeField = fields.otherNames.members.type;

/** Names and addresses whose type is missing or unknown. */
function checkTypes(
  items: readonly { readonly type: string | null }[],
  known: ReadonlySet<string>,
  prefix: string,
  report: RecordReport,
): void {
  for (let index = 0; index < items.length; index++) {
    checkCode(items[index]?.type ?? null, known, columnOf(typeField, `${prefix}.${index + 1}`), report);
  }
}

function checkEvents(group: EventGroup, report: RecordReport): void {
  checkCode(group.groupType, level1Codes.eventGroup, columns.eventGroup, report);
  for (const event of group.events) {
    checkCode(event.type, level1Codes.event, columns.eventType, report);
    checkCode(event.status, level1Codes.eventStatus, columns.eventStatus, report);
  }
}

/** Two capitals: the reader's code list decides whether they are a country. */
function checkCountry(address: Address, column: string, report: RecordReport): void {
  const { country } = address;
  if (country === null) report.remark(column, 'is missing');
  else if (!/^[A-Z]{2}$/.test(country)) {
    report.remark(column, `${shortQuoted(country)} is not a country code of two capitals; kept as published`);
  }
}
