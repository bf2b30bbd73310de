/** Describes each operation and its parameters; everything here comes from the endpoints' definitions. */
import type { Endpoint } from '../api/endpoint.ts';
import {
  type ParameterName,
  type QueryParameter,
  queryParameters,
  type Subject,
  subjects,
} from '../http/parameters.ts';
import type { JsonObject } from '../lei/schema.ts';
import { commonHeaders, type HeaderName, headerReferences, quotaHeaders } from './headers.ts';
import { type ResponseName, responseReference } from './responses.ts';
import { envelopeOf } from './schemas.ts';

/** Path → path item with its one operation. HEAD is not listed, since it follows from GET. */
export function paths(endpoints: readonly Endpoint[]): JsonObject {
  return Object.fromEntries(endpoints.map((endpoint) => [endpoint.template, { get: operation(endpoint) }]));
}

function operation(endpoint: Endpoint): JsonObject {
  const { operationId, tag, summary, cost } = endpoint;
  const parameters = parametersOf(endpoint);
  const burst =
    cost === null ? '' : ` Counts against the daily quota and the burst window \`${cost.window}\`.`;
  return {
    operationId,
    tags: [tag],
    summary,
    description: `${endpoint.description}${burst}`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(cost === null ? { security: [] } : {}),
    responses: cost === null ? statusResponses(endpoint) : countedResponses(endpoint),
  };
}

function parametersOf({ subject, own, parameters, tail }: Endpoint): readonly JsonObject[] {
  const [inPath, shared] = [subject === null ? [] : [subject], parameters].map((names) =>
    names.map(parameterReference),
  );
  const atEnd = Object.entries(tail).map((entry) => ownParameter(entry, 'path'));
  const alone = Object.entries(own).map((entry) => ownParameter(entry));
  return [...(inPath ?? []), ...atEnd, ...alone, ...(shared ?? [])];
}

function countedResponses(endpoint: Endpoint): JsonObject {
  const { parameters, subject, batch } = endpoint;
  const paged = parameters.includes('cursor');
  const faults: ResponseName =
    subject === null ? 'InvalidSearch' : paged ? 'InvalidPage' : 'InvalidIdentifier';
  return {
    '200': found(endpoint, true, paged),
    '304': responseReference('NotModified'),
    '400': responseReference(faults),
    '401': responseReference('Unauthorized'),
    ...(batch ? {} : { '404': responseReference('NotFound') }),
    '429': responseReference('RateLimited'),
    '503': responseReference('Unavailable'),
  };
}

function statusResponses(endpoint: Endpoint): JsonObject {
  return {
    '200': found(endpoint, false, false),
    '304': {
      description: 'The client’s copy is still current (`If-None-Match`). No body.',
      headers: headerReferences(['ETag']),
    },
    '503': responseReference('StatusUnavailable'),
  };
}

function found({ answer, summary, batch }: Endpoint, counted: boolean, paged: boolean): JsonObject {
  const { schema, example } = answer;
  const names: readonly HeaderName[] = [
    'ETag',
    'Last-Modified',
    ...(paged ? (['Link'] as const) : []),
    ...(counted ? quotaHeaders : []),
    // Status and batches show the headers for all operations: linters demand that each header is used once.
    ...(counted && !batch ? [] : commonHeaders),
  ];
  return {
    description: `${summary}.`,
    headers: headerReferences(names),
    content: { 'application/json': { schema: envelopeOf(schema), example } },
  };
}

const pathParameters = Object.entries(subjects).map(([name, { description, pattern, example }]) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', pattern },
  example,
}));

/** A query parameter that one endpoint alone takes. */
function ownParameter(
  [name, rule]: readonly [string, DescribedParameter],
  where: 'query' | 'path' = 'query',
): JsonObject {
  const { required, description, schema, example } = rule;
  return {
    name,
    in: where,
    required: required !== null,
    description,
    schema,
    ...(example === undefined ? {} : { example }),
  };
}
type DescribedParameter = Pick<QueryParameter<unknown>, 'required' | 'description' | 'schema' | 'example'>;

const ofQueries = Object.entries(queryParameters).map(([name, rule]) => ({
  ...ownParameter([name, rule]),
  name,
}));

/** The shared parameters, with the constraints that validation enforces. */
export const parameterComponents: JsonObject = Object.fromEntries(
  [...pathParameters, ...ofQueries].map((parameter) => [parameter.name, parameter]),
);

function parameterReference(name: Subject | ParameterName): JsonObject {
  return { $ref: `#/components/parameters/${name}` };
}
