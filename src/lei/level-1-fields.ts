/** Lists the fields of a level 1 record (fields.ts). */
import type { LegalEntityRecord } from './company.ts';
import type { Address, Authority, LegalEntityEvent, TypedAddress, TypedName } from './company-parts.ts';
import {
  code,
  type FieldsOf,
  hiddenText,
  list,
  type PathsIn,
  type PublishedEvent,
  text,
  time,
} from './fields.ts';

const name = (at: string): FieldsOf<Pick<TypedName, 'name' | 'language'>> => ({
  name: text(at),
  language: text(`${at}@xml:lang`),
});
const address = (at: string): FieldsOf<Address> => ({
  language: text(`${at}@xml:lang`),
  addressLines: {
    is: 'lines',
    first: `${at}.FirstAddressLine`,
    additional: `${at}.AdditionalAddressLine`,
  },
  addressNumber: text(`${at}.AddressNumber`),
  addressNumberWithinBuilding: text(`${at}.AddressNumberWithinBuilding`),
  mailRouting: text(`${at}.MailRouting`),
  city: text(`${at}.City`),
  region: text(`${at}.Region`),
  country: text(`${at}.Country`),
  postalCode: text(`${at}.PostalCode`),
});
const authority = (at: string): FieldsOf<Authority> => ({
  id: text(`${at}.ValidationAuthorityID`),
  other: text(`${at}.OtherValidationAuthorityID`),
});
const wholeAddress = (at: string) => ({ is: 'whole', members: address(at) }) as const;

/** Members of the items of lists. */
const typedName: FieldsOf<TypedName> = { ...name(''), type: code('@type') };
const typedAddress: FieldsOf<TypedAddress> = { type: text('@type'), ...address('') };
const successor: FieldsOf<LegalEntityRecord['entity']['successorEntities'][number]> = {
  lei: text('.SuccessorLEI'),
  name: text('.SuccessorEntityName'),
  language: hiddenText('.SuccessorEntityName@xml:lang', '.SuccessorEntity.xmllang'),
};
const affectedField: FieldsOf<LegalEntityEvent['affectedFields'][number]> = {
  xpath: text('@field_xpath'),
  value: text('', '.AffectedField'),
};
const publishedEvent = {
  groupType: code('@group_type'),
  groupId: text('@group_id'),
  event: {
    type: code('.LegalEntityEventType'),
    status: code('@event_status'),
    sequence: { is: 'position', at: '@group_sequence_no' },
    effectiveDate: time('.LegalEntityEventEffectiveDate'),
    recordedDate: time('.LegalEntityEventRecordedDate'),
    validationDocuments: code('.ValidationDocuments'),
    validationReference: text('.ValidationReference'),
    affectedFields: {
      is: 'list',
      at: '.AffectedFields.AffectedField',
      column: '.AffectedFields',
      members: affectedField,
    },
  },
} as const satisfies FieldsOf<PublishedEvent>;
const otherAuthority: FieldsOf<LegalEntityRecord['validation']['otherValidationAuthorities'][number]> = {
  validatedAt: authority(''),
  validatedAs: text('.ValidationAuthorityEntityID'),
};

const transliterated = 'Entity.TransliteratedOther';
const register = 'Entity.RegistrationAuthority';
const validator = 'Registration.ValidationAuthority';

/** Their order is that of the JSON and of storage, and part of the format: another needs a new format version. */
export const level1Fields = {
  lei: text('LEI'),
  entity: {
    legalName: { ...name('Entity.LegalName'), name: { ...text('Entity.LegalName'), missing: '' } },
    otherNames: list('Entity.OtherEntityNames.OtherEntityName', typedName),
    transliteratedOtherNames: list(`${transliterated}EntityNames.TransliteratedOtherEntityName`, typedName),
    legalAddress: wholeAddress('Entity.LegalAddress'),
    headquartersAddress: wholeAddress('Entity.HeadquartersAddress'),
    otherAddresses: list('Entity.OtherAddresses.OtherAddress', typedAddress),
    transliteratedOtherAddresses: list(`${transliterated}Addresses.TransliteratedOtherAddress`, typedAddress),
    registeredAt: {
      id: text(`${register}.RegistrationAuthorityID`),
      other: text(`${register}.OtherRegistrationAuthorityID`),
    },
    registeredAs: text(`${register}.RegistrationAuthorityEntityID`),
    jurisdiction: text('Entity.LegalJurisdiction'),
    category: code('Entity.EntityCategory'),
    subCategory: text('Entity.EntitySubCategory'),
    legalForm: {
      id: text('Entity.LegalForm.EntityLegalFormCode'),
      other: text('Entity.LegalForm.OtherLegalForm'),
    },
    associatedEntity: {
      is: 'optional',
      members: {
        type: text('Entity.AssociatedEntity@type'),
        lei: text('Entity.AssociatedEntity.AssociatedLEI'),
        name: text('Entity.AssociatedEntity.AssociatedEntityName'),
      },
      // The associated entity is given by LEI and name alone.
      unused: ['Entity.AssociatedEntity.AssociatedEntityName.xmllang'],
    },
    status: code('Entity.EntityStatus'),
    creationDate: time('Entity.EntityCreationDate'),
    expiration: {
      date: time('Entity.EntityExpirationDate'),
      reason: text('Entity.EntityExpirationReason'),
    },
    successorEntities: list('Entity.SuccessorEntity', successor),
    eventGroups: {
      is: 'events',
      at: 'Entity.LegalEntityEvents.LegalEntityEvent',
      members: publishedEvent,
    },
  },
  registration: {
    status: code('Registration.RegistrationStatus'),
    initialRegistrationDate: time('Registration.InitialRegistrationDate'),
    lastUpdateDate: time('Registration.LastUpdateDate'),
    nextRenewalDate: time('Registration.NextRenewalDate'),
    managingLou: text('Registration.ManagingLOU'),
  },
  validation: {
    corroborationLevel: code('Registration.ValidationSources'),
    validatedAt: authority(validator),
    validatedAs: text(`${validator}.ValidationAuthorityEntityID`),
    otherValidationAuthorities: list(
      'Registration.OtherValidationAuthorities.OtherValidationAuthority',
      otherAuthority,
    ),
    conformityFlag: code('Extension.gleif:conformity.gleif:conformityflag', 'ConformityFlag'),
  },
} as const satisfies FieldsOf<LegalEntityRecord>;

export type FieldPath = PathsIn<typeof level1Fields>;
