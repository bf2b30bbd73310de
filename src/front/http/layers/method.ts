/**
 * The outermost layer of every endpoint: answers malformed requests, CORS preflights, and methods that the endpoint
 * does not support.
 */
import { allowedMethods } from '../../endpoints/endpoint.ts';
import type { Exchange } from '../exchange.ts';
import { preflightHeaders } from '../headers.ts';
import { hasOneHost, severalHosts } from '../malformed.ts';
import type { ProblemDetails } from '../problem.ts';
import type { Inner, LayerParts } from './layer.ts';

/** Several `Host` headers are refused before anything else is checked. */
export function checkMethod<In extends Exchange>(
  { refuse }: Pick<LayerParts, 'refuse'>,
  inner: Inner<In>,
): Inner<In> {
  return (exchange) => {
    const { request, method, endpoint } = exchange;
    if (!hasOneHost(request)) refuse(exchange, severalHosts);
    else if (method === 'OPTIONS') exchange.respond(preflightResponse(exchange));
    else if (endpoint.methods.includes(method)) inner(exchange);
    else refuse(exchange, methodNotAllowed(method, allowedMethods(endpoint)));
  };
}

/** 204 for OPTIONS: never authenticated, never counted. */
function preflightResponse({ endpoint, requestId }: Exchange): Response {
  return new Response(null, {
    status: 204,
    headers: { ...preflightHeaders(endpoint.methods), 'X-Request-Id': requestId },
  });
}

/** @param allowed value of the `Allow` header */
export function methodNotAllowed(method: string, allowed: string): ProblemDetails {
  return {
    name: 'method-not-allowed',
    detail: `This address does not answer ${method}. It answers ${allowed}.`,
    headers: { Allow: allowed },
  };
}
