/** What each operation is called and answers; path, parameters and quota come from the endpoint itself. */
import { type Endpoint, endpoints, statusEndpoint } from '../endpoints.ts';
import bic from './examples/bic.json' with { type: 'json' };
import changes from './examples/changes.json' with { type: 'json' };
import company from './examples/company.json' with { type: 'json' };
import gem from './examples/gem.json' with { type: 'json' };
import isin from './examples/isin.json' with { type: 'json' };
import mic from './examples/mic.json' with { type: 'json' };
import qcc from './examples/qcc.json' with { type: 'json' };
import relationships from './examples/relationships.json' with { type: 'json' };
import search from './examples/search.json' with { type: 'json' };
import status from './examples/status.json' with { type: 'json' };
import { headerReferences } from './headers.ts';
import type { Json, JsonObject } from './json.ts';
import { parameterReference } from './parameters.ts';
import { type ResponseName, responseReference } from './responses.ts';
import { envelopeOf, type SchemaName } from './schemas.ts';

interface OperationText {
  readonly tag: 'Companies' | 'Search' | 'Identifiers' | 'Service';
  readonly summary: string;
  readonly description: string;
  readonly schema: SchemaName;
  readonly example: Json;
}

const texts: Readonly<Record<string, OperationText>> = {
  getCompanyByLei: {
    tag: 'Companies',
    summary: 'A company by its LEI',
    description:
      'The whole level 1 record, with the identifiers that other lists map to it. Absent values are `null`, empty lists `[]`; a member is never missing. An LEI known only from a relationship or a mapping is 404.',
    schema: 'Company',
    example: company,
  },
  getCompanyRelationships: {
    tag: 'Companies',
    summary: 'Who owns a company, and whom it owns',
    description:
      'Level 2 in both directions. A parent is `null` (nothing reported), a company with the relationship, or the exception that says why none is reported. Children are complete, sorted by name then LEI. `others` holds funds, branches and inactive relationships.',
    schema: 'CompanyRelationships',
    example: relationships,
  },
  getCompanyChanges: {
    tag: 'Companies',
    summary: 'What changed about a company',
    description:
      'Newest first: changed fields, changed relationships, creation, removal, and snapshots recovered from older files. The changes of a removed LEI stay readable.',
    schema: 'ChangesAnswer',
    example: changes,
  },
  searchCompanies: {
    tag: 'Search',
    summary: 'Companies by name',
    description:
      'Best first by `score`, ties by LEI. A hit has all words of the question, small ones and legal forms aside. Where fewer than ten companies have them as typed, words may also be mistyped, joined, split or, the last one, unfinished; where none has them so either, some may be missing. `total` is exactly the number of rows that all pages together have.',
    schema: 'SearchAnswer',
    example: search,
  },
  getBIC: {
    tag: 'Identifiers',
    summary: 'The companies behind a BIC',
    description:
      'The answer’s `bic` is the 11-character form. `meta.licenseNotice` reproduces SWIFT’s notice.',
    schema: 'BicAnswer',
    example: bic,
  },
  getISIN: {
    tag: 'Identifiers',
    summary: 'The issuers of a security',
    description: 'From GLEIF’s ISIN-to-LEI list.',
    schema: 'IsinAnswer',
    example: isin,
  },
  getMIC: {
    tag: 'Identifiers',
    summary: 'The companies behind a market',
    description:
      'A segment resolves through its operating MIC where the ISO 10383 list was loaded; `operatingMic` says so. `meta.licenseNotice` reproduces SWIFT’s notice.',
    schema: 'MicAnswer',
    example: mic,
  },
  getGEM: {
    tag: 'Identifiers',
    summary: 'The companies behind a Global Energy Monitor entity',
    description: 'The pairs are published under CC BY 4.0; `meta.licenseNotice` says so.',
    schema: 'GemAnswer',
    example: gem,
  },
  getQCC: {
    tag: 'Identifiers',
    summary: 'The companies behind a Qichacha code',
    description: 'From GLEIF’s QCC-to-LEI list.',
    schema: 'QccAnswer',
    example: qcc,
  },
  getStatus: {
    tag: 'Service',
    summary: 'What data is served',
    description:
      'The active publication, what it was built from, and what is being loaded. Looks at neither query nor Authorization, and is never counted.',
    schema: 'StatusAnswer',
    example: status,
  },
};

/** Path → path item with its one operation. */
export function paths(): JsonObject {
  return Object.fromEntries(
    [...endpoints, statusEndpoint].map((endpoint) => [endpoint.template, { get: operation(endpoint) }]),
  );
}

function operation(endpoint: Endpoint): JsonObject {
  const { operationId, subject, parameters, window } = endpoint;
  const text = texts[operationId];
  if (text === undefined) throw new Error(`No text describes ${operationId}.`);
  const counted = endpoint !== statusEndpoint;
  const names = subject === null ? parameters : [subject, ...parameters];
  const burst = counted ? ` Counts against the daily quota and the burst window \`${window}\`.` : '';
  return {
    operationId,
    tags: [text.tag],
    summary: text.summary,
    description: `${text.description}${burst}`,
    ...(names.length === 0 ? {} : { parameters: names.map(parameterReference) }),
    ...(counted ? {} : { security: [] }),
    responses: counted ? countedResponses(endpoint, text) : statusResponses(text),
  };
}

function countedResponses({ parameters, subject }: Endpoint, text: OperationText): JsonObject {
  const paged = parameters.includes('cursor');
  const faults: ResponseName =
    subject === null ? 'InvalidSearch' : paged ? 'InvalidPage' : 'InvalidIdentifier';
  return {
    '200': found(text, true, paged),
    '304': responseReference('NotModified'),
    '400': responseReference(faults),
    '401': responseReference('Unauthorized'),
    '404': responseReference('NotFound'),
    '429': responseReference('RateLimited'),
    '503': responseReference('Unavailable'),
  };
}

function statusResponses(text: OperationText): JsonObject {
  return {
    '200': found(text, false, false),
    '304': {
      description: 'The client’s copy is still current (`If-None-Match`). No body.',
      headers: headerReferences(false, ['ETag']),
    },
    '503': responseReference('StatusUnavailable'),
  };
}

function found({ schema, example, summary }: OperationText, counted: boolean, paged: boolean): JsonObject {
  return {
    description: `${summary}.`,
    headers: headerReferences(counted, ['ETag', 'Last-Modified', ...(paged ? (['Link'] as const) : [])]),
    content: { 'application/json': { schema: envelopeOf(schema), example } },
  };
}
