/** Matches the path of each request, by Bun's router or, for rare requests, by Elysia's, and passes it to its route. */
import { Elysia } from 'elysia';
import type { Access } from '../accounts/access/admission.ts';
import { byKind } from '../lei/identifier-kinds.ts';
import { type Log, loggable } from '../log/log.ts';
import type { Observer, Tracer } from '../ports/observer.ts';
import type { Unavailability } from '../protocol/questions.ts';
import { replacementCharacter } from './address.ts';
import { discardBody } from './bodies/request-body.ts';
import type { Arrival, Exchange, ExchangeHost, PeerOf, Reply } from './exchange.ts';
import { requestIdOf } from './headers.ts';
import { unavailableDetails } from './problem.ts';
import type { PathParameters, Route } from './routes.ts';

/** The server looks for idle connections at this interval, and may close one that much early. */
export const idleSweepSeconds = 4;

/** The longest time to an answer: a question is asked twice because a thread ended, then its body is compressed. */
const answerSecondsMax = 20;

interface ServerParts {
  /** The one table of routes. */
  readonly routes: readonly Route[];
  /** Answers at every other address. */
  readonly unknown: Route;
  readonly access: Pick<Access, 'serviceFailed'>;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly observer: Observer;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Answers a request that failed before its route knew it, and logs the error. */
  readonly broken: (requestId: string, error: unknown) => Response;
  /** Null if no traces are sent. */
  readonly tracer: Tracer | null;
  /** Whether the service itself speaks HTTPS: browsers then never ask it by plain HTTP again. */
  readonly encrypted: boolean;
  readonly connections: Connections;
  /** After how many silent seconds a connection is closed, or up to {@link idleSweepSeconds} earlier. */
  readonly idleSeconds: number;
}

/** The connections of one listener. */
export interface Connections {
  /** While they drain, each ends with its next answer. */
  readonly draining: boolean;
  readonly peerOf: PeerOf;
  /** Sets after how many silent seconds the connection of a request is closed. */
  readonly keepOpen: (request: Request, seconds: number) => void;
}

/** The methods whose paths Bun's own router matches; it passes HEAD on as GET, and leaves the body out. */
const usualMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** @returns what Bun's server needs to know, but for its address */
export function createServer(parts: ServerParts) {
  const { routes, unknown, broken } = parts;
  const arrive = arrivals(parts);
  const rows = routes.map(({ path, isOther, answer }): RoutedPath => {
    const reply: RequestHandler = (request, parameters) => {
      try {
        if (isOther?.(parameters)) return unknown.answer(arrive(request), none);
        return answer(arrive(request), parameters);
      } catch (error) {
        return broken(requestIdOf(request), error);
      }
    };
    return { pattern: path.replaceAll(/\{(\w+)\}/g, ':$1'), reply, afterBody: withBody(reply) };
  });
  const nowhere = withBody((request: Request) => unknown.answer(arrive(request), none));
  let rare: Elysia | undefined;
  return {
    routes: nativeRoutes(rows),
    fetch(request: Request) {
      rare ??= rareRoutes(rows, nowhere, parts);
      return rare.fetch(request);
    },
    // Bun's default answers an error with a page of source code.
    development: false,
    // Elysia's handler of errors sees only the requests that Elysia matches.
    error: (error: Error) => broken(crypto.randomUUID(), error),
    // The server answers a larger announced body by itself, without our headers. Routes that read bodies have limits
    // of their own; other bodies are discarded on arrival.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    idleTimeout: parts.idleSeconds,
  };
}

/**
 * The routes of Elysia, which matches what Bun's router does not. It is made for the first such request: every start
 * would wait for it.
 */
function rareRoutes(
  rows: readonly RoutedPath[],
  nowhere: RequestHandler,
  { broken, encrypted }: ServerParts,
): Elysia {
  const elysia = new Elysia({
    // A path with a trailing slash is another path.
    strictPath: true,
    // Where Elysia looks for the path of a request: behind a short host name such as "x", or behind "https://".
    handler: { standardHostname: encrypted },
  });
  // Before the routes: Elysia applies a hook only to what is registered after it.
  elysia.onError(({ request, code, error }) =>
    code === 'NOT_FOUND' ? nowhere(request, none) : broken(requestIdOf(request), error),
  );
  for (const { pattern, afterBody } of rows) {
    elysia.all(
      pattern,
      ({ request, params = none }: RoutedRequest) => afterBody(request, marked(params)),
      unparsed,
    );
  }
  elysia.all('/*', ({ request }) => nowhere(request, none), unparsed);
  return elysia;
}

/** A row of the table of routes, as its requests are answered. */
interface RoutedPath {
  /** `:name` for one segment. */
  readonly pattern: string;
  readonly reply: RequestHandler;
  readonly afterBody: RequestHandler;
}

