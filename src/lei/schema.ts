/**
 * Provides the building blocks of the payload schemas. The TypeBox schemas are the one source of the static types, the
 * OpenAPI document, the field tables of docs/glossary.md and the validators that tests run over real answers; so each
 * member has the sentence that explains it to users.
 */
import {
  FormatRegistry,
  type TArray,
  type TObject,
  type TProperties,
  type TSchema,
  Type,
} from '@sinclair/typebox';
import { formats } from './formats.ts';

/** An object of exactly these members in this version. Its explanation leaves room for more in a later one. */
export function object<Members extends TProperties>(
  members: Members,
  description?: string,
): TObject<Members> {
  return Type.Object(members, { additionalProperties: false, ...described(description) });
}

export function listOf<Item extends TSchema>(item: Item, description: string): TArray<Item> {
  return Type.Array(item, { description });
}

function described(description: string | undefined) {
  return description === undefined ? {} : { description };
}

/** The schema with the explanation of one member. */
export function said<T extends TSchema>(schema: T, description: string): T {
  return { ...schema, description };
}

/** `null` is the only form of an absent value; a member is never missing. */
export function nullable<T extends TSchema>(schema: T, description?: string) {
  return Type.Union([schema, Type.Null()], described(description));
}

export function text(description: string, ...examples: string[]) {
  return Type.String({ description, ...(examples.length === 0 ? {} : { examples }) });
}

export function textOrNull(description: string, ...examples: string[]) {
  const { description: _, ...schema } = text('', ...examples);
  return nullable(schema, description);
}

export function count(description: string) {
  return Type.Integer({ minimum: 0, description });
}

/** One of a set that is closed by contract. */
export function oneOf<const Values extends readonly string[]>(values: Values, description: string) {
  const literals = values.map((value) => Type.Literal(value));
  return Type.Unsafe<Values[number]>(Type.Union(literals, { description }));
}

export const LeiSchema = Type.String({
  pattern: '^[0-9A-Z]{18}[0-9]{2}$',
  description: 'Legal Entity Identifier (ISO 17442).',
  examples: ['213800E5Z6QRDSMZMK84'],
});

/** Without a pattern: an odd one that is not a key is kept as published. */
export const PublishedLeiSchema = Type.String({
  description: 'LEI as published; GLEIF’s files may hold a wrong one.',
  examples: ['213800E5Z6QRDSMZMK84'],
});

// TypeBox refuses values of an unknown format.
for (const [name, isOfFormat] of Object.entries(formats)) FormatRegistry.Set(name, isOfFormat);

export const TimestampSchema = Type.String({
  format: 'date-time',
  description: 'UTC, ISO 8601 with Z; a fraction only when it is not zero.',
  examples: ['2024-05-04T11:53:54Z'],
});

const WrittenDaySchema = Type.String({ format: 'date', examples: ['2024-05-04'] });

/** The format stays, so that clients get dates: no real record is known with another text. */
const PublishedTimeSchema = Type.String({ format: 'date-time', examples: ['2024-05-04T11:53:54Z'] });

/**
 * A time of GLEIF's files in UTC. A text that is not a possible date and time is kept as published, and so is a time
 * before the year 1 or after 9999 in UTC.
 */
export function publishedTime(description: string) {
  return nullable(PublishedTimeSchema, description);
}

/** The day of a published time. @param of the member that holds the time */
export function writtenDay(of: string) {
  return nullable(
    WrittenDaySchema,
    `The day of \`${of}\` as written, if it was published with an offset from UTC; otherwise null.`,
  );
}

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json };
export type JsonObject = { readonly [member: string]: Json };
