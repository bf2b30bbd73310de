/** The one table of routes, family by family. */

import { apiRoutes } from '../api/routes.ts';
import { allEndpoints, extEndpoints } from '../api/table.ts';
import type { Config } from '../config.ts';
import { gleifRoutes } from '../gleif/routes.ts';
import { pageOperations } from '../http/definition.ts';
import { EnvelopeRepresentation } from '../http/representation/envelope.ts';
import type { StepParts } from '../http/steps/step.ts';
import type { JsonObject } from '../lei/json.ts';
import { extOpenApiDocument, openApiDocument } from '../openapi/document.ts';
import { reconcileOperations } from '../reconcile/addresses.ts';
import { reconcileRoutes } from '../reconcile/routes.ts';
import { assetFiles } from '../site/assets.ts';
import type { FileDefinition, FixedPage, PageDefinition } from '../site/definition.ts';
import { docsFiles } from '../site/docs-page.ts';
import { fixedPages } from '../site/fixed-pages.ts';
import { type PageRoutes, pageRoutes } from '../site/page-route.ts';
import { pageDefinitions } from '../site/table.ts';
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
  const pages = pageRoutes(
    [...pageDefinitions(parts), ...accountPages],
    [
      ...fixedPages(config, baseUrl),
      ...docsFiles(config, baseUrl),
      ...descriptions(config, baseUrl),
      ...assetFiles(),
    ],
    parts,
  );
  return {
    ...pages,
    routes: [
      ...apiRoutes(envelope, parts, uptimeMs),
      ...reconcileRoutes(parts),
      ...gleifApiRoutes(parts),
      ...pages.routes,
    ],
  };
}

function descriptions(config: Config, baseUrl: () => string): readonly FileDefinition[] {
  const page = (document: JsonObject): FixedPage => ({
    contentType: 'application/json',
    body: JSON.stringify(document),
  });
  return [
    { path: '/openapi.json', make: () => page(openApiDocument(config, baseUrl())) },
    { path: '/ext/openapi.json', make: () => page(extOpenApiDocument(config, baseUrl())) },
    ...(config.gleifApi
      ? [
          {
            path: '/gleif/openapi.json',
            make: () => page(gleifOpenApiDocument(config, gleifUrl({ config, baseUrl }))),
          },
        ]
      : []),
  ];
}

/** Every operation that is reported to the observer. */
export const operations: readonly string[] = [
  ...[...allEndpoints, ...extEndpoints].map(({ operationId }) => operationId),
  ...gleifRoutes.map(({ operationId }) => operationId),
  ...reconcileOperations,
  ...Object.values(pageOperations),
];
