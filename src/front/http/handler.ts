/** One request through its layers, from the outside in, until one answers; then its line in the log. */
import type { Log } from '../log.ts';
import type { Endpoint } from './endpoints.ts';
import { Exchange, type PeerOf } from './exchange.ts';
import type { Inner, Refuse, Reply } from './layers/layer.ts';
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
  /** An error that nobody foresaw becomes a 503 for the caller, and a trace in the log. */
  const failed = (exchange: Exchange, error: unknown): Response => {
    log.error('A request failed in an unforeseen way.', { requestId: exchange.requestId, error });
    exchange.refund();
    return refuse(exchange, unavailable('failed'));
  };
  return (request, endpoint) => {
    const started = performance.now();
    const exchange = new Exchange(request, endpoint, requestIdOf(request), clock(), peerOf);
    const finish = (response: Response): Response => {
      if (request.method === 'HEAD') addDate(response);
      if (log.requests) logExchange(log, exchange, response.status, performance.now() - started);
      return response;
    };
    const fail = (error: unknown) => finish(failed(exchange, error));
    try {
      const reply = onionFor(endpoint)(exchange);
      return reply instanceof Promise ? reply.then(finish, fail) : finish(reply);
    } catch (error) {
      return fail(error);
    }
  };
}

function logExchange(log: Log, exchange: Exchange, status: number, durationMs: number): void {
  log.request({
    time: exchange.now,
    method: exchange.request.method,
    route: exchange.endpoint.template,
    status,
    durationMs,
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
