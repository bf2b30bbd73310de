/**
 * Starts Elysia, which serves and routes, and passes each request through its layers. A request's path is matched only
 * here.
 */
import { Elysia } from 'elysia';
import { type Log, loggable } from '../../log/log.ts';
import type { Tracer } from '../../ports/tracer.ts';
import { discardBody } from '../bodies/request-body.ts';
import type { Access } from '../contracts.ts';
import { type DataEndpoint, pathPattern, routePath } from '../endpoints/endpoint.ts';
import { reconcileAddress, reconcileBase } from '../endpoints/reconcile.ts';
import { status } from '../endpoints/status.ts';
import { dataEndpoints, extEndpoints } from '../endpoints/table.ts';
import { pathOf } from './address.ts';
import { CountedExchange, Exchange, type ExchangeHost, type PeerOf, type Reply } from './exchange.ts';
import { requestIdOf } from './header-values.ts';
import type { Inner, Refuse } from './layers/layer.ts';
import { logUnavailable, unavailable } from './layers/look-up.ts';
import { PageVisit } from './page-visits.ts';
import type { Pages } from './pages.ts';
import { ReconcileExchange } from './reconcile/service.ts';
import type { Arrival, Watch } from './watch.ts';

/** The server looks for idle connections at this interval, and may close one that much early. */
export const idleSweepSeconds = 4;

/** The longest time to an answer: a question is asked twice because a thread ended, then its body is compressed. */
const answerSecondsMax = 20;

interface ServerParts {
  /** The layers of the endpoints that are counted. */
  readonly counted: Inner<CountedExchange>;
  /** The layers of the status endpoint. */
  readonly uncounted: Inner<Exchange>;
  /** The layers of the reconciliation service. */
  readonly reconciled: Inner<ReconcileExchange>;
  /** Answers at all other paths. */
  readonly pages: Pages['answer'];
  readonly access: Pick<Access, 'serviceFailed'>;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly watch: Watch;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly refuse: Refuse;
  readonly peerOf: PeerOf;
  /** Answers a request that failed in an unforeseen way, and logs the error. */
  readonly broken: (requestId: string, error: unknown) => Response;
  /** Null if no traces are sent. */
  readonly tracer: Tracer | null;
  /** Whether the service itself speaks HTTPS: browsers then never ask it by plain HTTP again. */
  readonly encrypted: boolean;
  /** While these drain, each ends with its next answer. */
  readonly connections: { readonly draining: boolean };
  /** After how many silent seconds a connection is closed, or up to {@link idleSweepSeconds} earlier. */
  readonly idleSeconds: number;
  /** Sets that time for the connection of one request. */
  readonly keepOpen: (request: Request, seconds: number) => void;
}

