/** One request through its layers, from the outside in, until one answers; then its line in the log. */
import type { Log } from '../log.ts';
import type { Endpoint } from './endpoints.ts';
import { Exchange, type ExchangeHost, type PeerOf, type Reply } from './exchange.ts';
import type { Inner, Refuse } from './layers/layer.ts';
import { unavailable } from './layers/look-up.ts';
import { requestIdOf } from './request-id.ts';

export interface HandlerParts {
  readonly log: Log;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly refuse: Refuse;
  readonly peerOf: PeerOf;
}

export type Handler = (request: Request, endpoint: Endpoint) => Reply;

/** @param onionFor what answers requests of an endpoint */
export function createHandler(
  onionFor: (endpoint: Endpoint) => Inner,
  { log, clock, refuse, peerOf }: HandlerParts,
): Handler {
  const host: ExchangeHost = {
    peerOf,
    finish(exchange, response) {
      if (exchange.method === 'HEAD') addDate(response);
      if (log.requests) logExchange(log, exchange, response.status);
    },
    /** An error that nobody foresaw becomes a 503 for the caller, and a trace in the log. */
    fail(exchange, error) {
      log.error('A request failed in an unforeseen way.', { requestId: exchange.requestId, error });
      exchange.refund();
      refuse(exchange, unavailable('failed'));
    },
  };
  return (request, endpoint) => {
    const exchange = new Exchange(request, endpoint, requestIdOf(request), clock(), host);
    exchange.enter(onionFor(endpoint));
    return exchange.reply();
  };
}

function logExchange(log: Log, exchange: Exchange, status: number): void {
  log.request({
    time: exchange.now,
    method: exchange.method,
    route: exchange.endpoint.template,
    status,
    durationMs: performance.now() - exchange.startedAt,
    requestId: exchange.requestId,
    caller: exchange.admission?.caller ?? null,
    publication: exchange.publicationId,
  });
}

/** The server leaves Date out of answers to HEAD that would have had a body. */
export function addDate(response: Response): void {
  if (response.status !== 304 && response.status !== 204) {
    response.headers.set('Date', new Date().toUTCString());
  }
}
