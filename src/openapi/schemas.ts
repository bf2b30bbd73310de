/** Turns the TypeBox schemas of the payloads into components: each is named once and referred to elsewhere. */
import { Kind, type TSchema } from '@sinclair/typebox';
import { EntityReferenceSchema, MicListEntrySchema } from '../api/mappings.ts';
import { allEndpoints, extEndpoints } from '../api/table.ts';
import { CountsSchema, LinksSchema, MetaSchema, ProblemSchema } from '../lei/answers.ts';
import { ChangeItemSchema } from '../lei/change-answers.ts';
import {
  CompanyProvenanceSchema,
  EntitySchema,
  MappingsSchema,
  RegistrationSchema,
  ValidationSchema,
} from '../lei/company.ts';
import {
  AddressSchema,
  AuthoritySchema,
  EventGroupSchema,
  EventSchema,
  LegalNameSchema,
  TypedAddressSchema,
  TypedNameSchema,
} from '../lei/company-parts.ts';
import { SearchHitSchema } from '../lei/list-answers.ts';
import {
  ChildrenSchema,
  RelatedCompanySchema,
  RelationshipSchema,
  ReportingExceptionSchema,
} from '../lei/relationship.ts';
import type { Json, JsonObject } from '../lei/schema.ts';

/** Schemas inside the answers, and around them. */
const parts = {
  Entity: EntitySchema,
  Registration: RegistrationSchema,
  Validation: ValidationSchema,
  Provenance: CompanyProvenanceSchema,
  LegalName: LegalNameSchema,
  TypedName: TypedNameSchema,
  Address: AddressSchema,
  TypedAddress: TypedAddressSchema,
  Authority: AuthoritySchema,
  Event: EventSchema,
  EventGroup: EventGroupSchema,
  Mappings: MappingsSchema,
  RelatedCompany: RelatedCompanySchema,
  RelatedCompanies: ChildrenSchema,
  Relationship: RelationshipSchema,
  ReportingException: ReportingExceptionSchema,
  ChangeItem: ChangeItemSchema,
  SearchHit: SearchHitSchema,
  EntityReference: EntityReferenceSchema,
  MicListEntry: MicListEntrySchema,
  Counts: CountsSchema,
  Meta: MetaSchema,
  Links: LinksSchema,
  Problem: ProblemSchema,
} as const satisfies Record<string, TSchema>;

type NamedSchemas = readonly (readonly [name: string, schema: TSchema])[];
const answers: NamedSchemas = allEndpoints.map(({ answer }) => [answer.name, answer.schema]);
const extAnswers: NamedSchemas = extEndpoints.map(({ answer }) => [answer.name, answer.schema]);
const named: NamedSchemas = [...answers, ...Object.entries(parts)];

/** A schema is recognised inside another by its members, because a copy of a schema shares them. */
const identity = (schema: TSchema): unknown => schema['properties'] ?? schema;
const names = new Map([...named, ...extAnswers].map(([name, schema]) => [identity(schema), name]));

export function reference(name: keyof typeof parts): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** The envelope around one kind of `data`. */
export function envelopeOf(data: TSchema): JsonObject {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['data', 'meta', 'links'],
    properties: { data: toJson(data), meta: reference('Meta'), links: reference('Links') },
  };
}

export function schemaComponents(): JsonObject {
  return componentsOf(named);
}

export function extSchemaComponents(): JsonObject {
  return componentsOf([...extAnswers, ...named]);
}

function componentsOf(list: NamedSchemas): JsonObject {
  return Object.fromEntries(list.map(([name, schema]) => [name, membersOf(schema)]));
}

/** Distinguishes a schema from the plain objects inside it, such as `properties`. */
function isSchema(value: object): value is TSchema {
  return Kind in value;
}

/** A schema as plain JSON, with a reference in place of each named schema. */
function toJson(value: unknown): Json {
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === 'object' && value !== null) {
    const name = isSchema(value) ? names.get(identity(value)) : undefined;
    return name === undefined ? membersOf(value) : referenceFrom(value, name);
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}

/** A reference to a schema may have its own explanation. */
function referenceFrom(value: object, name: string): JsonObject {
  const $ref = `#/components/schemas/${name}`;
  return 'description' in value ? { description: toJson(value.description), $ref } : { $ref };
}

/**
 * Leaves out `additionalProperties`: a later version may send members that this one does not.
 */
function membersOf(schema: object): JsonObject {
  const members = Object.entries(schema).filter(
    ([member]) => !(isSchema(schema) && member === 'additionalProperties'),
  );
  return simplified(Object.fromEntries(members.map(([member, value]) => [member, toJson(value)])));
}

/** JSON Schema has shorter forms than TypeBox for a value of a list and for one that may be null. */
function simplified({ anyOf, ...rest }: JsonObject): JsonObject {
  if (!Array.isArray(anyOf)) return anyOf === undefined ? rest : { anyOf, ...rest };
  const parts = anyOf.filter(isObject);
  const values = parts.map((part) => part['const']).filter((value) => typeof value === 'string');
  if (values.length === parts.length) return { type: 'string', enum: values, ...rest };
  const [first = {}, second = {}] = parts;
  const { type, enum: allowed } = first;
  const isValue = typeof type === 'string' && type !== 'object' && type !== 'array';
  if (parts.length !== 2 || second['type'] !== 'null' || !isValue) return { anyOf, ...rest };
  const withNull = Array.isArray(allowed) ? { enum: [...allowed, null] } : {};
  return { ...first, type: [type, 'null'], ...withNull, ...rest };
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
