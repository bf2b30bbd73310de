/** The one table of routes, family by family. */
import { apiRoutes } from '../api/routes.ts';
import { allEndpoints, extEndpoints } from '../api/table.ts';
import type { Config } from '../config.ts';
import { gleifRoutes } from '../gleif/routes.ts';
import { mcpOperation, pageOperations } from '../http/definition.ts';
import { EnvelopeRepresentation } from '../http/representation/envelope.ts';
import type { StepParts } from '../http/step.ts';
import type { JsonObject } from '../lei/schema.ts';
import { mcpRoutes } from '../mcp/routes.ts';
import { extOpenApiDocument, openApiDocument } from '../openapi/document.ts';
import { reconcileOperations } from '../reconcile/addresses.ts';
import { reconcileRoutes } from '../reconcile/routes.ts';
import { assetFiles } from '../site/assets.ts';
import { companyPages } from '../site/company/pages.ts';
import type { FileDefinition, PageDefinition } from '../site/definition.ts';
import { docsFiles } from '../site/docs-page.ts';
import { fixedPages } from '../site/fixed-pages.ts';
import { guidePages } from '../site/guides/guides.ts';
import { referencePage } from '../site/guides/reference.ts';
import { homePage, suggestions } from '../site/home/home.ts';
import { matchPage } from '../site/match/match-page.ts';
import { type PageRoutes, pageRoutes } from '../site/page-route.ts';
import { gleifOpenApiDocument } from './gleif/openapi.ts';
import { gleifApiRoutes, gleifUrl } from './gleif/routes.ts';

interface FamilyParts {
  /** The pages of accounts, with the sign-up. */
  readonly accountPages: readonly PageDefinition[];
  /** Milliseconds since the service started. */
  readonly uptimeMs: () => number;
}

export function allRoutes(parts: StepParts, { accountPages, uptimeMs }: FamilyParts): PageRoutes {
  const { config, baseUrl } = parts;
  const envelope = new EnvelopeRepresentation(parts);
  const guides = guidePages(config, baseUrl);
  const pages = pageRoutes(
    [homePage(parts), suggestions, matchPage, ...companyPages, guides.search, ...accountPages],
    [
      ...fixedPages(config, baseUrl),
      ...docsFiles(config, baseUrl),
      ...guides.files,
      ...descriptions(config, baseUrl),
      ...assetFiles(),
    ],
    parts,
  );
  const api = apiRoutes(envelope, parts, uptimeMs);
  return {
    ...pages,
    routes: [
      ...api,
      ...reconcileRoutes(parts),
      ...mcpRoutes(api, parts),
      ...gleifApiRoutes(parts),
      ...pages.routes,
    ],
  };
}

/** The descriptions for programs, and their references for people. */
function descriptions(config: Config, baseUrl: () => string): readonly FileDefinition[] {
  const described: readonly Description[] = [
    {
      path: '/openapi.json',
      reference: '/docs/api',
      document: () => openApiDocument(config, baseUrl()),
    },
    {
      path: '/ext/openapi.json',
      reference: '/docs/ext',
      document: () => extOpenApiDocument(config, baseUrl()),
    },
    ...(config.gleifApi
      ? [
          {
            path: '/gleif/openapi.json',
            reference: '/docs/gleif',
            document: () => gleifOpenApiDocument(config, gleifUrl({ config, baseUrl })),
          },
        ]
      : []),
  ];
  return described.flatMap(({ path, reference, document }) => {
    const file = {
      path,
      make: () => ({ contentType: 'application/json', body: JSON.stringify(document()) }),
    };
    const make = () => referencePage(path, document(), config, baseUrl());
    return [file, { path: reference, make }];
  });
}

interface Description {
  readonly path: string;
  /** Path of its reference. */
  readonly reference: string;
  readonly document: () => JsonObject;
}

/** Every operation that is reported to the observer. */
export const operations: readonly string[] = [
  ...[...allEndpoints, ...extEndpoints].map(({ operationId }) => operationId),
  ...gleifRoutes.map(({ operationId }) => operationId),
  ...reconcileOperations,
  mcpOperation,
  ...Object.values(pageOperations),
];
