/**
 * The records as the element trees of LEI-CDF 3.1, RR-CDF 2.1 and the exceptions format 2.1. XML and JSON are two
 * ways of writing the same tree, as they are for the publisher.
 */
import type { Address, Authority, LegalEntityEvent, LegalEntityRecord } from '../../lei/company.ts';
import type { ExceptionRecord, RelationshipRecord } from '../../lei/relationship.ts';

/** An element with its attributes and either text or children; an absent child is null. */
export interface Element {
  readonly name: string;
  readonly attributes: readonly (readonly [string, string | null])[];
  readonly content: string | readonly (Element | null)[];
  /** One of a list: JSON writes an array even for a single one. */
  readonly many: boolean;
}

function text(name: string, value: string | null, many = false): Element | null {
  return value === null ? null : { name, attributes: [], content: value, many };
}

function node(name: string, children: readonly (Element | null)[], many = false): Element | null {
  return children.every((child) => child === null) ? null : { name, attributes: [], content: children, many };
}

function withAttributes(element: Element | null, attributes: Element['attributes']): Element | null {
  return element === null ? null : { ...element, attributes };
}

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

/** A register, and a company's number in it. */
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

function entityElements({ entity }: LegalEntityRecord): (Element | null)[] {
  const associated = entity.associatedEntity;
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
    associated === null
      ? null
      : withAttributes(
          node('AssociatedEntity', [
            text('AssociatedLEI', associated.lei),
            text('AssociatedEntityName', associated.name),
          ]),
          [['type', associated.type]],
        ),
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

/** What the registrations of companies and of relationships begin with. */
function registrationStart(registration: LegalEntityRecord['registration']): (Element | null)[] {
  return [
    text('InitialRegistrationDate', registration.initialRegistrationDate),
    text('LastUpdateDate', registration.lastUpdateDate),
    text('RegistrationStatus', registration.status),
    text('NextRenewalDate', registration.nextRenewalDate),
    text('ManagingLOU', registration.managingLou),
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

/** A level 1 record with the golden copy's conformity extension. */
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

/** What a delta says of a record that is gone. */
function deletion(deletedAt: string | null): Element | null {
  return node('Extension', [node('gleif:Deletion', [text('gleif:DeletedAt', deletedAt)])]);
}

function nodeEnd(name: string, lei: string): Element | null {
  return node(name, [text('NodeID', lei), text('NodeIDType', 'LEI')]);
}

/** A relationship record; with a time of deletion it is its last state and says that it is gone. */
export function relationshipElements(
  { start, end, relationship }: RelationshipRecord,
  deletedAt: string | null,
): readonly (Element | null)[] {
  const { registration, validation } = relationship;
  const periods = relationship.periods.map((period) =>
    node(
      'RelationshipPeriod',
      [text('StartDate', period.startDate), text('EndDate', period.endDate), text('PeriodType', period.type)],
      true,
    ),
  );
  const qualifiers = relationship.qualifiers.map((item) =>
    node(
      'RelationshipQualifier',
      [text('QualifierDimension', item.dimension), text('QualifierCategory', item.category)],
      true,
    ),
  );
  const quantifiers = relationship.quantifiers.map((item) =>
    node(
      'RelationshipQuantifier',
      [
        text('MeasurementMethod', item.method),
        text('QuantifierAmount', item.amount),
        text('QuantifierUnits', item.units),
      ],
      true,
    ),
  );
  return [
    node('Relationship', [
      nodeEnd('StartNode', start),
      nodeEnd('EndNode', end),
      text('RelationshipType', relationship.type),
      node('RelationshipPeriods', periods),
      text('RelationshipStatus', relationship.status),
      node('RelationshipQualifiers', qualifiers),
      node('RelationshipQuantifiers', quantifiers),
    ]),
    node('Registration', [
      ...registrationStart(registration),
      text('ValidationSources', validation.sources),
      text('ValidationDocuments', validation.documents),
      text('ValidationReference', validation.reference),
    ]),
    deletion(deletedAt),
  ];
}

export function exceptionElements(
  { lei, exception }: ExceptionRecord,
  deletedAt: string | null,
): readonly (Element | null)[] {
  return [
    text('LEI', lei),
    text('ExceptionCategory', exception.category),
    ...exception.reasons.map((reason) => text('ExceptionReason', reason, true)),
    ...exception.references.map((reference) => text('ExceptionReference', reference, true)),
    deletion(deletedAt),
  ];
}
