/**
 * Writes golden copy files as GLEIF writes them. Elements and attributes are written down here, from GLEIF's own files
 * (gleif-files.test.ts compares), and not taken from the tables of src/lei, by which the parser reads and `lei generate`
 * writes: a mistake there would cancel out.
 */
import type { LegalEntityRecord } from '../../src/lei/company.ts';
import type { Address, Authority, EventGroup, TypedAddress, TypedName } from '../../src/lei/company-parts.ts';
import type { ExceptionRecord, RelationshipRecord } from '../../src/lei/relationship.ts';
import { lei, repex, rr, type Tree, xml } from './parse/writing.ts';

type Member = Tree | readonly Tree[] | string | null | undefined;

/** An element with the members that a record has: attributes and its own text, or elements with their texts. */
function element(members: Readonly<Record<string, Member>>): Tree {
  const present: Record<string, Tree | readonly Tree[] | string> = {};
  for (const [name, value] of Object.entries(members)) {
    if (value === null || value === undefined) continue;
    if (typeof value === 'string') present[name] = /^[@$]/.test(name) ? value : { $: value };
    else if (Object.keys(value).length > 0) present[name] = value;
  }
  return present;
}

const typedName = ({ name, language, type }: TypedName) =>
  element({ '@xml:lang': language, '@type': type, $: name });

const address = (given: Address, type?: TypedAddress['type']) =>
  element({
    '@xml:lang': given.language,
    '@type': type,
    FirstAddressLine: given.addressLines[0],
    AddressNumber: given.addressNumber,
    AddressNumberWithinBuilding: given.addressNumberWithinBuilding,
    MailRouting: given.mailRouting,
    AdditionalAddressLine: given.addressLines.slice(1).map(($) => ({ $ })),
    City: given.city,
    Region: given.region,
    Country: given.country,
    PostalCode: given.postalCode,
  });
const typedAddress = (given: TypedAddress) => address(given, given.type);

const authority = ({ id, other }: Authority, number: string | null) =>
  element({
    ValidationAuthorityID: id,
    OtherValidationAuthorityID: other,
    ValidationAuthorityEntityID: number,
  });

/** Files list events one by one, each with its group. */
const eventsOf = ({ groupType, groupId, events }: EventGroup) =>
  events.map((event) =>
    element({
      '@group_type': groupType,
      '@event_status': event.status,
      '@group_id': groupId,
      '@group_sequence_no': event.sequence?.toString(),
      LegalEntityEventType: event.type,
      LegalEntityEventEffectiveDate: event.effectiveDate,
      LegalEntityEventRecordedDate: event.recordedDate,
      ValidationDocuments: event.validationDocuments,
      ValidationReference: event.validationReference,
      AffectedFields: element({
        AffectedField: event.affectedFields.map(({ xpath, value }) =>
          element({ '@field_xpath': xpath, $: value }),
        ),
      }),
    }),
  );

function entityTree(entity: LegalEntityRecord['entity']): Tree {
  const { legalName, registeredAt, associatedEntity, expiration } = entity;
  return element({
    LegalName: element({ '@xml:lang': legalName.language, $: legalName.name }),
    OtherEntityNames: element({ OtherEntityName: entity.otherNames.map(typedName) }),
    TransliteratedOtherEntityNames: element({
      TransliteratedOtherEntityName: entity.transliteratedOtherNames.map(typedName),
    }),
    LegalAddress: address(entity.legalAddress),
    HeadquartersAddress: address(entity.headquartersAddress),
    OtherAddresses: element({ OtherAddress: entity.otherAddresses.map(typedAddress) }),
    TransliteratedOtherAddresses: element({
      TransliteratedOtherAddress: entity.transliteratedOtherAddresses.map(typedAddress),
    }),
    RegistrationAuthority: element({
      RegistrationAuthorityID: registeredAt.id,
      OtherRegistrationAuthorityID: registeredAt.other,
      RegistrationAuthorityEntityID: entity.registeredAs,
    }),
    LegalJurisdiction: entity.jurisdiction,
    EntityCategory: entity.category,
    EntitySubCategory: entity.subCategory,
    LegalForm: element({
      EntityLegalFormCode: entity.legalForm.id,
      OtherLegalForm: entity.legalForm.other,
    }),
    AssociatedEntity: element({
      '@type': associatedEntity?.type,
      AssociatedLEI: associatedEntity?.lei,
      AssociatedEntityName: associatedEntity?.name,
    }),
    EntityStatus: entity.status,
    EntityCreationDate: entity.creationDate,
    EntityExpirationDate: expiration.date,
    EntityExpirationReason: expiration.reason,
    SuccessorEntity: entity.successorEntities.map(({ lei, name, language }) =>
      element({
        SuccessorLEI: lei,
        SuccessorEntityName: element({ '@xml:lang': language, $: name }),
      }),
    ),
    LegalEntityEvents: element({ LegalEntityEvent: entity.eventGroups.flatMap(eventsOf) }),
  });
}

