/**
 * Serves everything besides the API: the description, the pages for people, the catalogue. These requests are few, so
 * they go through a separate Elysia instance with the CORS plugin; answers of the API have the same headers prepared
 * (src/decisions/050).
 */
import { cors } from '@elysiajs/cors';
import { Elysia } from 'elysia';
import { allowedMethods, reads } from '../endpoints/endpoint.ts';
import type { JsonObject } from '../json.ts';
import { assetPage } from '../pages/assets.ts';
import { dataPage, type Page, type PageDefinition } from '../pages/definition.ts';
import { docsAssets, docsPage } from '../pages/docs-page.ts';
import { apiCatalogPage, problemIndex, problemPage, robotsPage } from '../pages/fixed-pages.ts';
import { nothingPage } from '../pages/refusal-pages.ts';
import { pageDefinitions } from '../pages/table.ts';
import { type ProblemName, problemKinds } from '../problems.ts';
import { pathOf } from './address.ts';
import { allowedRequestHeaders, commonHeaders, exposedHeaders, preflightSeconds } from './headers.ts';
import { methodNotAllowed } from './layers/method.ts';
import { addressFault, hasOneHost, severalHosts } from './malformed.ts';
import { extOpenApiDocument, openApiDocument } from './openapi/document.ts';
import { createPageResponse, type RespondFixed } from './page-response.ts';
import { answerVisit, type PageFound, type PageVisit, pageFinder, type VisitParts } from './page-visits.ts';
import { nothingHere, type ProblemDetails, problemResponse, problemText, problemType } from './problem.ts';

interface PageParts extends VisitParts {
  /** The pages of accounts, with the sign-up. */
  readonly accountPages: readonly PageDefinition[];
}

/** Path → its page, made at the first request. */
function fixedPages({ config, baseUrl }: PageParts): ReadonlyMap<string, () => Page> {
  const table = new Map<string, () => Page>([
    ['/robots.txt', robotsPage],
    ['/.well-known/api-catalog', () => apiCatalogPage(baseUrl(), config.basePath)],
    ['/openapi.json', () => descriptionPage(openApiDocument(config, baseUrl()))],
    ['/ext/openapi.json', () => descriptionPage(extOpenApiDocument(config, baseUrl()))],
    ['/docs', () => docsPage(baseUrl(), config)],
    ['/problems', () => problemIndex(config)],
  ]);
  for (const [path, asset] of docsAssets()) table.set(path, asset);
  for (const name of Object.keys(problemKinds)) {
    if (isProblemName(name)) table.set(`/problems/${name}`, () => problemPage(name, config));
  }
  return table;
}

function descriptionPage(document: JsonObject): Page {
  return { contentType: 'application/json', body: JSON.stringify(document) };
}

function isProblemName(name: string): name is ProblemName {
  return name in problemKinds;
}

export interface Pages {
  answer(visit: PageVisit): Promise<Response>;
  /** Makes the pages that show limits anew at their next request. */
  renewTexts(): void;
}

export function createPages(parts: PageParts): Pages {
  const { baseUrl, config } = parts;
  const find = pageFinder([...pageDefinitions(parts), ...parts.accountPages]);
  const makeFixed = () => createFixedPages(fixedPages(parts), createPageResponse(config));
  let fixed = makeFixed();
  const nothing = { page: nothingPage(config), places: {} };
  const answer: Pages['answer'] = async (visit) => {
    const { request, path, requestId } = visit;
    const refuse = (details: ProblemDetails) =>
      problemResponse(details, { baseUrl: baseUrl(), requestId, limits: null });
    if (!hasOneHost(request)) return refuse(severalHosts);
    if (request.method === 'OPTIONS') return fixed.answer(visit);
    const found = faultyPage(visit, baseUrl()) ?? find(path);
    const methods: readonly string[] | null = found?.page.methods ?? fixed.methodsAt(path);
    if (methods === null) {
      return isOfBrowser(visit) ? answerVisit(parts, visit, nothing) : refuse(nothingHere(config.basePath));
    }
    if (!methods.includes(request.method)) {
      return refuse(methodNotAllowed(request.method, allowedText(methods)));
    }
    return found === null ? fixed.answer(visit) : answerVisit(parts, visit, found);
  };
  return {
    answer,
    renewTexts() {
      fixed = makeFixed();
    },
  };
}

/** Null unless the address is malformed. The visit counts: a client could send such addresses without end. */
function faultyPage({ request, path, requestId }: PageVisit, baseUrl: string): PageFound | null {
  const fault = addressFault(request);
  if (fault === null) return null;
  const sent = { ...problemText(fault, { baseUrl, requestId }), contentType: problemType };
  return {
    page: { ...dataPage, methods: ['GET', 'HEAD', 'POST'], path, answer: () => sent },
    places: {},
  };
}

/** True for a browser that reads a page outside of the API, after a typed address or a followed link. */
function isOfBrowser({ path, request: { method, headers } }: PageVisit): boolean {
  const isRead = reads.methods.some((read) => read === method);
  return (
    isRead && !/^\/(?:api|ext|assets)\b/.test(path) && (headers.get('accept')?.includes('text/html') ?? false)
  );
}

/** `GET, HEAD, OPTIONS, POST`: writing methods come last. */
function allowedText(methods: readonly string[]): string {
  const writing = methods.filter((method) => !reads.methods.some((read) => read === method));
  return [allowedMethods(reads), ...writing].join(', ');
}

/** The parts that change only with the limits while the service runs: the pages of a table, and the files of the folder `client`. */
function createFixedPages(table: ReadonlyMap<string, () => Page>, respond: RespondFixed) {
  const elysia = new Elysia({ strictPath: true, handler: { standardHostname: false } }).use(
    cors({
      origin: '*',
      methods: [...reads.methods],
      allowedHeaders: allowedRequestHeaders,
      exposeHeaders: exposedHeaders,
      credentials: false,
      maxAge: preflightSeconds,
    }),
  );
  for (const [path, page] of table) elysia.get(path, ({ request }) => respond(request, path, page));
  elysia.get('/assets/*', ({ request }) => {
    const asset = assetPage(pathOf(request.url));
    return asset === null
      ? new Response(null, { status: 404 })
      : respond(request, asset.key, () => asset.page);
  });
  return {
    /** Null for an unknown path. */
    methodsAt: (path: string) => (table.has(path) || assetPage(path) !== null ? reads.methods : null),
    async answer({ request: { url, method, headers }, requestId }: PageVisit): Promise<Response> {
      // Elysia looks for the path at a fixed place of the URL, which is another one with `https://` or without a host.
      const response = await elysia.handle(new Request(`http://page${pathOf(url)}`, { method, headers }));
      // The plugin sends `Vary: *` for any origin, which would stop every cache from using a page.
      response.headers.set('Vary', commonHeaders.Vary);
      // The plugin leaves it out of its answer to OPTIONS.
      response.headers.set('X-Content-Type-Options', commonHeaders['X-Content-Type-Options']);
      response.headers.set('X-Request-Id', requestId);
      return response;
    },
  };
}