interface RoutedRequest {
  readonly request: Request;
  /** Undefined if the path has none. Null is a part that is not percent-encoded UTF-8. */
  readonly params?: Readonly<Record<string, string | null>>;
}

/** Marks parts that are not percent-encoded UTF-8, as Bun's router does. */
function marked(parameters: Readonly<Record<string, string | null>>): PathParameters {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, value ?? replacementCharacter]),
  );
}

type RequestHandler = (request: Request, parameters: PathParameters) => Reply;

const unparsed = { parse: 'none' } as const;
const none: PathParameters = {};

/**
 * The routes of Bun's router, which matches nearly all requests. Elysia would make a context for each of them and wait for
 * its answer once more (decision 053). It matches rarer methods, wildcards and paths that end with a slash.
 */
function nativeRoutes(rows: readonly RoutedPath[]) {
  const native = (answer: RequestHandler) => (request: Bun.BunRequest) => answer(request, request.params);
  const ofBun = rows.filter(({ pattern }) => pattern === '/' || !/[*/]$/.test(pattern));
  return Object.fromEntries(
    ofBun.map(({ pattern, reply, afterBody }) => [
      pattern,
      byKind(usualMethods, (method) => native(method === 'GET' ? reply : afterBody)),
    ]),
  );
}

/** A proxy that is still sending a body may lose an answer that comes before it has been read. */
function withBody(
  answer: RequestHandler,
): (request: Request, parameters: PathParameters) => Promise<Response> {
  return async (request, parameters) => {
    const response = await answer(request, parameters);
    await discardBody(request);
    return response;
  };
}

/** Records each request before anything else is done with it. */
function arrivals(parts: ServerParts): (request: Request) => Arrival {
  const { observer, clock, connections } = parts;
  const host = exchangeHost(parts);
  const mayOutlast = mayOutlastIdling(parts);
  return (request) => {
    if (observer.watchesRequests) observer.arrived();
    if (mayOutlast) connections.keepOpen(request, answerSecondsMax);
    return { request, requestId: requestIdOf(request), now: clock(), host };
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
  const { access, log, observer, clock, tracer, connections, idleSeconds, encrypted } = parts;
  const { peerOf, keepOpen } = connections;
  const mayOutlast = mayOutlastIdling(parts);
  const serviceFailed = ({ caller, admission }: Exchange) => {
    // Not the time of arrival, perhaps long ago: units taken then would rewind the windows of the caller's quotas.
    if (caller !== null) void access.serviceFailed(caller, admission?.quota?.window ?? 'search', clock());
  };
  const host: ExchangeHost = {
    peerOf,
    clock,
    tracer,
    isTimed: tracer !== null || observer.watchesRequests,
    arriveWithin(outer, request) {
      if (observer.watchesRequests) observer.arrived();
      const { requestId, peer } = outer;
      const finish = (exchange: Exchange, response: Response) => {
        outer.quota = exchange.quota ?? outer.quota;
        host.finish(exchange, response);
      };
      const within = { ...host, peerOf: () => peer, prepare: nothing, finish };
      return { request, requestId, now: clock(), host: within };
    },
    prepare(request, response) {
      if (encrypted) response.headers.set('Strict-Transport-Security', 'max-age=31536000');
      if (mayOutlast) keepOpen(request, idleSeconds);
      if (connections.draining || endsConnection(request)) response.headers.set('Connection', 'close');
    },
    finish(exchange, response) {
      if (exchange.method === 'HEAD') addDate(response);
      if (observer.watchesRequests) {
        exchange.measure(response);
        observer.request(exchange);
      }
      exchange.trace?.end(exchange);
    },
    failed(exchange, error) {
      const { requestId, traceId } = exchange;
      log.error('A request failed unexpectedly.', { requestId: loggable(requestId), traceId, error });
      serviceFailed(exchange);
    },
    unavailable(exchange, reason) {
      const { requestId, traceId, isAnswered } = exchange;
      const what = isAnswered ? 'Broke off an answer' : 'Answered 503';
      const fields = { requestId: loggable(requestId), traceId };
      log[unavailableLevels[reason]](`${what}: ${unavailableDetails[reason]}`, fields);
      if (reason === 'failed') serviceFailed(exchange);
    },
  };
  return host;
}

const nothing = () => {};

/** The server omits Date from answers to HEAD whose GET has a body. */
function addDate(response: Response): void {
  if (response.status !== 304 && response.status !== 204) {
    response.headers.set('Date', new Date().toUTCString());
  }
}

/** The level at which each is logged: a fault of the service is an error, an overload is a warning. */
const unavailableLevels: Readonly<Record<Unavailability, 'info' | 'warn' | 'error'>> = {
  'no-publication': 'warn',
  'publication-gone': 'error',
  'queue-full': 'warn',
  timeout: 'warn',
  'shutting-down': 'info',
  failed: 'error',
};

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
