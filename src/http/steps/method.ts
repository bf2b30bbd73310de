/**
 * The first steps of every route: requests that break the rules of HTTP and that Bun's server passes on nevertheless,
 * preflights, and methods that the route does not support.
 */
import { preflightHeaders } from '../cors.ts';
import { allowedMethods } from '../definition.ts';
import type { Exchange } from '../exchange.ts';
import { commonHeaders } from '../headers.ts';
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

/** False for several `Host` headers, which the server joins: a proxy may have read another one (RFC 9112 §3.2). */
function hasOneHost({ headers }: Request): boolean {
  const host = headers.get('host');
  return host === null || !host.includes(',');
}

const severalHosts: ProblemDetails = {
  name: 'malformed-request',
  detail: 'The request has several Host headers. Send exactly one.',
  headers: { Connection: 'close' },
};

const fragment: ProblemDetails = {
  name: 'malformed-request',
  detail:
    'The address of the request contains "#". A fragment stays with the client, and "#" in a value is written as %23.',
};

const unusableHost: ProblemDetails = {
  name: 'malformed-request',
  detail: 'The Host header is not a host: it must be a name or an address, alone or with a port.',
};

/**
 * The fault of a request's address (RFC 9112 §3.2), or null. Two parsers may read a faulty address differently: the
 * server resolves no `..` in it, and `new URL` throws.
 */
export function addressFault({ url, headers }: Request): ProblemDetails | null {
  if (url.includes('#')) return fragment;
  // The server passes the path alone if there is no Host, and if it can't be a part of a URL.
  const isUsable = url.startsWith('/') ? (headers.get('host') ?? '') === '' : hasUsableOrigin(url);
  return isUsable ? null : unusableHost;
}

/** Nearly all requests have the same origin, and parsing costs more than all else in {@link addressFault}. */
let knownOrigin: string | null = null;

function hasUsableOrigin(url: string): boolean {
  if (knownOrigin !== null && url.startsWith(knownOrigin)) return true;
  if (!URL.canParse(url)) return false;
  knownOrigin = url.slice(0, url.indexOf('/', 'https://'.length) + 1);
  return true;
}
