/** Trees of level 1 records (LEI-CDF 3.1 and 2.1) as legal entity records. */
import type { LegalEntityRecord } from '../../../lei/company.ts';
import type { Address, EventGroup, TypedAddress, TypedName } from '../../../lei/company-parts.ts';
import { holdsAnything } from '../record/blank.ts';
import { groupEvents, readSequence } from '../record/events.ts';
import { keyLei } from '../record/keys.ts';
import { checkLevel1 } from '../record/level-1-checks.ts';
import type { RecordReport } from '../record/report.ts';
import { attribute, child, children, descend, listed, ownText, textOf } from './tree.ts';

/** Reads one record; what makes it unusable or odd goes to the report, by the column names of the CSV form. */
export function readLevel1(node: unknown, report: RecordReport): void {
  const lei = keyLei(textOf(node, 'LEI'), 'LEI', report);
  if (lei === null) return;
  const registration = child(node, 'Registration');
  const date = (name: string) => report.date(textOf(registration, name), `Registration.${name}`);
  const record: LegalEntityRecord = {
    lei,
    entity: entity(child(node, 'Entity'), report),
    registration: {
      status: textOf(registration, 'RegistrationStatus'),
      initialRegistrationDate: date('InitialRegistrationDate'),
      lastUpdateDate: date('LastUpdateDate'),
      nextRenewalDate: date('NextRenewalDate'),
      managingLou: textOf(registration, 'ManagingLOU'),
    },
    validation: {
      corroborationLevel: textOf(registration, 'ValidationSources'),
      ...validated(child(registration, 'ValidationAuthority')),
      otherValidationAuthorities: listed(
        registration,
        'OtherValidationAuthorities',
        'OtherValidationAuthority',
        validated,
      ),
      conformityFlag: ownText(descend(node, 'Extension', 'gleif:conformity', 'gleif:conformityflag')),
    },
  };
  checkLevel1(record, report);
  report.row({ kind: 'level-1', record });
}

function entity(node: unknown, report: RecordReport): LegalEntityRecord['entity'] {
  const authority = child(node, 'RegistrationAuthority');
  const legalForm = child(node, 'LegalForm');
  const date = (name: string) => report.date(textOf(node, name), `Entity.${name}`);
  return {
    legalName: {
      name: textOf(node, 'LegalName') ?? '',
      language: attribute(child(node, 'LegalName'), 'xml:lang'),
    },
    otherNames: listed(node, 'OtherEntityNames', 'OtherEntityName', typedName),
    transliteratedOtherNames: listed(
      node,
      'TransliteratedOtherEntityNames',
      'TransliteratedOtherEntityName',
      typedName,
    ),
    legalAddress: address(child(node, 'LegalAddress')),
    headquartersAddress: address(child(node, 'HeadquartersAddress')),
    otherAddresses: listed(node, 'OtherAddresses', 'OtherAddress', typedAddress),
    transliteratedOtherAddresses: listed(
      node,
      'TransliteratedOtherAddresses',
      'TransliteratedOtherAddress',
      typedAddress,
    ),
    registeredAt: {
      id: textOf(authority, 'RegistrationAuthorityID'),
      other: textOf(authority, 'OtherRegistrationAuthorityID'),
    },
    registeredAs: textOf(authority, 'RegistrationAuthorityEntityID'),
    jurisdiction: textOf(node, 'LegalJurisdiction'),
    category: textOf(node, 'EntityCategory'),
    subCategory: textOf(node, 'EntitySubCategory'),
    legalForm: {
      id: textOf(legalForm, 'EntityLegalFormCode'),
      other: textOf(legalForm, 'OtherLegalForm'),
    },
    associatedEntity: associatedEntity(child(node, 'AssociatedEntity')),
    status: textOf(node, 'EntityStatus'),
    creationDate: date('EntityCreationDate'),
    expiration: { date: date('EntityExpirationDate'), reason: textOf(node, 'EntityExpirationReason') },
    successorEntities: children(node, 'SuccessorEntity').map(successor).filter(holdsAnything),
    eventGroups: eventGroups(node, report),
  };
}

function typedName(node: unknown): TypedName {
  return {
    name: ownText(node),
    language: attribute(node, 'xml:lang'),
    type: attribute(node, 'type'),
  };
}

function address(node: unknown): Address {
  const lines = [...children(node, 'FirstAddressLine'), ...children(node, 'AdditionalAddressLine')];
  return {
    language: attribute(node, 'xml:lang'),
    addressLines: lines.map(ownText).filter((line) => line !== null),
    addressNumber: textOf(node, 'AddressNumber'),
    addressNumberWithinBuilding: textOf(node, 'AddressNumberWithinBuilding'),
    mailRouting: textOf(node, 'MailRouting'),
    city: textOf(node, 'City'),
    region: textOf(node, 'Region'),
    country: textOf(node, 'Country'),
    postalCode: textOf(node, 'PostalCode'),
  };
}

function typedAddress(node: unknown): TypedAddress {
  return { type: attribute(node, 'type'), ...address(node) };
}

function validated(node: unknown) {
  return {
    validatedAt: {
      id: textOf(node, 'ValidationAuthorityID'),
      other: textOf(node, 'OtherValidationAuthorityID'),
    },
    validatedAs: textOf(node, 'ValidationAuthorityEntityID'),
  };
}

function associatedEntity(node: unknown): LegalEntityRecord['entity']['associatedEntity'] {
  const type = attribute(node, 'type');
  const lei = textOf(node, 'AssociatedLEI');
  const name = textOf(node, 'AssociatedEntityName');
  return type === null && lei === null && name === null ? null : { type, lei, name };
}

function successor(node: unknown) {
  return { lei: textOf(node, 'SuccessorLEI'), name: textOf(node, 'SuccessorEntityName') };
}

function eventGroups(node: unknown, report: RecordReport): EventGroup[] {
  const events = listed(node, 'LegalEntityEvents', 'LegalEntityEvent', (event, index) =>
    publishedEvent(event, index + 1, report),
  );
  return groupEvents(events);
}

function publishedEvent(node: unknown, number: number, report: RecordReport) {
  const prefix = `Entity.LegalEntityEvents.LegalEntityEvent.${number}`;
  const date = (name: string) => report.date(textOf(node, name), `${prefix}.${name}`);
  const sequence = attribute(node, 'group_sequence_no');
  return {
    groupType: attribute(node, 'group_type'),
    groupId: attribute(node, 'group_id'),
    event: {
      type: textOf(node, 'LegalEntityEventType'),
      status: attribute(node, 'event_status'),
      sequence: readSequence(sequence, `${prefix}.group_sequence_no`, report),
      effectiveDate: date('LegalEntityEventEffectiveDate'),
      recordedDate: date('LegalEntityEventRecordedDate'),
      validationDocuments: textOf(node, 'ValidationDocuments'),
      validationReference: textOf(node, 'ValidationReference'),
      affectedFields: listed(node, 'AffectedFields', 'AffectedField', (field) => ({
        xpath: attribute(field, 'field_xpath'),
        value: ownText(field),
      })),
    },
  };
}
