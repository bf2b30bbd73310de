/** What is odd about a legal entity record that is kept all the same: the same for every format. */
import { registrationStatuses } from '../../../lei/codes.ts';
import type { Address, LegalEntityRecord } from '../../../lei/company.ts';
import { checkCode, checkLeiValue, checkOptionalCode, validationSources } from './codes.ts';
import { quoted, type RecordReport } from './report.ts';

const codes = {
  registrationStatus: new Set<string>(registrationStatuses),
  entityStatus: new Set(['ACTIVE', 'INACTIVE', 'NULL']),
  category: new Set([
    'GENERAL',
    'BRANCH',
    'FUND',
    'SOLE_PROPRIETOR',
    'RESIDENT_GOVERNMENT_ENTITY',
    'INTERNATIONAL_ORGANIZATION',
  ]),
  subCategory: new Set(['CENTRAL_GOVERNMENT', 'STATE_GOVERNMENT', 'LOCAL_GOVERNMENT', 'SOCIAL_SECURITY']),
  expirationReason: new Set(['DISSOLVED', 'CORPORATE_ACTION', 'OTHER']),
  conformityFlag: new Set(['CONFORMING', 'NON_CONFORMING', 'NOT_APPLICABLE']),
};

/** Remarks on everything odd in a record, by the column names of the CSV form. */
export function checkLevel1(record: LegalEntityRecord, report: RecordReport): void {
  const { entity, registration, validation } = record;
  if (entity.legalName.name === '') report.remark('Entity.LegalName', 'is missing');
  if (registration.lastUpdateDate === null) report.remark('Registration.LastUpdateDate', 'is missing');
  checkCode(registration.status, codes.registrationStatus, 'Registration.RegistrationStatus', report);
  checkCode(entity.status, codes.entityStatus, 'Entity.EntityStatus', report);
  checkOptionalCode(entity.category, codes.category, 'Entity.EntityCategory', report);
  checkOptionalCode(entity.subCategory, codes.subCategory, 'Entity.EntitySubCategory', report);
  checkOptionalCode(
    entity.expiration.reason,
    codes.expirationReason,
    'Entity.EntityExpirationReason',
    report,
  );
  checkOptionalCode(
    validation.corroborationLevel,
    validationSources,
    'Registration.ValidationSources',
    report,
  );
  checkOptionalCode(validation.conformityFlag, codes.conformityFlag, 'ConformityFlag', report);
  checkLeiValue(registration.managingLou, 'Registration.ManagingLOU', report);
  checkLeiValue(entity.associatedEntity?.lei ?? null, 'Entity.AssociatedEntity.AssociatedLEI', report);
  for (const successor of entity.successorEntities) {
    checkLeiValue(successor.lei, 'Entity.SuccessorEntity.SuccessorLEI', report);
  }
  checkCountry(entity.legalAddress, 'Entity.LegalAddress.Country', report);
  checkCountry(entity.headquartersAddress, 'Entity.HeadquartersAddress.Country', report);
}

/** Two capitals: whether they are a country is for the code list of whoever reads the record. */
function checkCountry(address: Address, column: string, report: RecordReport): void {
  const { country } = address;
  if (country === null) report.remark(column, 'is missing');
  else if (!/^[A-Z]{2}$/.test(country)) {
    report.remark(column, `${quoted(country)} is not a country code of two capitals; kept as published`);
  }
}