export function createServer(parts: ServerParts) {
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
      idleTimeout: parts.idleSeconds,
    },
  });
  const handlers = createHandlers(parts);
  const route = restOf(handlers);
  /** A proxy that is still sending a body may lose an answer that comes before it has been read. */
  const rest = async (request: Request): Promise<Response> => {
    const response = await route(request);
    await discardBody(request);
    return response;
  };
  // Before the routes: Elysia applies a hook only to what is registered after it.
  elysia.onError(({ request, code, error }) =>
    code === 'NOT_FOUND' ? rest(request) : parts.broken(requestIdOf(request), error),
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

type Handlers = ReturnType<typeof createHandlers>;

function createHandlers(parts: ServerParts) {
  const { access, counted, uncounted, reconciled, pages, broken, watch, tracer, clock, keepOpen } = parts;
  const host = exchangeHost(parts);
  const mayOutlast = mayOutlastIdling(parts);
  const arrive = (request: Request): Arrival => {
    watch.arrived();
    if (mayOutlast) keepOpen(request, answerSecondsMax);
    return { request, requestId: requestIdOf(request), now: clock() };
  };
  /** Pages, and unknown paths. */
  const page = async (request: Request): Promise<Response> => {
    const visit = new PageVisit(arrive(request), tracer);
    const response = await pages(visit).catch((error: unknown) => {
      if (visit.caller !== null) void access.serviceFailed(visit.caller, 'search', visit.now);
      return broken(visit.requestId, error);
    });
    host.prepare(request, response);
    host.finish(visit, response);
    return response;
  };
  return {
    page,
    /** @param identifier from the path, decoded; '' if the path has none */
    data(request: Request, endpoint: DataEndpoint, identifier: string): Reply {
      const exchange = new CountedExchange(arrive(request), endpoint, identifier, host);
      exchange.enter(counted);
      return exchange.reply();
    },
    status(request: Request): Reply {
      const exchange = new Exchange(arrive(request), status, host);
      exchange.enter(uncounted);
      return exchange.reply();
    },
    /** The reconciliation service, and unknown paths below it. */
    reconcile(request: Request): Reply {
      const address = reconcileAddress(pathOf(request.url));
      if (address === null) return page(request);
      const exchange = new ReconcileExchange(arrive(request), address, host);
      exchange.enter(reconciled);
      return exchange.reply();
    },
  };
}

/**
 * Whether an answer may take longer than a connection may idle. Bun's server counts the wait for an answer as idle
 * time, so each request then gets its own time.
 */
function mayOutlastIdling({ idleSeconds }: ServerParts): boolean {
  return idleSeconds < answerSecondsMax;
}

function exchangeHost(parts: ServerParts): ExchangeHost {
  const { access, log, watch, refuse, peerOf, tracer, connections, keepOpen, idleSeconds, encrypted } = parts;
  const mayOutlast = mayOutlastIdling(parts);
  const serviceFailed = ({ caller, admission, now }: Exchange) => {
    if (caller !== null) void access.serviceFailed(caller, admission?.quota?.window ?? 'search', now);
  };
  return {
    peerOf,
    tracer,
    prepare(request, response) {
      if (encrypted) response.headers.set('Strict-Transport-Security', 'max-age=31536000');
      if (mayOutlast) keepOpen(request, idleSeconds);
      if (connections.draining || endsConnection(request)) response.headers.set('Connection', 'close');
    },
    finish(exchange, response) {
      watch.answered(exchange, response);
      exchange.trace?.end(exchange);
    },
    /** An unforeseen error becomes a 503 for the caller, and a stack trace in the log. */
    fail(exchange, error) {
      log.error('A request failed unexpectedly.', {
        requestId: loggable(exchange.requestId),
        traceId: exchange.traceId,
        error,
      });
      exchange.refund();
      serviceFailed(exchange);
      refuse(exchange, unavailable('failed'));
    },
    unavailable(exchange, reason) {
      logUnavailable(log, exchange, reason);
      if (reason === 'failed') serviceFailed(exchange);
    },
  };
}

/**
 * Whether the answer must carry `Connection: close`, because the bytes of the request could disturb the next client's
 * on a connection that a proxy shares between clients:
 *
 * - A request with a body: it is not read to its end, and the server answers a bad chunk or a trailer with a second,
 *   bare 400, which a proxy would pass to the next client.
 * - A request of HTTP/1.0: the server closes its connection without saying so, and a proxy would lose the next client's
 *   request. The server hides the version: a `Request` of either is the same (Bun 1.4.5). A request of HTTP/1.0 lacks
 *   `Host`, or comes from a proxy that asks to keep the connection, which proxies do for HTTP/1.0 only. A proxy that
 *   does not forward the client's address looks like a browser, which asks the same: docs/run-the-service.md tells
 *   operators.
 */
function endsConnection({ headers, url }: Request): boolean {
  if (headers.get('transfer-encoding') !== null) return true;
  const length = headers.get('content-length');
  if (length !== null && length !== '0') return true;
  // Without Host the server passes the path alone.
  if (url.charCodeAt(0) === slash) return true;
  const connection = headers.get('connection');
  return connection !== null && keepAlive.test(connection) && headers.get('x-forwarded-for') !== null;
}
const slash = '/'.charCodeAt(0);
const keepAlive = /\bkeep-alive\b/i;
