/** Elysia serves, and has Bun's router route the API; what a request is answered with is decided elsewhere. */
import { Elysia } from 'elysia';
import { limits } from '../../config.ts';
import { type Endpoint, endpoints, routePath, statusEndpoint } from './endpoints.ts';
import type { Handler } from './handler.ts';

export interface ServerParts {
  readonly handle: Handler;
  /** Whatever no route takes. */
  readonly stray: (request: Request) => Promise<Response>;
  /** Whatever throws outside both. */
  readonly broken: (request: Request, error: unknown) => Response;
}

/**
 * The routes of the API as Elysia hands them to Bun's router. A handler registered with `get` would be called with a
 * context made for every request, and awaited once more (decision 053).
 */
function routesOf(handle: Handler) {
  // HEAD is routed with GET, and the body is left out by the server.
  const route = (endpoint: Endpoint) => ({ GET: (request: Request) => handle(request, endpoint) });
  return Object.fromEntries(
    [...endpoints, statusEndpoint].map((endpoint) => [routePath(endpoint.template), route(endpoint)]),
  );
}

export function createServer({ handle, stray, broken }: ServerParts) {
  const elysia = new Elysia({
    // A path with a slash too many is another path.
    strictPath: true,
    precompile: true,
    // Host names may be as short as "x".
    handler: { standardHostname: false },
    serve: {
      // Elysia's default lets a second process take half of the connections unnoticed.
      reusePort: false,
      // Bun's default answers an error with a page of source code.
      development: false,
      maxRequestBodySize: limits.requestBodyBytesMax,
      idleTimeout: limits.idleTimeoutSeconds,
      routes: routesOf(handle),
    },
  });
  // First: Elysia applies a hook only to what is registered after it.
  elysia.onError(({ request, code, error }) =>
    code === 'NOT_FOUND' ? stray(request) : broken(request, error),
  );
  elysia.all('/*', ({ request }) => stray(request), { parse: 'none' });
  return elysia;
}
