/**
 * The outermost layers: they answer malformed requests, CORS preflights, and methods that an endpoint does not support.
 */
import { allowedMethods } from '../../endpoints/endpoint.ts';
import type { Exchange } from '../exchange.ts';
import { hasOneHost, severalHosts } from '../framing.ts';
import { preflightHeaders } from '../headers.ts';
import type { ProblemDetails } from '../problem.ts';
import { type Inner, onion, type Refuse } from './layer.ts';

/** The outermost layers of every endpoint. */
export function methodLayers<In extends Exchange>(refuse: Refuse) {
  return onion<In>().next<In>(onlyOneHost(refuse)).next<In>(preflight).next<In>(onlyItsMethods(refuse));
}

/** 400 for several `Host` headers, before anything else is checked. */
function onlyOneHost(refuse: Refuse) {
  return <In extends Exchange>(exchange: In, inner: Inner<In>): void => {
    if (hasOneHost(exchange.request)) inner(exchange);
    else refuse(exchange, severalHosts);
  };
}

/** 204 for OPTIONS: never authenticated, never counted. */
function preflight<In extends Exchange>(exchange: In, inner: Inner<In>): void {
  if (exchange.method === 'OPTIONS') exchange.respond(preflightResponse(exchange));
  else inner(exchange);
}

function preflightResponse({ endpoint, requestId }: Exchange): Response {
  return new Response(null, {
    status: 204,
    headers: { ...preflightHeaders(endpoint.methods), 'X-Request-Id': requestId },
  });
}

function onlyItsMethods(refuse: Refuse) {
  return <In extends Exchange>(exchange: In, inner: Inner<In>): void => {
    const { method, endpoint } = exchange;
    if (endpoint.methods.includes(method)) inner(exchange);
    else refuse(exchange, methodNotAllowed(method, allowedMethods(endpoint)));
  };
}

/** @param allowed value of the `Allow` header */
export function methodNotAllowed(method: string, allowed: string): ProblemDetails {
  return {
    name: 'method-not-allowed',
    detail: `This address does not answer ${method}. It answers ${allowed}.`,
    headers: { Allow: allowed },
  };
}
