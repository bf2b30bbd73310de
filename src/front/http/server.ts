/** Starts Elysia, which serves and routes. A request's path is matched only here; the handlers answer. */
import { Elysia } from 'elysia';
import { type DataEndpoint, pathPattern, routePath } from '../endpoints/endpoint.ts';
import { reconcileBase } from '../endpoints/reconcile.ts';
import { status } from '../endpoints/status.ts';
import { dataEndpoints, extEndpoints } from '../endpoints/table.ts';
import { pathOf } from './address.ts';
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
  const rest = restOf(handlers);
  // Before the routes: Elysia applies a hook only to what is registered after it.
  elysia.onError(({ request, code, error }) =>
    code === 'NOT_FOUND' ? rest(request) : broken(request, error),
  );
  // Bun itself matches the paths of GET, and HEAD with it: it leaves the body out.
  for (const endpoint of dataTable) {
    const { subject } = endpoint;
    elysia.get(routePath(endpoint), ({ request, params }: Routed) =>
      handlers.data(request, endpoint, subject === null ? '' : (params[subject] ?? '')),
    );
  }
  elysia.get(routePath(status), ({ request }) => handlers.status(request));
  elysia.all('/*', ({ request }) => rest(request), { parse: 'none' });
  return elysia;
}

interface Routed {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
}

const dataTable: readonly DataEndpoint[] = [...dataEndpoints, ...extEndpoints];

/**
 * Answers the requests that Bun does not match: other methods of the endpoints, the reconciliation service, pages and
 * unknown paths. Elysia can't route them: it looks for the path at a fixed place of the URL, which is another one with
 * `https://`, and without a Host header.
 */
function restOf(handlers: Handlers): (request: Request) => Reply {
  const patterns = dataTable.map((endpoint) => ({ endpoint, pattern: pathPattern(endpoint) }));
  const statusPattern = pathPattern(status);
  return (request) => {
    const path = pathOf(request.url);
    if (path === reconcileBase || path.startsWith(`${reconcileBase}/`)) return handlers.reconcile(request);
    if (statusPattern.test(path)) return handlers.status(request);
    const found = patterns.find(({ pattern }) => pattern.test(path));
    // The method is refused before anybody reads the identifier.
    return found === undefined ? handlers.page(request) : handlers.data(request, found.endpoint, '');
  };
}
