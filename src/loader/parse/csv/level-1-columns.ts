/** The 338 columns of the level 1 golden copy CSV (LEI-CDF 3.1), in published order. */
import { ColumnList } from './columns.ts';

export const columnList = new ColumnList();
const column = (name: string) => columnList.column(name);
const repeated = columnList.repeated.bind(columnList);

const name = (prefix: string) => ({ name: column(prefix), language: column(`${prefix}.xmllang`) });
const typedName = (prefix: string) => ({ ...name(prefix), type: column(`${prefix}.type`) });
const postalMembers = (prefix: string) => ({
  firstLine: column(`${prefix}.FirstAddressLine`),
  addressNumber: column(`${prefix}.AddressNumber`),
  addressNumberWithinBuilding: column(`${prefix}.AddressNumberWithinBuilding`),
  mailRouting: column(`${prefix}.MailRouting`),
  additionalLines: [1, 2, 3].map((line) => column(`${prefix}.AdditionalAddressLine.${line}`)),
  city: column(`${prefix}.City`),
  region: column(`${prefix}.Region`),
  country: column(`${prefix}.Country`),
  postalCode: column(`${prefix}.PostalCode`),
});
const address = (prefix: string) => ({
  language: column(`${prefix}.xmllang`),
  ...postalMembers(prefix),
});
const typedAddress = (prefix: string) => ({
  language: column(`${prefix}.xmllang`),
  type: column(`${prefix}.type`),
  ...postalMembers(prefix),
});
const event = (prefix: string) => ({
  groupType: column(`${prefix}.group_type`),
  status: column(`${prefix}.event_status`),
  groupId: column(`${prefix}.group_id`),
  sequence: column(`${prefix}.group_sequence_no`),
  type: column(`${prefix}.LegalEntityEventType`),
  effectiveDate: column(`${prefix}.LegalEntityEventEffectiveDate`),
  recordedDate: column(`${prefix}.LegalEntityEventRecordedDate`),
  validationDocuments: column(`${prefix}.ValidationDocuments`),
  validationReference: column(`${prefix}.ValidationReference`),
  affectedFields: repeated(`${prefix}.AffectedFields.#`, 5, (inner) => ({
    value: column(`${inner}.AffectedField`),
    xpath: column(`${inner}.field_xpath`),
  })),
});
const validationAuthority = (prefix: string) => ({
  id: column(`${prefix}.ValidationAuthorityID`),
  other: column(`${prefix}.OtherValidationAuthorityID`),
  entityId: column(`${prefix}.ValidationAuthorityEntityID`),
});
const transliterated = 'Entity.TransliteratedOther';

// Evaluated from top to bottom: the order of the members is the order of the columns.
export const columns = {
  lei: column('LEI'),
  legalName: name('Entity.LegalName'),
  otherNames: repeated('Entity.OtherEntityNames.OtherEntityName.#', 5, typedName),
  transliteratedOtherNames: repeated(
    `${transliterated}EntityNames.TransliteratedOtherEntityName.#`,
    5,
    typedName,
  ),
  legalAddress: address('Entity.LegalAddress'),
  headquartersAddress: address('Entity.HeadquartersAddress'),
  otherAddresses: repeated('Entity.OtherAddresses.OtherAddress.#', 5, typedAddress),
  transliteratedOtherAddresses: repeated(
    `${transliterated}Addresses.TransliteratedOtherAddress.#`,
    5,
    typedAddress,
  ),
  registrationAuthority: {
    id: column('Entity.RegistrationAuthority.RegistrationAuthorityID'),
    other: column('Entity.RegistrationAuthority.OtherRegistrationAuthorityID'),
    entityId: column('Entity.RegistrationAuthority.RegistrationAuthorityEntityID'),
  },
  jurisdiction: column('Entity.LegalJurisdiction'),
  category: column('Entity.EntityCategory'),
  subCategory: column('Entity.EntitySubCategory'),
  legalForm: column('Entity.LegalForm.EntityLegalFormCode'),
  otherLegalForm: column('Entity.LegalForm.OtherLegalForm'),
  associatedEntity: {
    type: column('Entity.AssociatedEntity.type'),
    lei: column('Entity.AssociatedEntity.AssociatedLEI'),
    name: column('Entity.AssociatedEntity.AssociatedEntityName'),
    // Has no place in the Company: the associated entity is given by LEI and name alone.
    language: column('Entity.AssociatedEntity.AssociatedEntityName.xmllang'),
  },
  entityStatus: column('Entity.EntityStatus'),
  creationDate: column('Entity.EntityCreationDate'),
  expirationDate: column('Entity.EntityExpirationDate'),
  expirationReason: column('Entity.EntityExpirationReason'),
  successorEntities: repeated('Entity.SuccessorEntity.#', 5, (prefix) => ({
    lei: column(`${prefix}.SuccessorLEI`),
    name: column(`${prefix}.SuccessorEntityName`),
    language: column(`${prefix}.SuccessorEntity.xmllang`),
  })),
  events: repeated('Entity.LegalEntityEvents.LegalEntityEvent.#', 5, event),
  initialRegistrationDate: column('Registration.InitialRegistrationDate'),
  lastUpdateDate: column('Registration.LastUpdateDate'),
  registrationStatus: column('Registration.RegistrationStatus'),
  nextRenewalDate: column('Registration.NextRenewalDate'),
  managingLou: column('Registration.ManagingLOU'),
  validationSources: column('Registration.ValidationSources'),
  validationAuthority: validationAuthority('Registration.ValidationAuthority'),
  otherValidationAuthorities: repeated(
    'Registration.OtherValidationAuthorities.OtherValidationAuthority.#',
    5,
    validationAuthority,
  ),
  conformityFlag: column('ConformityFlag'),
} as const;

export type AddressColumns = ReturnType<typeof address>;
export type TypedAddressColumns = ReturnType<typeof typedAddress>;
export type TypedNameColumns = ReturnType<typeof typedName>;
export type EventColumns = ReturnType<typeof event>;
export type AuthorityColumns = ReturnType<typeof validationAuthority>;
