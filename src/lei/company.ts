/**
 * The legal entity as the service shows it, after LEI-CDF 3.1 (GLEIF, level 1 data) with the member names of GLEIF's
 * own API if it has one.
 */
import { type Static, Type } from '@sinclair/typebox';
import {
  AddressSchema,
  AssociatedEntitySchema,
  AuthoritySchema,
  EventGroupSchema,
  LegalNameSchema,
  OtherValidationAuthoritySchema,
  SuccessorEntitySchema,
  TypedAddressSchema,
  TypedNameSchema,
} from './company-parts.ts';
import { byKind, kindsBySlot, type MappingKind, mappingTable } from './identifier-kinds.ts';
import {
  count,
  LeiSchema,
  listOf,
  nullable,
  object,
  PublishedLeiSchema,
  publishedTime,
  said,
  TimestampSchema,
  text,
  textOrNull,
  writtenDay,
} from './schema.ts';
import type { AsPublished } from './written-days.ts';

export const EntitySchema = object(
  {
    legalName: said(LegalNameSchema, 'The legal name in the official register or in the founding documents.'),
    otherNames: listOf(TypedNameSchema, 'Other names of the entity, without transliterations.'),
    transliteratedOtherNames: listOf(TypedNameSchema, 'Names of the entity written in ASCII characters.'),
    legalAddress: said(
      AddressSchema,
      'The address at which the entity is registered in its legal jurisdiction.',
    ),
    headquartersAddress: said(AddressSchema, 'The address of the headquarters.'),
    otherAddresses: listOf(TypedAddressSchema, 'The same addresses in other languages of the jurisdiction.'),
    transliteratedOtherAddresses: listOf(
      TypedAddressSchema,
      'The same addresses written in ASCII characters.',
    ),
    registeredAt: said(AuthoritySchema, 'The official register in which the entity is registered.'),
    registeredAs: textOrNull('The entity’s number in that register.', '12237710'),
    jurisdiction: textOrNull(
      'The legal jurisdiction in which the entity was formed: a code of ISO 3166-1 alpha-2 or ISO 3166-2.',
      'GB',
    ),
    category: textOrNull(
      'What the entity is: `GENERAL`, `BRANCH`, `FUND`, `SOLE_PROPRIETOR` (a person who does business), `RESIDENT_GOVERNMENT_ENTITY` or `INTERNATIONAL_ORGANIZATION`.',
      'GENERAL',
    ),
    subCategory: textOrNull(
      'For a government entity, the level of government: `CENTRAL_GOVERNMENT`, `STATE_GOVERNMENT`, `LOCAL_GOVERNMENT` or `SOCIAL_SECURITY`.',
    ),
    associatedEntity: nullable(
      AssociatedEntitySchema,
      'Another entity that helps to identify this one, for example the manager of a fund. Deprecated since LEI-CDF 3.0.',
    ),
    status: textOrNull(
      'Whether the entity is registered and operates: `ACTIVE`, `INACTIVE`, or the string `NULL` (does not apply, as for a duplicate).',
      'ACTIVE',
    ),
    creationDate: publishedTime('When the entity was first established.'),
    creationDay: writtenDay('creationDate'),
    expiration: object(
      {
        date: publishedTime('When the entity ceased to operate. Deprecated since LEI-CDF 3.0.'),
        day: writtenDay('date'),
        reason: textOrNull(
          'Why: `DISSOLVED`, `CORPORATE_ACTION` (acquired or merged) or `OTHER`. Deprecated since LEI-CDF 3.0.',
        ),
      },
      'The end of the entity.',
    ),
    successorEntities: listOf(SuccessorEntitySchema, 'The entities that continue or replace this one.'),
    eventGroups: listOf(
      EventGroupSchema,
      'Events in the life of the entity, such as a new name or a merger; the events of one group are together.',
    ),
    legalForm: object(
      {
        id: textOrNull(
          'The code of the form in the ISO 20275 list. `8888`: a code has been requested; `9999`: the entity has no separate form.',
          'B6ES',
        ),
        other: textOrNull('The form in words, as long as the list has no code for it.'),
        label: textOrNull('The name of the form in the ISO 20275 list.', 'Public Limited Company'),
      },
      'The legal form.',
    ),
  },
  'The legal entity itself.',
);

