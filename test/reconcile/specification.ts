/**
 * Defines the shapes that the Reconciliation Service API 0.2 asks for, in our own words because its schemas have no
 * licence. Members that the specification does not name are allowed where its schemas allow them.
 */
import { Type } from '@sinclair/typebox';
import { Ajv2020 } from 'ajv/dist/2020.js';

const text = Type.String();
const closed = { additionalProperties: false };
const withIdPlace = Type.String({ pattern: '\\{\\{id\\}\\}' });

const type = Type.Object({ id: text, name: text, broader: Type.Optional(Type.Array(Type.Any())) });
const suggestService = Type.Object({
  service_url: Type.Optional(text),
  service_path: Type.Optional(text),
  flyout_service_url: Type.Optional(text),
  flyout_service_path: Type.Optional(Type.String({ pattern: '\\$\\{id\\}' })),
});

const manifest = Type.Object({
  versions: Type.Array(text, { contains: Type.Literal('0.2') }),
  name: text,
  identifierSpace: text,
  schemaSpace: text,
  documentation: Type.Optional(text),
  serviceVersion: Type.Optional(text),
  defaultTypes: Type.Optional(Type.Array(type, { uniqueItems: true })),
  view: Type.Optional(Type.Object({ url: withIdPlace })),
  preview: Type.Optional(Type.Object({ url: withIdPlace, width: Type.Integer(), height: Type.Integer() })),
  suggest: Type.Optional(
    Type.Object({
      entity: Type.Optional(suggestService),
      property: Type.Optional(suggestService),
      type: Type.Optional(suggestService),
    }),
  ),
  extend: Type.Optional(
    Type.Object({
      propose_properties: Type.Optional(
        Type.Object({ service_url: Type.Optional(text), service_path: Type.Optional(text) }),
      ),
      property_settings: Type.Optional(Type.Array(Type.Any())),
    }),
  ),
  batchSize: Type.Optional(Type.Integer({ minimum: 1 })),
});

const named = Type.Union([text, Type.Object({ id: text, name: Type.Optional(text) })]);
const candidate = Type.Object({
  id: text,
  name: text,
  description: Type.Optional(text),
  score: Type.Number(),
  features: Type.Optional(
    Type.Array(Type.Object({ id: text, value: Type.Union([Type.Boolean(), Type.Number()]) })),
  ),
  match: Type.Optional(Type.Boolean()),
  type: Type.Optional(Type.Array(named)),
});
const results = Type.Record(text, Type.Object({ result: Type.Array(candidate) }));

const described = { id: text, name: text, description: Type.Optional(text) };
const suggestions = Type.Object({
  result: Type.Array(Type.Object({ ...described, notable: Type.Optional(Type.Array(named)) })),
});
const flyout = Type.Object({ id: text, html: text });
const proposal = Type.Object({
  properties: Type.Array(Type.Object(described)),
  type: Type.Optional(text),
  limit: Type.Optional(Type.Number()),
});

const moment =
  '^-?(?:[1-9][0-9]*)?[0-9]{4}-(?:1[0-2]|0[1-9])-(?:3[01]|0[1-9]|[12][0-9])T(?:2[0-3]|[01][0-9]):[0-5][0-9]:[0-5][0-9]';
const value = Type.Union([
  Type.Object({}, closed),
  Type.Object(described, closed),
  Type.Object({ str: text }, closed),
  Type.Object({ float: Type.Number() }, closed),
  Type.Object({ int: Type.Integer() }, closed),
  Type.Object({ date: Type.String({ pattern: moment }) }, closed),
]);
const extension = Type.Object({
  meta: Type.Array(
    Type.Object({
      id: text,
      name: text,
      type: Type.Optional(Type.Object({ id: text, name: Type.Optional(text) })),
      service: Type.Optional(Type.String({ pattern: '^https?://' })),
    }),
  ),
  rows: Type.Record(text, Type.Record(text, Type.Array(value))),
});

const shapes = { manifest, results, suggestions, flyout, proposal, extension };
const ajv = new Ajv2020({ allErrors: true, strict: false });

/** Throws if a body does not match the specification. */
export function expectShape(name: keyof typeof shapes, body: unknown): void {
  if (!ajv.validate(shapes[name], body)) throw new Error(`${name}: ${ajv.errorsText()}`);
}
