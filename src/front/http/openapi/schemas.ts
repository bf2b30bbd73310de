/** The TypeBox schemas of the payloads as the document's components: named once, referred to everywhere else. */
import { Kind, type TSchema } from '@sinclair/typebox';
import {
  ChangeItemSchema,
  ChangesAnswerSchema,
  CountsSchema,
  EntityReferenceSchema,
  identifierAnswerSchemas,
  LinksSchema,
  MetaSchema,
  MicListEntrySchema,
  ProblemSchema,
  SearchAnswerSchema,
  SearchHitSchema,
  StatusAnswerSchema,
} from '../../../lei/answers.ts';
import {
  AddressSchema,
  AuthoritySchema,
  CompanySchema,
  EventGroupSchema,
  EventSchema,
  MappingsSchema,
  NameSchema,
  TypedAddressSchema,
  TypedNameSchema,
} from '../../../lei/company.ts';
import {
  CompanyRelationshipsSchema,
  RelationshipSchema,
  ReportingExceptionSchema,
} from '../../../lei/relationship.ts';
import type { Json, JsonObject } from './json.ts';

const named = {
  Company: CompanySchema,
  CompanyRelationships: CompanyRelationshipsSchema,
  ChangesAnswer: ChangesAnswerSchema,
  SearchAnswer: SearchAnswerSchema,
  ...identifierAnswerSchemas,
  StatusAnswer: StatusAnswerSchema,
  Name: NameSchema,
  TypedName: TypedNameSchema,
  Address: AddressSchema,
  TypedAddress: TypedAddressSchema,
  Authority: AuthoritySchema,
  Event: EventSchema,
  EventGroup: EventGroupSchema,
  Mappings: MappingsSchema,
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

export type SchemaName = keyof typeof named;

/** What a schema is recognised by inside another: its members, since a copy of a schema shares them. */
const identity = (schema: TSchema): unknown => schema['properties'] ?? schema;
const names = new Map(Object.entries(named).map(([name, schema]) => [identity(schema), name]));

export function reference(name: SchemaName): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** The envelope around one kind of `data`. */
export function envelopeOf(name: SchemaName): JsonObject {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['data', 'meta', 'links'],
    properties: { data: reference(name), meta: reference('Meta'), links: reference('Links') },
  };
}

export function schemaComponents(): JsonObject {
  return Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, membersOf(schema)]));
}

/** Tells a schema from the plain objects inside it, as `properties`. */
function isSchema(value: object): value is TSchema {
  return Kind in value;
}

/** A schema as plain JSON, with the named ones inside it replaced by references. */
function toJson(value: unknown): Json {
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === 'object' && value !== null) {
    const name = isSchema(value) ? names.get(identity(value)) : undefined;
    return name === undefined ? membersOf(value) : { $ref: `#/components/schemas/${name}` };
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}

/** `$id` is TypeBox's name for it; in the document its place is the name. */
function membersOf(schema: object): JsonObject {
  const members = Object.entries(schema).filter(([member]) => member !== '$id');
  return Object.fromEntries(members.map(([member, value]) => [member, toJson(value)]));
}
