/** Elysia routes and serves; what a request is answered with is decided elsewhere. */
import { Elysia } from 'elysia';
import { limits } from '../../config.ts';
import { endpoints, routePath, statusEndpoint } from './endpoints.ts';
import type { Handler } from './handler.ts';

export interface ServerParts {
  readonly handle: Handler;
  /** Whatever no route takes. */
  readonly stray: (request: Request) => Promise<Response>;
  /** Whatever throws outside both. */
  readonly broken: (request: Request, error: unknown) => Response;
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
      // The server would answer a larger announced body by itself, bare. Nobody here reads one but the sign-up page,
      // which stops at its own bound; what is not read is let go as it arrives.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      idleTimeout: limits.idleTimeoutSeconds,
    },
  });
  // Before the routes: Elysia applies a hook only to what is registered after it.
  elysia.onError(({ request, code, error }) =>
    code === 'NOT_FOUND' ? stray(request) : broken(request, error),
  );
  for (const endpoint of [...endpoints, statusEndpoint]) {
    // HEAD is routed with GET, and the body is left out by the server.
    elysia.get(routePath(endpoint.template), ({ request }) => handle(request, endpoint));
  }
  elysia.all('/*', ({ request }) => stray(request), { parse: 'none' });
  return elysia;
}
