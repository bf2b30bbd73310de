/**
 * The first steps of every route. They refuse requests that break the rules of HTTP and that Bun's server passes on
 * nevertheless, answer preflights and methods that the route does not support, identify the caller (401) and apply the
 * quotas (429), before anything else of the request is read.
 */
import type { Admission } from '../../accounts/access/admission.ts';
import { holdsToken } from '../../accounts/state/key.ts';
import { timestamp } from '../../lei/dates.ts';
import type { BurstWindow } from '../../ports/ledger.ts';
import { preflightHeaders } from '../cors.ts';
import { allowedMethods } from '../definition.ts';
import type { Exchange } from '../exchange.ts';
import { commonHeaders, limitHeaders, secondsUntil } from '../headers.ts';
import type { ProblemDetails } from '../problem.ts';
import type { StepChain, StepParts } from './step.ts';

export function admit<In extends Exchange>(
  { access, config, baseUrl }: Pick<StepParts, 'access' | 'config' | 'baseUrl'>,
  next: StepChain<In>,
): StepChain<In> {
  const goOn = (exchange: In, admission: Admission): void => {
    exchange.admission = admission;
    exchange.limits = admission.quota === null ? null : limitHeaders(admission.quota);
    switch (admission.outcome) {
      case 'admitted':
        next(exchange);
        break;
      case 'unauthorized':
        exchange.refuse(unauthorizedFor(exchange));
        break;
      case 'exhausted':
        exchange.refuse(exhausted(admission, keyAdvice(exchange)));
    }
  };
  /** A sentence for clients that are refused without a key; '' if LEI_SIGNUP is off. */
  const keyAdvice = ({ authorization, token }: Exchange): string => {
    if (authorization !== null || token !== null || !config.signup) return '';
    return `A free account, made at ${baseUrl()}/signup, has ${config.accountDaily} requests a day of its own.`;
  };
  return (exchange) => {
    const admission = access.admit(exchange);
    if (admission instanceof Promise) exchange.after(admission, (later) => goOn(exchange, later));
    else goOn(exchange, admission);
  };
}

export const unauthorized: ProblemDetails = {
  name: 'unauthorized',
  detail:
    'The Authorization header does not contain an active key of this service. Send "Bearer lei_live_…" with your key, or leave the header out to use the anonymous quota.',
  headers: { 'WWW-Authenticate': 'Bearer realm="lei", error="invalid_token"' },
};

const inPath: ProblemDetails = {
  ...unauthorized,
  detail:
    'The part of the address after /reconcile/ is not an active token of this service. Tokens begin with lei_reconcile_; create one on the account page or with lei keys create --reconcile. A key belongs in the Authorization header. Without token and key, /reconcile uses the anonymous quota.',
};

const inPathOrHeader: ProblemDetails = {
  ...unauthorized,
  detail:
    'The part of the address after /reconcile/ is not an active token of this service, or the Authorization header does not contain an active key. Send only one of the two.',
};

const misplaced: ProblemDetails = {
  ...unauthorized,
  detail:
    'The Authorization header contains a token of /reconcile instead of a key. A token works only in the address, as /reconcile/lei_reconcile_…. Send a key, "Bearer lei_live_…", or leave the header out to use the anonymous quota.',
};

function unauthorizedFor({ authorization, token }: Exchange): ProblemDetails {
  if (token !== null) return authorization === null ? inPath : inPathOrHeader;
  return holdsToken(authorization ?? '') ? misplaced : unauthorized;
}

function exhausted(
  { quota, violatedPolicies, returnsAt }: Admission & { outcome: 'exhausted' },
  advice: string,
): ProblemDetails {
  const { policy, dailyReturnsAt } = quota;
  const seconds = secondsUntil(returnsAt, quota);
  const details = violatedPolicies.map((violated) =>
    violated === 'daily'
      ? `The daily quota of ${policy.daily} requests is used up. It starts again at ${timestamp(new Date(dailyReturnsAt))}.`
      : `No more than ${policy[violated]} ${kinds[violated]} are allowed in 60 seconds.`,
  );
  return {
    name: 'rate-limited',
    detail: [...details, `Try again in ${seconds} s.`, advice].join(' ').trimEnd(),
    violatedPolicies,
    headers: { 'Retry-After': String(seconds) },
  };
}

const kinds: Readonly<Record<BurstWindow, string>> = {
  lookup: 'identifier look-ups',
  search: 'searches, relationships and changes',
};

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
