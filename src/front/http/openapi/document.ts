/** The description of the API, OpenAPI 3.1: made from the schemas and endpoints that the service itself uses. */
import type { Config } from '../../../config.ts';
import { headerComponents } from './headers.ts';
import type { JsonObject } from './json.ts';
import { paths } from './operations.ts';
import { parameterComponents } from './parameters.ts';
import { responseComponents } from './responses.ts';
import { schemaComponents } from './schemas.ts';

/** @param baseUrl without a trailing slash */
export function openApiDocument(config: Config, baseUrl: string): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Legal Entity Identifier company data',
      version: '1.0.0',
      summary: 'Who is who and who owns whom, from GLEIF’s public data.',
      description: description(config),
      license: { name: 'CC0 1.0 Universal (LEI data)', identifier: 'CC0-1.0' },
    },
    servers: [{ url: baseUrl, description: 'This service' }],
    security: [{}, { bearer: [] }],
    tags: [
      { name: 'Companies', description: 'Records of level 1 and level 2, by LEI.' },
      { name: 'Search', description: 'Companies by name.' },
      { name: 'Identifiers', description: 'From other identifiers to LEIs.' },
      { name: 'Service', description: 'What data is served, and how the service is.' },
    ],
    paths: paths(),
    components: {
      schemas: schemaComponents(),
      parameters: parameterComponents,
      headers: headerComponents,
      responses: responseComponents(baseUrl),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'lei_live_…',
          description:
            'A key of your account, in the Authorization header only. It is optional everywhere: without one the anonymous quota of your address applies. A key that is unknown or revoked is answered 401.',
        },
      },
    },
  };
}

function description(config: Config): string {
  return [
    'A read-only JSON API. Every answer has three members: `data`; `meta`, which names the dataset version; `links`. Every error is a problem (RFC 9457, `application/problem+json`). All times are UTC.',
    `## Limits\n\n${limitsText(config)}`,
    '## Pages\n\nWhere more follows, `links.next` is an opaque cursor: pass it as `cursor` with the same other parameters. All pages of a traversal come from one dataset version, also when the data is updated meanwhile.',
    '## Caching\n\nEvery 200 has a strong `ETag` and `Last-Modified`; `If-None-Match` and `If-Modified-Since` are honoured. Bodies over 4 KiB are sent in zstd, br or gzip where the client accepts one.',
    `## Licences\n\n${config.licenseNotice} BIC–LEI and MIC–LEI pairs are SWIFT’s tables, GEM–LEI pairs are Global Energy Monitor’s under CC BY 4.0; \`meta.licenseNotice\` of each answer holds the notices that its content requires.`,
  ].join('\n\n');
}

function limitsText(config: Config): string {
  if (config.limitsMode === 'off') return 'This service does not limit requests.';
  const refusal =
    config.limitsMode === 'shadow'
      ? 'This service counts and reports, and does not refuse.'
      : 'Past a limit the answer is 429 with `Retry-After`; it costs nothing.';
  return [
    `Without a key, ${config.anonymousDaily} requests a UTC day for each client address (an IPv6 client is its /64). With a key, ${config.accountDaily} a UTC day over all keys of the account.`,
    `In any minute at most ${config.burstLookup} identifier look-ups (\`lookup\`) and ${config.burstSearch} searches, relationships and changes (\`search\`).`,
    `${refusal} 304, 400 and 404 are counted, 503 is not. \`RateLimit\`, \`RateLimit-Policy\` and \`X-RateLimit-*\` tell what is left.`,
  ].join(' ');
}
