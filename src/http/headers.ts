/**
 * Builds response headers. The two frequent answers (200 and 304) reuse one prepared set each and change only the
 * headers that differ, at a third of the cost of building them each time. A Response copies its headers, so answers in
 * flight never share a value (a test checks that). The rarer answers build their own.
 */
import { corsHeaders } from './cors.ts';
import type { LimitHeaders } from './header-values.ts';

/** On every answer of the API, errors too. */
export const commonHeaders = {
  ...corsHeaders,
  Vary: 'Accept-Encoding',
  'X-Content-Type-Options': 'nosniff',
} as const;

export const cacheControl = 'private, no-cache';

/** `limits` is null on endpoints that are never counted, and with LEI_LIMITS=off. */
interface ResponseFacts {
  readonly requestId: string;
  readonly limits: LimitHeaders | null;
}

/** A Headers instance that is reused. Values that seldom change are set only when they do. */
class PreparedHeaders {
  readonly headers: Headers;
  #limits: LimitHeaders | null = null;
  #lastModified = '';

  constructor(fixed: Readonly<Record<string, string>>) {
    this.headers = new Headers(fixed);
  }

  set({ requestId, limits }: ResponseFacts, tag: string): void {
    this.headers.set('ETag', tag);
    this.headers.set('X-Request-Id', requestId);
    if (limits !== null) this.#setLimits(limits);
  }

  setLastModified(value: string): void {
    if (value !== this.#lastModified) this.headers.set('Last-Modified', value);
    this.#lastModified = value;
  }

  #setLimits(limits: LimitHeaders): void {
    this.headers.set('RateLimit', limits.RateLimit);
    this.headers.set('X-RateLimit-Remaining', limits['X-RateLimit-Remaining']);
    this.#setChanged('RateLimit-Policy', limits);
    this.#setChanged('X-RateLimit-Limit', limits);
    this.#setChanged('X-RateLimit-Reset', limits);
    this.#limits = limits;
  }

  #setChanged(name: keyof LimitHeaders, limits: LimitHeaders): void {
    if (limits[name] !== this.#limits?.[name]) this.headers.set(name, limits[name]);
  }
}

/** One prepared set for answers with rate-limit headers and one for those without. */
function createPair(fixed: Readonly<Record<string, string>>) {
  const counted = new PreparedHeaders(fixed);
  const uncounted = new PreparedHeaders(fixed);
  return (exchange: ResponseFacts, tag: string): PreparedHeaders => {
    const prepared = exchange.limits === null ? uncounted : counted;
    prepared.set(exchange, tag);
    return prepared;
  };
}

const fixedOfAnswers = { ...commonHeaders, 'Cache-Control': cacheControl };

/** Null for an answer to HEAD whose length is set by a header. */
export type BodyOf200 = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;

/** Makes the 200 and 304 responses of data endpoints. A Response copies bytes and passes on a stream. */
export function createResponses(mediaType: string) {
  const prepareOk = createPair({ ...fixedOfAnswers, 'Content-Type': mediaType });
  const prepareNotModified = createPair(fixedOfAnswers);
  return {
    ok(exchange: ResponseFacts, body: BodyOf200, tag: string, lastModified: string): Response {
      const prepared = prepareOk(exchange, tag);
      prepared.setLastModified(lastModified);
      return new Response(body, { headers: prepared.headers });
    },
    /** RFC 9110 §15.4.5: the headers of the 200 that guide caches. The server adds Date. */
    notModified(exchange: ResponseFacts, tag: string): Response {
      return new Response(null, { status: 304, headers: prepareNotModified(exchange, tag).headers });
    },
  };
}
export type Responses = ReturnType<typeof createResponses>;
