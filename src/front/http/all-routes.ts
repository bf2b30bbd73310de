/** The one table of routes, family by family. */
import type { Config } from '../../config.ts';
import { apiRoutes } from '../endpoints/routes.ts';
import type { JsonObject } from '../json.ts';
import { assetFiles } from '../pages/assets.ts';
import type { FileDefinition, FixedPage, PageDefinition } from '../pages/definition.ts';
import { docsFiles } from '../pages/docs-page.ts';
import { fixedPages } from '../pages/fixed-pages.ts';
import { type PageRoutes, pageRoutes } from '../pages/page-route.ts';
import { pageDefinitions } from '../pages/table.ts';
import { extOpenApiDocument, openApiDocument } from './openapi/document.ts';
import { reconcileRoutes } from './reconcile/routes.ts';
import { EnvelopeRepresentation } from './representation/envelope.ts';
import type { StepParts } from './steps/step.ts';

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
    routes: [...apiRoutes(envelope, parts, uptimeMs), ...reconcileRoutes(parts), ...pages.routes],
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
  ];
}
