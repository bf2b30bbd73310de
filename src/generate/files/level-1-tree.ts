/** Turns level 1 records into element trees of LEI-CDF 3.1. */
import type { LegalEntityRecord } from '../../lei/company.ts';
import type { Address, Authority, LegalEntityEvent } from '../../lei/company-parts.ts';
import { type Element, node, registrationStart, text, withAttributes } from './tree.ts';

function addressElements(address: Address): (Element | null)[] {
  const [first = null, ...additional] = address.addressLines;
  return [
    text('FirstAddressLine', first),
    text('AddressNumber', address.addressNumber),
    text('AddressNumberWithinBuilding', address.addressNumberWithinBuilding),
    text('MailRouting', address.mailRouting),
    ...additional.map((line) => text('AdditionalAddressLine', line, true)),
    text('City', address.city),
    text('Region', address.region),
    text('Country', address.country),
    text('PostalCode', address.postalCode),
  ];
}

function address(name: string, value: Address & { type?: string | null }, many = false): Element | null {
  return withAttributes(node(name, addressElements(value), many), [
    ['xml:lang', value.language],
    ['type', value.type ?? null],
  ]);
}

function names(list: string, item: string, values: LegalEntityRecord['entity']['otherNames']) {
  return node(
    list,
    values.map((value) =>
      withAttributes(text(item, value.name, true), [
        ['xml:lang', value.language],
        ['type', value.type],
      ]),
    ),
  );
}

function eventElement(
  group: { groupType: string | null; groupId: string | null },
  event: LegalEntityEvent,
): Element | null {
  const affected = event.affectedFields.map((field) =>
    withAttributes(text('AffectedField', field.value, true), [['field_xpath', field.xpath]]),
  );
  return withAttributes(
    node(
      'LegalEntityEvent',
      [
        text('LegalEntityEventType', event.type),
        text('LegalEntityEventEffectiveDate', event.effectiveDate),
        text('LegalEntityEventRecordedDate', event.recordedDate),
        text('ValidationDocuments', event.validationDocuments),
        text('ValidationReference', event.validationReference),
        node('AffectedFields', affected),
      ],
      true,
    ),
    [
      ['group_type', group.groupType],
      ['event_status', event.status],
      ['group_id', group.groupId],
      ['group_sequence_no', event.sequence === null ? null : String(event.sequence)],
    ],
  );
}

/** A business register, and the number of an entity in it. */
function authority(
  kind: 'Registration' | 'Validation',
  at: Authority,
  as: string | null,
): (Element | null)[] {
  return [
    text(`${kind}AuthorityID`, at.id),
    text(`Other${kind}AuthorityID`, at.other),
    text(`${kind}AuthorityEntityID`, as),
  ];
}

function associatedElement(associated: LegalEntityRecord['entity']['associatedEntity']): Element | null {
  if (associated === null) return null;
  const { lei, name, type } = associated;
  const children = [text('AssociatedLEI', lei), text('AssociatedEntityName', name)];
  return withAttributes(node('AssociatedEntity', children), [['type', type]]);
}

function entityElements({ entity }: LegalEntityRecord): (Element | null)[] {
  return [
    withAttributes(text('LegalName', entity.legalName.name), [['xml:lang', entity.legalName.language]]),
    names('OtherEntityNames', 'OtherEntityName', entity.otherNames),
    names('TransliteratedOtherEntityNames', 'TransliteratedOtherEntityName', entity.transliteratedOtherNames),
    address('LegalAddress', entity.legalAddress),
    address('HeadquartersAddress', entity.headquartersAddress),
    node(
      'OtherAddresses',
      entity.otherAddresses.map((item) => address('OtherAddress', item, true)),
    ),
    node(
      'TransliteratedOtherAddresses',
      entity.transliteratedOtherAddresses.map((item) => address('TransliteratedOtherAddress', item, true)),
    ),
    node('RegistrationAuthority', authority('Registration', entity.registeredAt, entity.registeredAs)),
    text('LegalJurisdiction', entity.jurisdiction),
    text('EntityCategory', entity.category),
    text('EntitySubCategory', entity.subCategory),
    node('LegalForm', [
      text('EntityLegalFormCode', entity.legalForm.id),
      text('OtherLegalForm', entity.legalForm.other),
    ]),
    associatedElement(entity.associatedEntity),
    text('EntityStatus', entity.status),
    text('EntityCreationDate', entity.creationDate),
    text('EntityExpirationDate', entity.expiration.date),
    text('EntityExpirationReason', entity.expiration.reason),
    ...entity.successorEntities.map((item) =>
      node('SuccessorEntity', [text('SuccessorLEI', item.lei), text('SuccessorEntityName', item.name)], true),
    ),
    node(
      'LegalEntityEvents',
      entity.eventGroups.flatMap((group) => group.events.map((event) => eventElement(group, event))),
    ),
  ];
}

function registrationElements({ registration, validation }: LegalEntityRecord): (Element | null)[] {
  return [
    ...registrationStart(registration),
    text('ValidationSources', validation.corroborationLevel),
    node('ValidationAuthority', authority('Validation', validation.validatedAt, validation.validatedAs)),
    node(
      'OtherValidationAuthorities',
      validation.otherValidationAuthorities.map((item) =>
        node('OtherValidationAuthority', authority('Validation', item.validatedAt, item.validatedAs), true),
      ),
    ),
  ];
}

/** A record with the conformity extension of the golden copy. */
export function level1Elements(record: LegalEntityRecord): readonly (Element | null)[] {
  return [
    text('LEI', record.lei),
    node('Entity', entityElements(record)),
    node('Registration', registrationElements(record)),
    node('Extension', [
      node('gleif:conformity', [text('gleif:conformityflag', record.validation.conformityFlag)]),
    ]),
  ];
}