/** The elements that registrations of legal entities and of relationships have in common. */
const registrationOf = (
  registration: LegalEntityRecord['registration'] | RelationshipRecord['relationship']['registration'],
) => ({
  InitialRegistrationDate: registration.initialRegistrationDate,
  LastUpdateDate: registration.lastUpdateDate,
  RegistrationStatus: registration.status,
  NextRenewalDate: registration.nextRenewalDate,
  ManagingLOU: registration.managingLou,
});

export function level1Tree({ lei, entity, registration, validation }: LegalEntityRecord): Tree {
  return element({
    LEI: lei,
    Entity: entityTree(entity),
    Registration: element({
      ...registrationOf(registration),
      ValidationSources: validation.corroborationLevel,
      ValidationAuthority: authority(validation.validatedAt, validation.validatedAs),
      OtherValidationAuthorities: element({
        OtherValidationAuthority: validation.otherValidationAuthorities.map(({ validatedAt, validatedAs }) =>
          authority(validatedAt, validatedAs),
        ),
      }),
    }),
    Extension: element({
      'gleif:conformity': element({ 'gleif:conformityflag': validation.conformityFlag }),
    }),
  });
}

const deletion = (deletedAt: string | null) =>
  element({ 'gleif:Deletion': element({ 'gleif:DeletedAt': deletedAt }) });

/** @param deletedAt of a record that a delta deletes */
export function relationshipTree(
  { start, end, relationship }: RelationshipRecord,
  deletedAt: string | null = null,
): Tree {
  const node = (lei: string) => element({ NodeID: lei, NodeIDType: 'LEI' });
  const { periods, qualifiers, quantifiers, registration, validation } = relationship;
  return element({
    Relationship: element({
      StartNode: node(start),
      EndNode: node(end),
      RelationshipType: relationship.type,
      RelationshipPeriods: element({
        RelationshipPeriod: periods.map(({ type, startDate, endDate }) =>
          element({ StartDate: startDate, EndDate: endDate, PeriodType: type }),
        ),
      }),
      RelationshipStatus: relationship.status,
      RelationshipQualifiers: element({
        RelationshipQualifier: qualifiers.map(({ dimension, category }) =>
          element({ QualifierDimension: dimension, QualifierCategory: category }),
        ),
      }),
      RelationshipQuantifiers: element({
        RelationshipQuantifier: quantifiers.map(({ method, amount, units }) =>
          element({ MeasurementMethod: method, QuantifierAmount: amount, QuantifierUnits: units }),
        ),
      }),
    }),
    Registration: element({
      ...registrationOf(registration),
      ValidationSources: validation.sources,
      ValidationDocuments: validation.documents,
      ValidationReference: validation.reference,
    }),
    Extension: deletion(deletedAt),
  });
}

/** @param deletedAt of a record that a delta deletes */
export function exceptionTree({ lei, exception }: ExceptionRecord, deletedAt: string | null = null): Tree {
  return element({
    LEI: lei,
    ExceptionCategory: exception.category,
    ExceptionReason: exception.reasons.map(($) => ({ $ })),
    ExceptionReference: exception.references.map(($) => ({ $ })),
    Extension: deletion(deletedAt),
  });
}

const families = { lei2: lei, rr, repex };
type Family = keyof typeof families;

/** A JSON file of records. */
export function goldenCopyJson(family: Family, records: readonly Tree[]): string {
  if (family === 'lei2') return JSON.stringify({ records });
  if (family === 'repex') return JSON.stringify({ exceptions: records });
  return JSON.stringify({ relations: records.map((RelationshipRecord) => ({ RelationshipRecord })) });
}

/** An XML file of records. @param deltaStart null for a full set */
export function goldenCopyFile(
  family: Family,
  records: readonly Tree[],
  { contentDate, deltaStart }: { readonly contentDate: string; readonly deltaStart: string | null },
): string {
  return xml(families[family], records, {
    ContentDate: contentDate,
    FileContent: deltaStart === null ? 'GLEIF_FULL_PUBLISHED' : 'GLEIF_DELTA_PUBLISHED',
    ...(deltaStart !== null && { DeltaStart: deltaStart }),
    RecordCount: String(records.length),
  });
}
