/**
 * The legal entity as the service shows it, after LEI-CDF 3.1 (GLEIF, level 1 data) with the member names of
 * GLEIF's own API where it has one. The TypeBox schemas are the one source of the static types, the OpenAPI
 * document and the validators that tests run over real answers.
 */
import { FormatRegistry, type Static, type TSchema, Type } from '@sinclair/typebox';
import { byKind, kindsBySlot, type MappingKind, mappingTable } from './identifier-kinds.ts';

/** `null` is the only form of an absent value; a member is never missing. */
export function nullable<T extends TSchema>(schema: T, options: { description?: string } = {}) {
  return Type.Union([schema, Type.Null()], options);
}

const closed = { additionalProperties: false };
export const LeiSchema = Type.String({
  pattern: '^[0-9A-Z]{18}[0-9]{2}$',
  description: 'Legal Entity Identifier (ISO 17442)',
  examples: ['213800E5Z6QRDSMZMK84'],
});
/** Without a pattern: an odd one that is no key is kept as published. */
export const PublishedLeiSchema = Type.String({
  description: 'LEI as published; GLEIF’s files may hold a wrong one',
  examples: ['213800E5Z6QRDSMZMK84'],
});
// TypeBox refuses values of a format it was never told of.
FormatRegistry.Set('date-time', (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value));
export const TimestampSchema = Type.String({
  format: 'date-time',
  description: 'UTC, ISO 8601 with Z; a fraction only when it is not zero',
  examples: ['2024-05-04T11:53:54Z'],
});
/** The format stays, so that clients get dates: no real record is known with a text that is none. */
export const PublishedTimeSchema = Type.String({
  format: 'date-time',
  description:
    'UTC, ISO 8601 with Z; what is no possible date and time in GLEIF’s files is kept as published',
  examples: ['2024-05-04T11:53:54Z'],
});
const text = Type.String();
const code = (description: string, examples: string[]) => Type.String({ description, examples });

export const NameSchema = Type.Object(
  { name: nullable(text), language: nullable(Type.String({ description: 'RFC 5646 tag as published' })) },
  closed,
);
export const TypedNameSchema = Type.Object(
  {
    name: nullable(text),
    language: nullable(text),
    type: nullable(code('Name type of LEI-CDF 3.1, as published', ['PREVIOUS_LEGAL_NAME'])),
  },
  closed,
);

const addressMembers = {
  language: nullable(text),
  addressLines: Type.Array(text, { description: 'First and additional address lines, in order' }),
  addressNumber: nullable(text),
  addressNumberWithinBuilding: nullable(text),
  mailRouting: nullable(text),
  city: nullable(text),
  region: nullable(Type.String({ description: 'ISO 3166-2' })),
  country: nullable(Type.String({ description: 'ISO 3166-1 alpha-2' })),
  postalCode: nullable(text),
};
export const AddressSchema = Type.Object(addressMembers, closed);
export const TypedAddressSchema = Type.Object(
  {
    type: nullable(code('Address type of LEI-CDF 3.1', ['ALTERNATIVE_LANGUAGE_LEGAL_ADDRESS'])),
    ...addressMembers,
  },
  closed,
);

export const AuthoritySchema = Type.Object(
  {
    id: nullable(Type.String({ description: 'Registration authority code, RA and six digits' })),
    other: nullable(text),
  },
  closed,
);
const OtherValidationAuthoritySchema = Type.Object(
  { validatedAt: AuthoritySchema, validatedAs: nullable(text) },
  closed,
);
const AssociatedEntitySchema = Type.Object(
  { type: nullable(text), lei: nullable(PublishedLeiSchema), name: nullable(text) },
  closed,
);
const SuccessorEntitySchema = Type.Object(
  { lei: nullable(PublishedLeiSchema), name: nullable(text) },
  closed,
);
const AffectedFieldSchema = Type.Object({ xpath: nullable(text), value: nullable(text) }, closed);
export const EventSchema = Type.Object(
  {
    type: nullable(code('Legal entity event type', ['CHANGE_LEGAL_NAME'])),
    status: nullable(code('IN_PROGRESS, WITHDRAWN_CANCELLED or COMPLETED', ['COMPLETED'])),
    sequence: nullable(Type.Integer({ description: 'Position within its group, from 1' })),
    effectiveDate: nullable(PublishedTimeSchema),
    recordedDate: nullable(PublishedTimeSchema),
    validationDocuments: nullable(text),
    validationReference: nullable(text),
    affectedFields: Type.Array(AffectedFieldSchema),
  },
  closed,
);
export const EventGroupSchema = Type.Object(
  { groupType: nullable(text), groupId: nullable(text), events: Type.Array(EventSchema) },
  closed,
);

