/** Schemas of the common parts of answers: the status, the envelope, and problems (RFC 9457). */
import { type Static, Type } from '@sinclair/typebox';
import { EntitySchema, RegistrationSchema } from './company.ts';
import { byKind, identifierKinds, mappingTable } from './identifier-kinds.ts';
import { count, listOf, nullable, object, oneOf, said, TimestampSchema, text, textOrNull } from './schema.ts';

/** Members that other answers show of a company. */
export const companySummary = {
  country: textOrNull('The country of the legal address, a code of ISO 3166-1 alpha-2.', 'DE'),
  entityStatus: EntitySchema.properties.status,
  registrationStatus: RegistrationSchema.properties.status,
};

export const CountsSchema = object({
  entities: count('Companies.'),
  relationships: count('Relationships between companies.'),
  reportingExceptions: count('Reasons why a parent is not reported.'),
  changes: count('Changes in the history.'),
  snapshots: count('Snapshots recovered from older files.'),
  ...byKind(identifierKinds, (kind) => count(`Pairs of ${mappingTable[kind].plural} and LEIs.`)),
});
/** Numbers of rows in a publication, by kind. */
export type Counts = Static<typeof CountsSchema>;

/** The progress of a load. */
export const LoadingSchema = object({
  phase: text('The current step of the load.', 'comparing'),
  progress: Type.Number({ minimum: 0, maximum: 1, description: 'The share of the load that is done.' }),
  startedAt: said(TimestampSchema, 'When the load began.'),
});
/** How the last load, swap or update failed. */
export const FailureSchema = object({
  at: said(TimestampSchema, 'When it failed.'),
  phase: text('What failed: a load, a swap, or an update.'),
  message: text('The reason, in words.'),
});

const SourceFileSchema = object({
  name: text('The name of the file.', '20240505-0000-gleif-goldencopy-lei2-intra-day.json.zip'),
  kind: text('What the file holds.', 'level-1'),
  sha256: text('The SHA-256 digest of the file, in hexadecimal.'),
  rows: count('The rows of the file that could be used.'),
  rejected: count('The rows of the file that could not be used.'),
});
export const StatusAnswerSchema = object({
  status: oneOf(
    ['ok', 'loading', 'unavailable'],
    '`ok`; `loading` while new data is prepared (the service answers as before); `unavailable` while it can’t answer.',
  ),
  publication: object(
    {
      id: text('The id of the publication.', '20240505T000000Z-3f9a1c2b'),
      datasetVersion: text(
        'The dataset version that answers show; the same as the id.',
        '20240505T000000Z-3f9a1c2b',
      ),
      sourcePublishedAt: said(TimestampSchema, 'When GLEIF published the data.'),
      activatedAt: said(TimestampSchema, 'When the publication became active here.'),
      sample: Type.Boolean({ description: 'Whether this is the bundled sample.' }),
      files: listOf(
        SourceFileSchema,
        'The files that it was built from. There are at most 100 of each kind: the file of the full set and the newest deltas.',
      ),
    },
    'The data that is served.',
  ),
  counts: said(CountsSchema, 'The numbers of records in the publication.'),
  previous: listOf(
    object({
      id: text('The id of the publication.', '20240504T160000Z-91bb02aa'),
      activatedAt: said(TimestampSchema, 'When it became active here.'),
    }),
    'The other publications that the service keeps, latest first.',
  ),
  loading: nullable(LoadingSchema, 'The load in progress; null while there is none.'),
  lastFailure: nullable(FailureSchema, 'The last failure of a load, swap or update; null if there was none.'),
  uptimeSeconds: count('Seconds since the service started.'),
  version: text('The version of the service.', '0.1.0'),
});
export type StatusAnswer = Static<typeof StatusAnswerSchema>;

export const MetaSchema = object({
  datasetVersion: text('The publication that the answer comes from.', '20240505T000000Z-3f9a1c2b'),
  sourcePublishedAt: said(TimestampSchema, 'When GLEIF published the data.'),
  schemaVersion: text('The version of the payload format.', '1.0.0'),
  sourceUrl: text('The source of the data.'),
  licenseNotice: text('The notices that you must pass on with the data.'),
});
export const LinksSchema = object({
  self: text('The path of this answer.', '/api/v1/search?q=bank'),
  next: Type.Optional(
    text('The value to pass as `cursor` for the next page, not an address; absent on the last page.'),
  ),
});

export const ProblemSchema = object(
  {
    type: Type.String({
      format: 'uri',
      description: 'The address of a page that explains this type of problem.',
    }),
    title: text('The type of problem in a few words.', 'Invalid parameter'),
    status: Type.Integer({ description: 'The HTTP status, repeated.', examples: [400] }),
    detail: text('What is wrong with this request, and what would be right.'),
    instance: Type.Optional(
      text('The id of the request; tell it to the operator.', 'urn:request:0f8e2a7c51d3-1a'),
    ),
    errors: Type.Optional(
      listOf(
        object({
          parameter: text('The parameter.', 'limit'),
          detail: text('What is wrong with it, and what would be right.'),
        }),
        'An entry for each wrong parameter of a request, on 400.',
      ),
    ),
    violatedPolicies: Type.Optional(
      listOf(
        oneOf(['daily', 'lookup', 'search'], 'The name of a quota.'),
        'The quotas that are used up, on 429.',
      ),
    ),
  },
  'A problem (RFC 9457).',
);
