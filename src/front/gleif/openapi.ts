/** Describes GLEIF's API as this service answers it (OpenAPI 3.1): operations and parameters follow from its routes. */
import type { Config } from '../../config.ts';
import { gleifMediaType, titleOf } from '../../gleif/faults.ts';
import { recordFields } from '../../gleif/fields.ts';
import { type GleifParameter, type GleifRoute, recordAttributes } from '../../gleif/route.ts';
import { gleifRoutes } from '../../gleif/routes.ts';
import { parentNames } from '../../lei/gleif-relations.ts';
import type { JsonObject } from '../../lei/schema.ts';
import { headerComponents, headerReferences, quotaHeaders } from '../../openapi/headers.ts';

/** @param url the public address of GLEIF's API */
export function gleifOpenApiDocument(
  config: Pick<Config, 'anonymousDaily' | 'accountDaily'>,
  url: string,
): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'GLEIF’s API over the data of this service',
      version: '1.0.0',
      summary: 'Addresses, documents and errors of api.gleif.org/api/v1.',
      description: introduction(config),
      license: {
        name: 'CC0 1.0 Universal (LEI data)',
        url: 'https://creativecommons.org/publicdomain/zero/1.0/',
      },
    },
    servers: [{ url, description: 'This service' }],
    security: [{}, { bearer: [] }],
    tags: ['Records', 'Relationships', 'Code lists', 'Completions'].map((name) => ({ name })),
    paths: Object.fromEntries(gleifRoutes.map((route) => [route.path, { get: operation(route) }])),
    components: {
      schemas,
      headers: headerComponents,
      parameters,
      responses,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'lei_live_…',
          description: 'A key of your account.',
        },
      },
    },
  };
}

function introduction({
  anonymousDaily,
  accountDaily,
}: Pick<Config, 'anonymousDaily' | 'accountDaily'>): string {
  return [
    `Without a key ${anonymousDaily} requests a day are answered, with a key ${accountDaily}. The headers of every answer say what is left.`,
    'Documents are those of GLEIF’s API (JSON:API). Where a record shows BIC or MIC, the notice of SWIFT’s mapping tables applies; `/api/v1/lei/{lei}` quotes it.',
    'Lists have no window of 10,000, ranges of dates hold their last day whole, and texts forgive typing errors where nothing has all words.',
  ].join('\n\n');
}

function operation(route: GleifRoute): JsonObject {
  const { operationId, path, summary, tag, cost, resource } = route;
  const pages = isList(route);
  const identifier = /\{(\w+)\}/.exec(path)?.[1];
  const inPath = {
    name: identifier ?? '',
    in: 'path',
    required: true,
    description: identifier === 'lei' ? 'An LEI, in any case.' : 'The id of the entry.',
    schema: { type: 'string' },
  };
  return {
    operationId,
    tags: [tag],
    summary,
    description: `Costs one ${cost === 'lookup' ? 'look-up' : 'search'}. Answers with ${pages ? 'a page of' : 'a resource of the type'} \`${resource}\`.`,
    parameters: [
      ...(identifier === undefined ? [] : [inPath]),
      ...route.parameters
        .flatMap(parameterNames)
        .map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    responses: {
      200: {
        description: 'A JSON:API document.',
        headers: headerReferences(['ETag', 'Last-Modified', ...quotaHeaders]),
        content: {
          [gleifMediaType]: { schema: { $ref: `#/components/schemas/${pages ? 'List' : 'Single'}` } },
        },
      },
      304: { description: 'Nothing has changed since the answer with the sent entity tag.' },
      ...Object.fromEntries(
        statuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
      ),
    },
  };
}

function isList({ parameters: taken }: GleifRoute): boolean {
  return taken.includes('page') || taken.includes('q');
}

const statuses = [400, 401, 404, 405, 429, 503] as const;

const query = (name: string, description: string, schema: JsonObject, further: JsonObject = {}) => ({
  name,
  in: 'query',
  description,
  schema,
  ...further,
});
const text = { type: 'string' };

const parameters: JsonObject = {
  filter: query(
    'filter',
    `\`filter[field]=value\`, for each of these fields: ${recordFields
      .filter(({ isFilter }) => isFilter)
      .map(({ name }) => `\`${name}\``)
      .join(
        ', ',
      )}. \`!\` in front excludes, a comma separates values, \`a..b\`, \`<\`, \`<=\`, \`>\` and \`>=\` compare dates and numbers. All filters must hold.`,
    { type: 'object', additionalProperties: text },
    { style: 'deepObject', explode: true },
  ),
  sort: query('sort', 'Fields with commas between them, `-` in front for descending.', text),
  'page-number': query('page[number]', 'The page, from 1.', { type: 'integer', minimum: 1, default: 1 }),
  'page-size': query('page[size]', 'Items on a page.', { type: 'integer', minimum: 1 }),
  'page-cursor': query('page[cursor]', '`*` begins a walk; then the cursor of the `next` link.', text),
  include: query('include', `Relationships whose other end is included: ${parentNames.join(', ')}.`, text),
  fields: query('fields[lei-records]', `Only these attributes: ${recordAttributes.join(', ')}.`, text),
  field: query('field', 'Where the text is looked for.', text, { required: true }),
  q: query('q', 'The text, up to 255 characters.', { type: 'string', maxLength: 255 }, { required: true }),
};

function parameterNames(name: GleifParameter): readonly string[] {
  if (name === 'page') return ['page-number', 'page-size'];
  return [name === 'cursor' ? 'page-cursor' : name];
}

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const nullableInteger = { type: ['integer', 'null'] };

const schemas: JsonObject = {
  Resource: {
    type: 'object',
    required: ['type', 'attributes'],
    properties: {
      type: text,
      id: text,
      attributes: { type: 'object' },
      relationships: { type: 'object' },
      links: { type: 'object', properties: { self: text } },
    },
  },
  Single: {
    type: 'object',
    required: ['data'],
    properties: {
      meta: reference('Meta'),
      data: reference('Resource'),
      included: { type: 'array', items: { type: 'object' } },
    },
  },
  List: {
    type: 'object',
    required: ['data'],
    properties: {
      meta: reference('Meta'),
      links: {
        type: 'object',
        properties: { first: text, prev: text, next: text, last: text },
        description: 'Absolute addresses; `prev` and `next` only if there is such a page.',
      },
      data: { type: 'array', items: reference('Resource') },
      included: { type: 'array', items: { type: 'object' } },
    },
  },
  Meta: {
    type: 'object',
    properties: {
      goldenCopy: { type: 'object', properties: { publishDate: { type: 'string', format: 'date-time' } } },
      pagination: {
        type: 'object',
        properties: {
          currentPage: { type: 'integer' },
          perPage: { type: 'integer' },
          from: nullableInteger,
          to: nullableInteger,
          total: { type: 'integer', description: 'Exact.' },
          lastPage: { type: 'integer' },
        },
      },
    },
  },
  Errors: {
    type: 'object',
    required: ['errors'],
    properties: {
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['status', 'title', 'detail'],
          properties: {
            status: text,
            title: text,
            detail: { type: 'string', description: 'What is wrong, and what is allowed.' },
            source: { type: 'object', properties: { parameter: text } },
          },
        },
      },
    },
  },
};

const responses: JsonObject = Object.fromEntries(
  statuses.map((status) => [
    `Error${status}`,
    {
      description: titleOf(status),
      content: { [gleifMediaType]: { schema: reference('Errors') } },
    },
  ]),
);
