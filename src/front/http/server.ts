/** Starts Elysia, which serves and routes. A request's path is matched only here; the handlers answer. */
import { Elysia } from 'elysia';
import { type Endpoint, routePath } from '../endpoints/endpoint.ts';
import { reconcileBase } from '../endpoints/reconcile.ts';
import { status } from '../endpoints/status.ts';
import { dataEndpoints, extEndpoints } from '../endpoints/table.ts';
import type { Reply } from './exchange.ts';
import type { Handlers } from './handler.ts';

/** The server looks for idle connections at this interval, and may close one that much early. */
export const idleSweepSeconds = 4;

/**
 * @param handlers answer the routed requests
 * @param broken answers errors thrown outside the handlers
 * @param idleSeconds after how many silent seconds a connection is closed, or up to {@link idleSweepSeconds} earlier
 */
export function createServer(
  handlers: Handlers,
  broken: (request: Request, error: unknown) => Response,
  idleSeconds: number,
) {
  const elysia = new Elysia({
    // A path with a trailing slash is another path.
    strictPath: true,
    precompile: true,
    // Accept short host names such as "x".
    handler: { standardHostname: false },
    serve: {
      // Bun's default answers an error with a page of source code.
      development: false,
      // The server answers a larger announced body by itself, without our headers. The sign-up page and the
      // reconciliation service read bodies, up to limits of their own; other bodies are discarded on arrival.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      idleTimeout: idleSeconds,
    },
  });
  // Before the routes: Elysia applies a hook only to what is registered after it.
  elysia.onError(({ request, code, error }) =>
    code === 'NOT_FOUND' ? handlers.page(request) : broken(request, error),
  );
  for (const endpoint of [...dataEndpoints, ...extEndpoints]) {
    const { subject } = endpoint;
    route(elysia, endpoint, ({ request, params }) =>
      handlers.data(request, endpoint, subject === null ? '' : (params[subject] ?? '')),
    );
  }
  route(elysia, status, ({ request }) => handlers.status(request));
  for (const path of [reconcileBase, `${reconcileBase}/*`]) {
    elysia.all(path, ({ request }) => handlers.reconcile(request), { parse: 'none' });
  }
  elysia.all('/*', ({ request }) => handlers.page(request), { parse: 'none' });
  return elysia;
}

interface Routed {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
}

/** Routes every method of an endpoint's path. HEAD is routed with GET: the server leaves the body out. */
function route(elysia: Elysia, endpoint: Endpoint, answer: (routed: Routed) => Reply): void {
  const path = routePath(endpoint);
  elysia.get(path, answer);
  elysia.all(path, answer, { parse: 'none' });
}