const entityMembers = {
  legalName: NameSchema,
  otherNames: Type.Array(TypedNameSchema),
  transliteratedOtherNames: Type.Array(TypedNameSchema),
  legalAddress: AddressSchema,
  headquartersAddress: AddressSchema,
  otherAddresses: Type.Array(TypedAddressSchema),
  transliteratedOtherAddresses: Type.Array(TypedAddressSchema),
  registeredAt: AuthoritySchema,
  registeredAs: nullable(Type.String({ description: 'Number in the business register' })),
  jurisdiction: nullable(Type.String({ description: 'ISO 3166-1 alpha-2 or ISO 3166-2' })),
  category: nullable(text),
  subCategory: nullable(text),
  associatedEntity: nullable(AssociatedEntitySchema),
  status: nullable(code('ACTIVE, INACTIVE or the string NULL', ['ACTIVE'])),
  creationDate: nullable(PublishedTimeSchema),
  expiration: Type.Object({ date: nullable(PublishedTimeSchema), reason: nullable(text) }, closed),
  successorEntities: Type.Array(SuccessorEntitySchema),
  eventGroups: Type.Array(EventGroupSchema),
};
const legalFormMembers = {
  id: nullable(Type.String({ description: 'Entity legal form code, ISO 20275' })),
  other: nullable(text),
};

const RegistrationSchema = Type.Object(
  {
    status: nullable(code('Registration status of LEI-CDF 3.1', ['ISSUED'])),
    initialRegistrationDate: nullable(PublishedTimeSchema),
    lastUpdateDate: nullable(PublishedTimeSchema),
    nextRenewalDate: nullable(PublishedTimeSchema),
    managingLou: nullable(PublishedLeiSchema),
  },
  closed,
);
const ValidationSchema = Type.Object(
  {
    corroborationLevel: nullable(text),
    validatedAt: AuthoritySchema,
    validatedAs: nullable(text),
    otherValidationAuthorities: Type.Array(OtherValidationAuthoritySchema),
    conformityFlag: nullable(text),
  },
  closed,
);

/** One level 1 record as a source file holds it: a Company without what the service adds. */
const LegalEntityRecordSchema = Type.Object(
  {
    lei: LeiSchema,
    entity: Type.Object({ ...entityMembers, legalForm: Type.Object(legalFormMembers, closed) }, closed),
    registration: RegistrationSchema,
    validation: ValidationSchema,
  },
  closed,
);
export type LegalEntityRecord = Static<typeof LegalEntityRecordSchema>;

const CompanyProvenanceSchema = Type.Object(
  {
    source: Type.String({ examples: ['GLEIF golden copy, level 1'] }),
    file: text,
    publishedAt: TimestampSchema,
    firstSeen: Type.String({ description: 'Dataset version since which this service holds the company' }),
    lastChanged: Type.String({ description: 'Dataset version in which the record last changed' }),
  },
  closed,
);
/** All identifiers of a kind, or how many there are and the first of them. */
function identifiersSchema({ listed, shownMax }: (typeof mappingTable)[MappingKind]) {
  const identifier = listed === null ? text : Type.String({ description: listed });
  if (shownMax === null) return Type.Array(identifier);
  const first = { maxItems: shownMax, description: `Up to ${shownMax}, in ascending order` };
  return Type.Object({ count: Type.Integer({ minimum: 0 }), first: Type.Array(identifier, first) }, closed);
}
export const MappingsSchema = Type.Object(
  byKind(kindsBySlot, (kind) => identifiersSchema(mappingTable[kind])),
  closed,
);

export const CompanySchema = Type.Object(
  {
    lei: LeiSchema,
    entity: Type.Object(
      {
        ...entityMembers,
        legalForm: Type.Object(
          {
            ...legalFormMembers,
            label: nullable(Type.String({ description: 'Name of the form, from the ISO 20275 list' })),
          },
          closed,
        ),
      },
      closed,
    ),
    registration: RegistrationSchema,
    validation: ValidationSchema,
    provenance: CompanyProvenanceSchema,
    mappings: MappingsSchema,
    links: Type.Object(
      {
        self: text,
        relationships: text,
        changes: text,
        managingLou: nullable(text),
        successors: Type.Array(text),
      },
      closed,
    ),
  },
  { ...closed, $id: 'Company' },
);

export type TypedName = Static<typeof TypedNameSchema>;
export type Address = Static<typeof AddressSchema>;
export type TypedAddress = Static<typeof TypedAddressSchema>;
export type Authority = Static<typeof AuthoritySchema>;
export type LegalEntityEvent = Static<typeof EventSchema>;
export type EventGroup = Static<typeof EventGroupSchema>;
