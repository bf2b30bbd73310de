/**
 * Serves everything beside the API: the description, the human pages, the catalogue. These requests are few, so they go
 * through an Elysia of their own with the CORS plugin; answers of the API have the same headers prepared
 * (src/decisions/050).
 */
import { cors } from '@elysiajs/cors';
import { Elysia } from 'elysia';
import type { Config } from '../../config.ts';
import { allowedMethods, reads } from '../endpoints/endpoint.ts';
import type { JsonObject } from '../json.ts';
import { docsAssets, docsPage } from '../pages/docs-page.ts';
import { type Page, pageStyle } from '../pages/page.ts';
import { problemIndex, problemPage } from '../pages/problem-pages.ts';
import type { SignupHandler } from '../pages/signup/signup.ts';
import { apiCatalogPage, homePage, robotsPage } from '../pages/site-pages.ts';
import { type ProblemName, problemKinds } from '../problems.ts';
import type { PeerOf } from './exchange.ts';
import { hasOneHost, severalHosts } from './framing.ts';
import { allowedRequestHeaders, commonHeaders, exposedHeaders, preflightSeconds } from './headers.ts';
import { methodNotAllowed } from './layers/method.ts';
import { extOpenApiDocument, openApiDocument } from './openapi/document.ts';
import { createPageResponse } from './page-response.ts';
import { nothingHere, type ProblemDetails, problemResponse } from './problem.ts';

export interface PageParts {
  readonly config: Config;
  /** Without a trailing slash; known once the service listens. */
  readonly baseUrl: () => string;
  readonly signup: SignupHandler | null;
  readonly peerOf: PeerOf;
}

/** Path → the page there, made at its first request. */
function pageTable({ config, baseUrl, signup }: PageParts): ReadonlyMap<string, () => Page> {
  const table = new Map<string, () => Page>([
    ['/', () => homePage(config, signup !== null)],
    ['/page.css', () => ({ contentType: 'text/css; charset=utf-8', body: pageStyle })],
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

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

export type Pages = (request: Request, path: string, requestId: string) => Promise<Response>;

export function createPages(parts: PageParts): Pages {
  const { config, baseUrl, signup, peerOf } = parts;
  const respond = createPageResponse(config);
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
  const table = pageTable(parts);
  for (const [path, page] of table) elysia.get(path, ({ request }) => respond(request, path, page));

  const strayProblem = (request: Request, path: string): ProblemDetails => {
    const writable = signup !== null && path === '/signup';
    if (writable) return methodNotAllowed(request.method, 'GET, HEAD, OPTIONS, POST');
    if (table.has(path) && !isRead(request)) return methodNotAllowed(request.method, allowedMethods(reads));
    return nothingHere(config.basePath);
  };
  return async (request, path, requestId) => {
    if (!hasOneHost(request)) {
      return problemResponse(severalHosts, { baseUrl: baseUrl(), requestId, limits: null });
    }
    if (signup !== null && path === '/signup' && (isRead(request) || request.method === 'POST')) {
      // Without CORS headers: no script of another site may read the page that shows a key.
      const response = await signup(request, peerOf(request), baseUrl());
      response.headers.set('X-Request-Id', requestId);
      return response;
    }
    const known = table.has(path) && isRead(request);
    if (!known && request.method !== 'OPTIONS') {
      return problemResponse(strayProblem(request, path), { baseUrl: baseUrl(), requestId, limits: null });
    }
    const response = await elysia.handle(request);
    // The plugin sends `Vary: *` for any origin, and then no cache could ever use a page.
    response.headers.set('Vary', commonHeaders.Vary);
    response.headers.set('X-Content-Type-Options', commonHeaders['X-Content-Type-Options']);
    response.headers.set('X-Request-Id', requestId);
    return response;
  };
}
