/** The first steps of every route: malformed requests, preflights, and methods that the route does not support. */
import { preflightHeaders } from '../cors.ts';
import { allowedMethods } from '../definition.ts';
import type { Exchange } from '../exchange.ts';
import { commonHeaders } from '../headers.ts';
import { addressFault, hasOneHost, severalHosts } from '../malformed.ts';
import type { ProblemDetails } from '../problem.ts';
import type { StepChain } from './step.ts';

/**
 * Several `Host` headers are refused before anything else is checked.
 * @param otherMethod answers methods that the route does not have: with 405, unless the path is unknown
 */
export function checkMethod<In extends Exchange>(
  next: StepChain<In>,
  otherMethod: StepChain<In> = (exchange) => exchange.refuse(methodNotAllowed(exchange)),
): StepChain<In> {
  return (exchange) => {
    const { request, method, endpoint } = exchange;
    if (!hasOneHost(request)) exchange.refuse(severalHosts);
    else if (method === 'OPTIONS') answerPreflight(exchange);
    else if (endpoint.methods.includes(method)) next(exchange);
    else otherMethod(exchange);
  };
}

/** 204: never authenticated, never counted. */
function answerPreflight(exchange: Exchange): void {
  const { methods } = exchange.endpoint;
  exchange.after(preflightHeaders(exchange.endpoint), (prepared) => {
    const headers = new Headers({
      ...commonHeaders,
      Allow: allowedMethods(methods),
      'X-Request-Id': exchange.requestId,
    });
    for (const [name, value] of prepared) headers.set(name, value);
    exchange.respond(new Response(null, { status: 204, headers }));
  });
}

function methodNotAllowed({ method, endpoint }: Exchange): ProblemDetails {
  const allowed = allowedMethods(endpoint.methods);
  return {
    name: 'method-not-allowed',
    detail: `This address does not answer ${method}. It answers ${allowed}.`,
    headers: { Allow: allowed },
  };
}

/** Refuses a request whose address is malformed, before anything reads the address. */
export function checkAddress<In extends Exchange>(next: StepChain<In>): StepChain<In> {
  return (exchange) => {
    const fault = addressFault(exchange.request);
    if (fault === null) next(exchange);
    else exchange.refuse(fault);
  };
}
