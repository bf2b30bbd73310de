/** Receives each request, passes it through its layers, and reports its answer to the observer. */
import type { Tracer } from '../../ports/tracer.ts';
import type { DataEndpoint } from '../endpoints/endpoint.ts';
import { reconcileAddress } from '../endpoints/reconcile.ts';
import { status } from '../endpoints/status.ts';
import { type Log, loggable } from '../log.ts';
import { pathOf } from './address.ts';
import { CountedExchange, Exchange, type ExchangeHost, type PeerOf, type Reply } from './exchange.ts';
import { endsConnection } from './framing.ts';
import type { Inner, Refuse } from './layers/layer.ts';
import { logUnavailable, unavailable } from './layers/look-up.ts';
import { PageVisit } from './page-visit.ts';
import type { Pages } from './pages.ts';
import type { Patience } from './patience.ts';
import { ReconcileExchange } from './reconcile/service.ts';
import { requestIdOf } from './request-id.ts';
import type { Arrival, Watch } from './watch.ts';

/** Answers a request that failed in an unforeseen way, and logs the error. */
type Broken = (requestId: string, error: unknown) => Response;

interface HandlerParts {
  /** The layers of the endpoints that are counted. */
  readonly counted: Inner<CountedExchange>;
  /** The layers of the status endpoint. */
  readonly uncounted: Inner<Exchange>;
  /** The layers of the reconciliation service. */
  readonly reconciled: Inner<ReconcileExchange>;
  /** Answers at all other paths. */
  readonly pages: Pages;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly watch: Watch;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly refuse: Refuse;
  readonly peerOf: PeerOf;
  readonly broken: Broken;
  /** Null if the idle timeout is long enough for every answer. */
  readonly patience: Patience | null;
  /** Null if no traces are sent. */
  readonly tracer: Tracer | null;
  /** Whether the service is about to stop: connections then end with their next answer. */
  readonly draining: () => boolean;
}

export interface Handlers {
  /** @param identifier from the path, decoded; '' if the path has none */
  data(request: Request, endpoint: DataEndpoint, identifier: string): Reply;
  status(request: Request): Reply;
  /** The reconciliation service, and unknown paths below it. */
  reconcile(request: Request): Reply;
  /** Pages, and unknown paths. */
  page(request: Request): Promise<Response>;
}

export function createHandlers(parts: HandlerParts): Handlers {
  const { counted, uncounted, reconciled, pages, broken, watch, patience, tracer, clock } = parts;
  const host = exchangeHost(parts);
  const arrive = (request: Request): Arrival => {
    watch.arrived();
    patience?.waiting(request);
    return { request, requestId: requestIdOf(request), now: clock() };
  };
  const page = async (request: Request): Promise<Response> => {
    const visit = new PageVisit(arrive(request), tracer);
    const response = await pages(visit).catch((error: unknown) => broken(visit.requestId, error));
    host.prepare(request, response);
    host.finish(visit, response);
    return response;
  };
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
    reconcile(request) {
      const address = reconcileAddress(pathOf(request.url));
      if (address === null) return page(request);
      const exchange = new ReconcileExchange(arrive(request), address, host);
      exchange.enter(reconciled);
      return exchange.reply();
    },
    page,
  };
}

function exchangeHost(parts: HandlerParts): ExchangeHost {
  const { log, watch, refuse, peerOf, patience, tracer, draining } = parts;
  return {
    peerOf,
    tracer,
    prepare(request, response) {
      patience?.answered(request);
      if (draining() || endsConnection(request)) response.headers.set('Connection', 'close');
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
      refuse(exchange, unavailable('failed'));
    },
    unavailable: (exchange, reason) => logUnavailable(log, exchange, reason),
  };
}
