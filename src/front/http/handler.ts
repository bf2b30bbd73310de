/** Takes each request in, passes it through its layers from the outside in, and watches its answer. */
import type { DataEndpoint } from '../endpoints/endpoint.ts';
import { base } from '../endpoints/endpoint.ts';
import { status } from '../endpoints/status.ts';
import { type Log, loggable } from '../log.ts';
import { pathOf } from './address.ts';
import {
  type Arrival,
  CountedExchange,
  Exchange,
  type ExchangeHost,
  type PeerOf,
  type Reply,
} from './exchange.ts';
import { endsConnection } from './framing.ts';
import type { Inner, Refuse } from './layers/layer.ts';
import { logUnavailable, unavailable } from './layers/look-up.ts';
import type { Pages } from './pages.ts';
import { requestIdOf } from './request-id.ts';
import type { Watch } from './watch.ts';

export interface HandlerParts {
  /** The layers of the endpoints that are counted. */
  readonly counted: Inner<CountedExchange>;
  /** The layers of the status endpoint. */
  readonly uncounted: Inner<Exchange>;
  /** Answers at all other paths. */
  readonly pages: Pages;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly watch: Watch;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly refuse: Refuse;
  readonly peerOf: PeerOf;
}

export interface Handlers {
  /** @param identifier from the path, decoded; '' where the path has none */
  data(request: Request, endpoint: DataEndpoint, identifier: string): Reply;
  status(request: Request): Reply;
  /** Pages, and paths where nothing is. */
  page(request: Request): Promise<Response>;
}

export function createHandlers(parts: HandlerParts): Handlers {
  const { counted, uncounted, pages, watch, clock } = parts;
  const host = exchangeHost(parts);
  const arrive = (request: Request): Arrival => ({ request, requestId: requestIdOf(request), now: clock() });
  return {
    data(request, endpoint, identifier) {
      const exchange = new CountedExchange(arrive(request), endpoint, identifier, host);
      exchange.enter(counted);
      return exchange.reply();
    },
    status(request) {
      const exchange = new Exchange(arrive(request), status, host);
      exchange.enter(uncounted);
      return exchange.reply();
    },
    async page(request) {
      const visit = pageVisit(arrive(request));
      const response = await pages(request, visit.path, visit.requestId);
      closeAfter(request, response);
      watch(visit, response);
      return response;
    },
  };
}

function exchangeHost({ log, watch, refuse, peerOf }: HandlerParts): ExchangeHost {
  return {
    peerOf,
    finish(exchange, response) {
      closeAfter(exchange.request, response);
      watch(exchange, response);
    },
    /** An unforeseen error becomes a 503 for the caller, and a trace in the log. */
    fail(exchange, error) {
      log.error('A request failed in an unforeseen way.', { requestId: loggable(exchange.requestId), error });
      exchange.refund();
      refuse(exchange, unavailable('failed'));
    },
    unavailable: ({ requestId }, reason) => logUnavailable(log, requestId, reason),
  };
}

function closeAfter(request: Request, response: Response): void {
  if (endsConnection(request)) response.headers.set('Connection', 'close');
}

function pageVisit({ request, requestId, now }: Arrival) {
  const path = pathOf(request.url);
  // An unknown path is never told: it may hold anything, a key too.
  const route = path.startsWith(`${base}/`) ? 'unknown' : 'page';
  const startedAt = performance.now();
  const { method } = request;
  return {
    path,
    method,
    requestId,
    now,
    startedAt,
    operation: route,
    route,
    caller: null,
    publicationId: null,
  };
}
