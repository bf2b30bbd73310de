/** Turns the TypeBox schemas of the payloads into components: each is named once and referred to elsewhere. */
import { Kind, type TSchema } from '@sinclair/typebox';
import {
  ChangeItemSchema,
  CountsSchema,
  EntityReferenceSchema,
  LinksSchema,
  MetaSchema,
  MicListEntrySchema,
  ProblemSchema,
  SearchHitSchema,
} from '../../../lei/answers.ts';
import {
  AddressSchema,
  AuthoritySchema,
  EventGroupSchema,
  EventSchema,
  MappingsSchema,
  NameSchema,
  TypedAddressSchema,
  TypedNameSchema,
} from '../../../lei/company.ts';
import { RelationshipSchema, ReportingExceptionSchema } from '../../../lei/relationship.ts';
import { allEndpoints } from '../../endpoints/table.ts';
import type { Json, JsonObject } from '../../json.ts';

/** Schemas inside the answers, and around them. */
const parts = {
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

type PartName = keyof typeof parts;

const named: readonly (readonly [name: string, schema: TSchema])[] = [
  ...allEndpoints.map(({ answer }) => [answer.name, answer.schema] as const),
  ...Object.entries(parts),
];

/** A schema is recognised inside another by its members, because a copy of a schema shares them. */
const identity = (schema: TSchema): unknown => schema['properties'] ?? schema;
const names = new Map(named.map(([name, schema]) => [identity(schema), name]));

export function reference(name: PartName): JsonObject {
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
  return Object.fromEntries(named.map(([name, schema]) => [name, membersOf(schema)]));
}

/** Tells a schema from the plain objects inside it, such as `properties`. */
function isSchema(value: object): value is TSchema {
  return Kind in value;
}

/** A schema as plain JSON, with a reference in place of each named schema. */
function toJson(value: unknown): Json {
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === 'object' && value !== null) {
    const name = isSchema(value) ? names.get(identity(value)) : undefined;
    return name === undefined ? membersOf(value) : { $ref: `#/components/schemas/${name}` };
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}

/** Leaves out `$id`, TypeBox's name of a schema: in the document its place is its name. */
function membersOf(schema: object): JsonObject {
  const members = Object.entries(schema).filter(([member]) => member !== '$id');
  return Object.fromEntries(members.map(([member, value]) => [member, toJson(value)]));
}
