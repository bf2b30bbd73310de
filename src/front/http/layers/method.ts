/** CORS preflights, and the methods that nothing here answers. */
import { allowedMethods, preflightHeaders } from '../headers.ts';
import type { ProblemDetails } from '../problem.ts';
import type { Layer, Refuse } from './layer.ts';

/** 204 for OPTIONS: never authenticated, never counted. */
export const preflight: Layer = (exchange, inner) =>
  exchange.method === 'OPTIONS' ? exchange.respond(preflightResponse(exchange.requestId)) : inner(exchange);

function preflightResponse(requestId: string): Response {
  return new Response(null, { status: 204, headers: { ...preflightHeaders, 'X-Request-Id': requestId } });
}

export function onlyReads(refuse: Refuse): Layer {
  return (exchange, inner) => {
    const { method } = exchange;
    if (isRead(method)) inner(exchange);
    else refuse(exchange, methodNotAllowed(method));
  };
}

export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

export function methodNotAllowed(method: string, allowed: string = allowedMethods): ProblemDetails {
  return {
    name: 'method-not-allowed',
    detail: `${method} is not answered here; allowed are ${allowed}.`,
    headers: { Allow: allowed },
  };
}
