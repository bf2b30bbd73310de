/** The OpenAPI 3.1 description, made from the schemas and endpoints that the service itself uses. */
import type { Config } from '../../../config.ts';
import type { JsonObject } from '../../json.ts';
import { commonHeaders, headerComponents, headerReferences } from './headers.ts';
import { introduction } from './introduction.ts';
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
      description: introduction(config, baseUrl),
      contact: contactOf(config, baseUrl),
      license: {
        name: 'CC0 1.0 Universal (LEI data)',
        url: 'https://creativecommons.org/publicdomain/zero/1.0/',
      },
    },
    servers: [{ url: baseUrl, description: 'This service' }],
    security: [{}, { bearer: [] }],
    'x-headers-of-every-answer': headerReferences(commonHeaders),
    tags: [
      { name: 'Companies', description: 'Records of level 1 and level 2, by LEI.' },
      { name: 'Identifiers', description: 'From other identifiers to LEIs.' },
      { name: 'Search', description: 'Companies by name.' },
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

/** Where nobody is named, the home page stands for the operator. */
function contactOf({ contact }: Config, baseUrl: string): JsonObject {
  const home = { name: 'The operator of this service', url: `${baseUrl}/` };
  if (contact === null) return home;
  const email = /^mailto:(.+)$/.exec(contact)?.[1];
  return email === undefined ? { ...home, url: contact } : { ...home, email };
}