export const RegistrationSchema = object({
  status: textOrNull(
    'The status of the LEI: `ISSUED` (valid), `LAPSED` (not renewed in time), `RETIRED` (the entity ended), `DUPLICATE` (use another LEI), `ANNULLED` (issued by mistake), `MERGED` (deprecated), `PENDING_TRANSFER`, `PENDING_ARCHIVAL` (moving to another LEI issuer), `PENDING_VALIDATION`, `CANCELLED` or `TRANSFERRED`.',
    'ISSUED',
  ),
  initialRegistrationDate: publishedTime('When the LEI was first assigned.'),
  initialRegistrationDay: writtenDay('initialRegistrationDate'),
  lastUpdateDate: publishedTime('When the record was last updated.'),
  lastUpdateDay: writtenDay('lastUpdateDate'),
  nextRenewalDate: publishedTime('The date by which the entity should renew and certify its record again.'),
  nextRenewalDay: writtenDay('nextRenewalDate'),
  managingLou: nullable(PublishedLeiSchema, 'The LEI of the LEI issuer (LOU) that manages this LEI.'),
});

export const ValidationSchema = object({
  corroborationLevel: textOrNull(
    'How far public sources confirm the record: `FULLY_CORROBORATED`, `PARTIALLY_CORROBORATED`, `ENTITY_SUPPLIED_ONLY` or `PENDING`. LEI-CDF calls it ValidationSources.',
    'FULLY_CORROBORATED',
  ),
  validatedAt: said(AuthoritySchema, 'The authority that the record was validated against.'),
  validatedAs: textOrNull('The entity’s number at that authority.', '12237710'),
  otherValidationAuthorities: listOf(
    OtherValidationAuthoritySchema,
    'Other authorities that the record was validated against.',
  ),
  conformityFlag: textOrNull(
    'Whether the record follows GLEIF’s policies (renewed in time, parents reported): `CONFORMING`, `NON_CONFORMING` or `NOT_APPLICABLE`. An extension of GLEIF’s golden copy.',
    'CONFORMING',
  ),
});

export const CompanyProvenanceSchema = object({
  source: text('The kind of file that the record comes from.', 'GLEIF golden copy, level 1'),
  file: text('The file that the record was read from.', '20240505-0000-gleif-goldencopy-lei2-intra-day.json'),
  publishedAt: said(TimestampSchema, 'When GLEIF published that file.'),
  firstSeen: text('The dataset version since which this service holds the company.'),
  lastChanged: text('The dataset version in which the record last changed.'),
});

/** All identifiers of a kind, or how many there are and the first of them. */
function identifiersSchema(kind: MappingKind) {
  const { listed, plural, shownMax } = mappingTable[kind];
  const all = listed ?? `The ${plural} that are mapped to this LEI.`;
  if (shownMax === null) return listOf(Type.String(), all);
  return object(
    {
      count: count(`How many ${plural} are mapped to this LEI.`),
      first: Type.Array(Type.String(), {
        maxItems: shownMax,
        description: `Up to ${shownMax} of them, in ascending order.`,
      }),
    },
    all,
  );
}
export const MappingsSchema = object(byKind(kindsBySlot, identifiersSchema));
/** The mappings of a company without identifiers. */
export const noIdentifiers = byKind(kindsBySlot, (kind) =>
  mappingTable[kind].shownMax === null ? [] : { count: 0, first: [] },
);

export const CompanySchema = object({
  lei: said(LeiSchema, 'The Legal Entity Identifier (ISO 17442) of the company.'),
  entity: EntitySchema,
  registration: said(RegistrationSchema, 'The registration of the LEI.'),
  validation: said(ValidationSchema, 'How the LEI issuer checked the record.'),
  provenance: said(CompanyProvenanceSchema, 'The origin of the record.'),
  mappings: said(MappingsSchema, 'Identifiers of other kinds that are mapped to this LEI.'),
  links: object(
    {
      self: text('The path of this company.'),
      relationships: text('The path of its relationships.'),
      changes: text('The path of its changes.'),
      managingLou: textOrNull('The path of its LEI issuer.'),
      successors: listOf(Type.String(), 'The paths of its successors with an LEI.'),
    },
    'Paths of related resources.',
  ),
});

export type Company = Static<typeof CompanySchema>;
/** One level 1 record as in a source file: a Company without the members that the service adds. Its times may have an offset. */
export type LegalEntityRecord = AsPublished<Pick<Company, 'lei' | 'registration' | 'validation'>> & {
  readonly entity: AsPublished<Omit<Company['entity'], 'legalForm' | 'successorEntities'>> & {
    readonly legalForm: Omit<Company['entity']['legalForm'], 'label'>;
    readonly successorEntities: readonly PublishedSuccessor[];
  };
};
/** A successor with the language of its name, which only GLEIF's API shows. */
type PublishedSuccessor = Static<typeof SuccessorEntitySchema> & { readonly language: string | null };
