/**
 * Response headers. Those of the two frequent answers (200 and 304) are prepared once and only changed where they
 * differ, which costs a third of building them; a Response copies what it is given, so answers in flight never
 * share a value (a test holds it to that). The rarer answers build theirs.
 */
import type { LimitHeaders } from './rate-limit-headers.ts';

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

/** A Headers instance that is reused. Values that seldom change are set only when they do. */
class PreparedHeaders {
  readonly headers: Headers;
  #policy = '';
  #limit = '';
  #reset = '';
  #lastModified = '';

  constructor(fixed: Readonly<Record<string, string>>) {
    this.headers = new Headers(fixed);
  }

  set({ tag, requestId, limits }: AnswerHeaders): void {
    this.headers.set('ETag', tag);
    this.headers.set('X-Request-Id', requestId);
    if (limits !== null) this.#setLimits(limits);
  }

  setLastModified(value: string): void {
    if (value !== this.#lastModified) this.headers.set('Last-Modified', value);
    this.#lastModified = value;
  }

  #setLimits({ state, policy, limit, remaining, reset }: LimitHeaders): void {
    this.headers.set('RateLimit', state);
    this.headers.set('X-RateLimit-Remaining', remaining);
    if (policy !== this.#policy) this.headers.set('RateLimit-Policy', policy);
    if (limit !== this.#limit) this.headers.set('X-RateLimit-Limit', limit);
    if (reset !== this.#reset) this.headers.set('X-RateLimit-Reset', reset);
    this.#policy = policy;
    this.#limit = limit;
    this.#reset = reset;
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
    prepared.set(answer);
    return prepared;
  };
}

const fixedOfAnswers = { ...commonHeaders, 'Cache-Control': cacheControl };

/** Makes the 200 and 304 responses. */
export function createResponses() {
  const ok = createPair({ ...fixedOfAnswers, 'Content-Type': 'application/json' });
  const notModified = createPair(fixedOfAnswers);
  return {
    ok(body: Uint8Array<ArrayBuffer>, answer: AnswerHeaders, lastModified: string): Response {
      const prepared = ok(answer);
      prepared.setLastModified(lastModified);
      return new Response(body, { headers: prepared.headers });
    },
    /** RFC 9110 §15.4.5: what the 200 would have sent that guides caches; Date is added by the server. */
    notModified(answer: AnswerHeaders): Response {
      return new Response(null, { status: 304, headers: notModified(answer).headers });
    },
  };
}
export type Responses = ReturnType<typeof createResponses>;

/** The five rate-limit headers of a rarer answer; none where nothing was counted. */
export function rateLimitHeaders(limits: LimitHeaders | null): Record<string, string> {
  if (limits === null) return {};
  return {
    RateLimit: limits.state,
    'RateLimit-Policy': limits.policy,
    'X-RateLimit-Limit': limits.limit,
    'X-RateLimit-Remaining': limits.remaining,
    'X-RateLimit-Reset': limits.reset,
  };
}
