/** Builds the OpenAPI 3.1 descriptions from the schemas and endpoints that the service itself uses. */

import type { Endpoint } from '../api/endpoint.ts';
import { allEndpoints, extEndpoints } from '../api/table.ts';
import type { Config } from '../config.ts';
import type { JsonObject } from '../lei/schema.ts';
import { commonHeaders, headerComponents, headerReferences, quotaHeaders } from './headers.ts';
import { extIntroduction, introduction } from './introduction.ts';
import { parameterComponents, paths } from './operations.ts';
import { responseComponents } from './responses.ts';
import { extSchemaComponents, schemaComponents } from './schemas.ts';

/** Describes /api/v1. @param baseUrl without a trailing slash */
export function openApiDocument(config: Config, baseUrl: string): JsonObject {
  return documentOf(config, baseUrl, {
    title: 'Legal Entity Identifier company data',
    summary: 'Who is who and who owns whom, from GLEIF’s public data.',
    introduction: introduction(config, baseUrl),
    endpoints: allEndpoints,
    schemas: schemaComponents(),
  });
}

/** Describes /ext/v1. @param baseUrl without a trailing slash */
export function extOpenApiDocument(config: Config, baseUrl: string): JsonObject {
  const document = documentOf(config, baseUrl, {
    title: 'Legal Entity Identifier company data, in bulk',
    summary: 'Operations on many companies, name matching, and changes since a version.',
    introduction: extIntroduction(config, baseUrl),
    endpoints: extEndpoints,
    schemas: extSchemaComponents(),
  });
  return onlyUsed(document);
}

interface ApiDescription {
  readonly title: string;
  readonly summary: string;
  readonly introduction: string;
  readonly endpoints: readonly Endpoint[];
  readonly schemas: JsonObject;
}

const tags = [
  { name: 'Companies', description: 'Records of level 1 and level 2, by LEI.' },
  { name: 'Identifiers', description: 'From other identifiers to LEIs.' },
  { name: 'Search', description: 'Companies by name.' },
  { name: 'Service', description: 'The served data and the state of the service.' },
] as const;

function documentOf(config: Config, baseUrl: string, described: ApiDescription) {
  const { title, summary, introduction: description, endpoints, schemas } = described;
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: '1.0.0',
      summary,
      description,
      contact: contactOf(config, baseUrl),
      license: {
        name: 'CC0 1.0 Universal (LEI data)',
        url: 'https://creativecommons.org/publicdomain/zero/1.0/',
      },
    },
    servers: [{ url: baseUrl, description: 'This service' }],
    security: [{}, { bearer: [] }],
    'x-headers-of-every-answer': headerReferences(commonHeaders),
    ...(config.limitsMode === 'off'
      ? {}
      : { 'x-headers-of-every-counted-answer': headerReferences(quotaHeaders) }),
    tags: tags.filter(({ name }) => endpoints.some(({ tag }) => tag === name)),
    paths: paths(endpoints),
    components: {
      schemas,
      parameters: parameterComponents,
      headers: headerComponents,
      responses: responseComponents(baseUrl),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'lei_live_…',
          description:
            'A key of your account, in the Authorization header only. It is optional everywhere: without a key, the anonymous quota of your address applies. For an unknown or revoked key, the answer is 401.',
        },
      },
    },
  };
}

/** The operator's contact; the home page if none is set. */
function contactOf({ contact }: Config, baseUrl: string): JsonObject {
  const home = { name: 'The operator of this service', url: `${baseUrl}/` };
  if (contact === null) return home;
  const email = /^mailto:(.+)$/.exec(contact)?.[1];
  return email === undefined ? { ...home, url: contact } : { ...home, email };
}

interface WithComponents {
  readonly components: Readonly<Record<string, JsonObject>>;
}

/** Removes components that nothing in a description refers to. */
function onlyUsed<Document extends WithComponents>(document: Document): Document {
  const { components, ...rest } = document;
  const used = new Set(referencesIn(rest));
  // The set grows during the loop: each component adds those that it refers to.
  for (const reference of used) {
    const [section = '', name = ''] = reference.split('/').slice(2);
    for (const further of referencesIn(components[section]?.[name] ?? null)) used.add(further);
  }
  const kept = Object.entries(components).map(([section, members]) => {
    const isUsed = (name: string) =>
      section === 'securitySchemes' || used.has(`#/components/${section}/${name}`);
    return [section, Object.fromEntries(Object.entries(members).filter(([name]) => isUsed(name)))] as const;
  });
  return { ...document, components: Object.fromEntries(kept) };
}

function referencesIn(value: unknown): readonly string[] {
  const found = JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g);
  return Array.from(found, ([, reference = '']) => reference);
}
