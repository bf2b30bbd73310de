/**
 * Response headers. Those of the two frequent answers (200 and 304) are prepared once and only changed where they
 * differ, which costs a third of building them; a Response copies what it is given, so answers in flight never
 * share a value (a test holds it to that). The rarer answers build theirs.
 */
import type { LimitHeaders } from '../contracts.ts';

/** What scripts of other origins may read. */
export const exposedHeaders = [
  'ETag',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Server-Timing',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

export const allowedMethods = 'GET, HEAD, OPTIONS';

/** On every answer of the API, errors too. */
export const commonHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposedHeaders.join(', '),
  Vary: 'Accept-Encoding',
} as const;

export const preflightHeaders = {
  ...commonHeaders,
  'Access-Control-Allow-Methods': 'GET, HEAD',
  // Named, because a `*` never covers Authorization.
  'Access-Control-Allow-Headers': 'Authorization, If-None-Match, If-Modified-Since',
  'Access-Control-Max-Age': '7200',
  Allow: allowedMethods,
} as const;

export const cacheControl = 'private, no-cache';

/** A Headers instance that is reused: a value equal to the one it holds already is not set again. */
class PreparedHeaders {
  readonly headers: Headers;
  readonly #values = new Map<string, string>();

  constructor(fixed: Readonly<Record<string, string>>) {
    this.headers = new Headers(fixed);
  }

  set(name: string, value: string): void {
    if (this.#values.get(name) === value) return;
    this.#values.set(name, value);
    this.headers.set(name, value);
  }

  setLimits(limits: LimitHeaders): void {
    this.set('RateLimit', limits.state);
    this.set('RateLimit-Policy', limits.policy);
    this.set('X-RateLimit-Limit', limits.limit);
    this.set('X-RateLimit-Remaining', limits.remaining);
    this.set('X-RateLimit-Reset', limits.reset);
  }
}

export interface AnswerHeaders {
  readonly requestId: string;
  /** Null on endpoints that are never counted, and with LEI_LIMITS=off. */
  readonly limits: LimitHeaders | null;
  readonly tag: string;
}

/** One prepared set for answers with rate-limit headers and one for those without. */
function createPair(fixed: Readonly<Record<string, string>>) {
  const counted = new PreparedHeaders(fixed);
  const uncounted = new PreparedHeaders(fixed);
  return (answer: AnswerHeaders): PreparedHeaders => {
    const prepared = answer.limits === null ? uncounted : counted;
    if (answer.limits !== null) prepared.setLimits(answer.limits);
    prepared.set('ETag', answer.tag);
    prepared.set('X-Request-Id', answer.requestId);
    return prepared;
  };
}

const fixedOfAnswers = { ...commonHeaders, 'Cache-Control': cacheControl };

/** Makes the 200 and 304 responses. */
export function createResponses() {
  const ok = createPair({ ...fixedOfAnswers, 'Content-Type': 'application/json' });
  const notModified = createPair(fixedOfAnswers);
  return {
    ok(body: string | Uint8Array<ArrayBuffer>, answer: AnswerHeaders, lastModified: string): Response {
      const prepared = ok(answer);
      prepared.set('Last-Modified', lastModified);
      return new Response(body, { headers: prepared.headers });
    },
    /** RFC 9110 §15.4.5: what the 200 would have sent that guides caches; Date is added by the server. */
    notModified(answer: AnswerHeaders): Response {
      return new Response(null, { status: 304, headers: notModified(answer).headers });
    },
  };
}
export type Responses = ReturnType<typeof createResponses>;

/** Adds the five rate-limit headers to those of a rarer answer. */
export function limitHeaders(limits: LimitHeaders | null): Record<string, string> {
  if (limits === null) return {};
  return {
    RateLimit: limits.state,
    'RateLimit-Policy': limits.policy,
    'X-RateLimit-Limit': limits.limit,
    'X-RateLimit-Remaining': limits.remaining,
    'X-RateLimit-Reset': limits.reset,
  };
}
