/** What is odd about a legal entity record that is kept all the same: the same for every format. */
import type { LegalEntityRecord } from '../../../lei/company.ts';
import type { Address, EventGroup } from '../../../lei/company-parts.ts';
import { activityCodes, level1Codes, validationSourceCodes } from './code-lists.ts';
import { quoted, type RecordReport } from './report.ts';
import { checkCode, checkLeiValue, checkOptionalCode } from './value-checks.ts';

/** Remarks on everything odd in a record, by the column names of the CSV form. */
export function checkLevel1(record: LegalEntityRecord, report: RecordReport): void {
  checkEntity(record.entity, report);
  checkLists(record.entity, report);
  checkRegistration(record, report);
}

type Entity = LegalEntityRecord['entity'];

function checkEntity(entity: Entity, report: RecordReport): void {
  const { expiration } = entity;
  if (entity.legalName.name === '') report.remark('Entity.LegalName', 'is missing');
  checkCode(entity.status, activityCodes, 'Entity.EntityStatus', report);
  checkOptionalCode(entity.category, level1Codes.category, 'Entity.EntityCategory', report);
  checkOptionalCode(entity.subCategory, level1Codes.subCategory, 'Entity.EntitySubCategory', report);
  checkOptionalCode(expiration.reason, level1Codes.expirationReason, 'Entity.EntityExpirationReason', report);
  checkLeiValue(entity.associatedEntity?.lei ?? null, 'Entity.AssociatedEntity.AssociatedLEI', report);
  checkCountry(entity.legalAddress, 'Entity.LegalAddress.Country', report);
  checkCountry(entity.headquartersAddress, 'Entity.HeadquartersAddress.Country', report);
}

function checkRegistration({ registration, validation }: LegalEntityRecord, report: RecordReport): void {
  const column = 'Registration.RegistrationStatus';
  checkCode(registration.status, level1Codes.registrationStatus, column, report);
  if (registration.lastUpdateDate === null) report.remark('Registration.LastUpdateDate', 'is missing');
  checkLeiValue(registration.managingLou, 'Registration.ManagingLOU', report);
  checkOptionalCode(
    validation.corroborationLevel,
    validationSourceCodes,
    'Registration.ValidationSources',
    report,
  );
  checkOptionalCode(validation.conformityFlag, level1Codes.conformityFlag, 'ConformityFlag', report);
}

/** Nearly all of these lists are empty in nearly all records. */
function checkLists(entity: Entity, report: RecordReport): void {
  const transliterated = 'Entity.TransliteratedOther';
  checkTypes(entity.otherNames, level1Codes.otherName, 'Entity.OtherEntityNames.OtherEntityName', report);
  checkTypes(
    entity.transliteratedOtherNames,
    level1Codes.transliteratedName,
    `${transliterated}EntityNames.TransliteratedOtherEntityName`,
    report,
  );
  checkTypes(entity.otherAddresses, level1Codes.otherAddress, 'Entity.OtherAddresses.OtherAddress', report);
  checkTypes(
    entity.transliteratedOtherAddresses,
    level1Codes.transliteratedAddress,
    `${transliterated}Addresses.TransliteratedOtherAddress`,
    report,
  );
  for (let index = 0; index < entity.successorEntities.length; index++) {
    const lei = entity.successorEntities[index]?.lei ?? null;
    checkLeiValue(lei, `Entity.SuccessorEntity.${index + 1}.SuccessorLEI`, report);
  }
  for (const group of entity.eventGroups) checkEvents(group, report);
}

/** Names and addresses whose type is missing or unknown. */
function checkTypes(
  items: readonly { readonly type: string | null }[],
  known: ReadonlySet<string>,
  prefix: string,
  report: RecordReport,
): void {
  for (let index = 0; index < items.length; index++) {
    checkCode(items[index]?.type ?? null, known, `${prefix}.${index + 1}.type`, report);
  }
}

function checkEvents(group: EventGroup, report: RecordReport): void {
  const prefix = 'Entity.LegalEntityEvents.LegalEntityEvent';
  checkCode(group.groupType, level1Codes.eventGroup, `${prefix}.group_type`, report);
  for (const event of group.events) {
    checkCode(event.type, level1Codes.event, `${prefix}.LegalEntityEventType`, report);
    checkCode(event.status, level1Codes.eventStatus, `${prefix}.event_status`, report);
  }
}

/** Two capitals: whether they are a country is for the code list of whoever reads the record. */
function checkCountry(address: Address, column: string, report: RecordReport): void {
  const { country } = address;
  if (country === null) report.remark(column, 'is missing');
  else if (!/^[A-Z]{2}$/.test(country)) {
    report.remark(column, `${quoted(country)} is not a country code of two capitals; kept as published`);
  }
}
