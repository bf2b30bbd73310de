/** Schemas of the remaining `data` members, the envelope and problems (RFC 9457). */
import { type Static, Type } from '@sinclair/typebox';
import { CompanySchema, LeiSchema, nullable, TimestampSchema } from './company.ts';
import { byKind, identifierKinds, mappingTable } from './identifier-kinds.ts';

const closed = { additionalProperties: false };
const text = Type.String();
const count = Type.Integer({ minimum: 0 });

/** A company named by another answer; all nulls where the LEI has no record here. */
export const EntityReferenceSchema = Type.Object(
  {
    lei: LeiSchema,
    name: nullable(text),
    country: nullable(text),
    entityStatus: nullable(text),
    registrationStatus: nullable(text),
    links: Type.Object({ self: text }, closed),
  },
  closed,
);
const entities = Type.Array(EntityReferenceSchema);

export const MicListEntrySchema = Type.Object(
  {
    name: nullable(text),
    type: nullable(Type.String({ description: 'OPRT or SGMT' })),
    country: nullable(text),
    city: nullable(text),
    status: nullable(text),
  },
  closed,
);
/** The answer for a MIC also says what the ISO 10383 list says of it. */
const micMembers = {
  operatingMic: nullable(
    Type.String({ description: 'Null where the ISO 10383 list was not loaded or lacks the MIC' }),
  ),
  record: nullable(MicListEntrySchema),
};
/** By the name of each answer, as `BicAnswer`. */
export const identifierAnswerSchemas = byKind(
  identifierKinds,
  (kind) =>
    Type.Object(
      { [kind]: text, ...(kind === 'mic' ? micMembers : {}), entities },
      { ...closed, $id: mappingTable[kind].answer },
    ),
  (kind) => mappingTable[kind].answer,
);

export const SearchHitSchema = Type.Object(
  {
    lei: LeiSchema,
    name: nullable(text),
    matchedName: Type.Object(
      {
        name: nullable(text),
        type: nullable(Type.String({ description: 'LEGAL_NAME or a name type of LEI-CDF 3.1' })),
      },
      closed,
    ),
    country: nullable(text),
    jurisdiction: nullable(text),
    city: nullable(text),
    entityStatus: nullable(text),
    registrationStatus: nullable(text),
    score: Type.Number({ minimum: 0, maximum: 1 }),
  },
  closed,
);
export const SearchAnswerSchema = Type.Object(
  {
    query: Type.Object({ q: text, country: nullable(text), status: nullable(text) }, closed),
    total: count,
    items: Type.Array(SearchHitSchema),
  },
  { ...closed, $id: 'SearchAnswer' },
);

const fieldChange = Type.Object(
  {
    field: Type.String({ description: 'Path as in Company; a list that changed is given whole' }),
    from: Type.Unknown(),
    to: Type.Unknown(),
  },
  closed,
);
const changeMoment = { at: TimestampSchema, datasetVersion: text };
export const ChangeItemSchema = Type.Union([
  Type.Object({ kind: Type.Literal('change'), ...changeMoment, changes: Type.Array(fieldChange) }, closed),
  Type.Object(
    {
      kind: Type.Literal('relationship-change'),
      ...changeMoment,
      relationship: Type.Object({ start: LeiSchema, end: nullable(LeiSchema), type: text }, closed),
      changes: Type.Array(fieldChange),
    },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal('relationship-removed'),
      ...changeMoment,
      relationship: Type.Object({ start: LeiSchema, end: LeiSchema, type: text }, closed),
    },
    closed,
  ),
  Type.Object({ kind: Type.Literal('created'), ...changeMoment }, closed),
  Type.Object({ kind: Type.Literal('removed'), ...changeMoment }, closed),
  Type.Object(
    {
      kind: Type.Literal('snapshot'),
      at: TimestampSchema,
      source: text,
      record: Type.Object(CompanySchema.properties, closed),
    },
    closed,
  ),
]);
export const ChangesAnswerSchema = Type.Object(
  { lei: LeiSchema, items: Type.Array(ChangeItemSchema) },
  { ...closed, $id: 'ChangesAnswer' },
);

export const CountsSchema = Type.Object(
  {
    entities: count,
    relationships: count,
    reportingExceptions: count,
    changes: count,
    snapshots: count,
    ...byKind(identifierKinds, () => count),
  },
  closed,
);
/** Rows held by a publication, per kind. */
export type Counts = Static<typeof CountsSchema>;

/** What a load is doing. */
export const LoadingSchema = Type.Object(
  { phase: text, progress: Type.Number({ minimum: 0, maximum: 1 }), startedAt: TimestampSchema },
  closed,
);
/** How the last load, swap or update failed. */
export const FailureSchema = Type.Object({ at: TimestampSchema, phase: text, message: text }, closed);

export const StatusAnswerSchema = Type.Object(
  {
    status: Type.Union([Type.Literal('ok'), Type.Literal('loading'), Type.Literal('unavailable')]),
    publication: Type.Object(
      {
        id: text,
        datasetVersion: text,
        sourcePublishedAt: TimestampSchema,
        activatedAt: TimestampSchema,
        sample: Type.Boolean(),
        files: Type.Array(
          Type.Object({ name: text, kind: text, sha256: text, rows: count, rejected: count }, closed),
        ),
      },
      closed,
    ),
    counts: CountsSchema,
    previous: Type.Array(Type.Object({ id: text, activatedAt: TimestampSchema }, closed)),
    loading: nullable(LoadingSchema),
    lastFailure: nullable(FailureSchema),
    uptimeSeconds: Type.Integer({ minimum: 0 }),
    version: text,
  },
  { ...closed, $id: 'StatusAnswer' },
);
export type StatusAnswer = Static<typeof StatusAnswerSchema>;

export const MetaSchema = Type.Object(
  {
    datasetVersion: text,
    sourcePublishedAt: TimestampSchema,
    schemaVersion: text,
    sourceUrl: text,
    licenseNotice: text,
  },
  { ...closed, $id: 'Meta' },
);
export const LinksSchema = Type.Object(
  { self: text, next: Type.Optional(Type.String({ description: 'Opaque cursor value, not a URL' })) },
  { ...closed, $id: 'Links' },
);

export const ProblemSchema = Type.Object(
  {
    type: Type.String({ format: 'uri' }),
    title: text,
    status: Type.Integer(),
    detail: text,
    instance: Type.Optional(text),
    errors: Type.Optional(Type.Array(Type.Object({ parameter: text, detail: text }, closed))),
    violatedPolicies: Type.Optional(Type.Array(text)),
  },
  { ...closed, $id: 'Problem', description: 'RFC 9457 problem details' },
);

/** The version of the payload shapes, as `meta.schemaVersion` states it. */
export const schemaVersion = '1.0.0';
