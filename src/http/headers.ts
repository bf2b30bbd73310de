/**
 * Makes response headers: the values that differ from request to request (its id, the entity tag, the rate limits), and
 * the sets of headers that they stand in. Values are written as bytes in one buffer ({@link AsciiText}). It also reads
 * `Accept-Encoding` (RFC 9110 §12.5.3).
 *
 * The two frequent answers (200 and 304) reuse one prepared set each and change only the headers that differ, at a third
 * of the cost of building them each time. A Response copies its headers, so answers in flight never share a value (a test
 * checks that). The rarer answers build their own.
 */

import { createHmac, randomBytes } from 'node:crypto';
import type { Config } from '../config.ts';
import { type BurstWindow, burstMs, dayMs, type QuotaPolicy, type QuotaState } from '../ports/ledger.ts';
import type { Coding } from '../protocol/questions.ts';
import { corsHeaders } from './cors.ts';

/**
 * Builds short ASCII texts: writes bytes into one buffer and makes a string at the end. Joining strings would allocate
 * memory for each number and each step, and fresh memory is slow to reach (decision 053).
 */
export class AsciiText {
  readonly #bytes = Buffer.alloc(charactersMax);
  #length = 0;

  /** Starts a new text. */
  begin(): this {
    this.#length = 0;
    return this;
  }

  byte(code: number): this {
    this.#bytes[this.#length++] = code;
    return this;
  }

  put(piece: Uint8Array): this {
    const bytes = this.#bytes;
    let end = this.#length;
    for (let at = 0; at < piece.length; at++) bytes[end++] = piece[at] ?? 0;
    this.#length = end;
    return this;
  }

  /** A whole number that is not negative. */
  number(value: number): this {
    // Within 32 bits a division needs no floating point.
    if (value > 0x7fff_ffff) return this.put(Buffer.from(String(value)));
    const start = this.#length;
    let at = start;
    for (let rest = value; rest >= 10; rest = (rest / 10) | 0) at++;
    this.#length = at + 1;
    for (let rest = value; at >= start; at--) {
      const tenth = (rest / 10) | 0;
      this.#bytes[at] = zero + rest - 10 * tenth;
      rest = tenth;
    }
    return this;
  }

  toString(): string {
    return this.#bytes.toString('latin1', 0, this.#length);
  }
}

/** A header value contains at most three numbers and a few words. */
const charactersMax = 256;
const zero = '0'.charCodeAt(0);

/** Shared by all values: each is a string before the next is begun. */
const text = new AsciiText();

const acceptableId = /^[A-Za-z0-9._-]{1,128}$/;
/** Unique to the process; the count makes it unique to the request. */
const processPart = Buffer.from(`${randomBytes(6).toString('hex')}-`);
let requests = 0;

/** `X-Request-Id`: the client's own id if it is safe in headers and logs, otherwise a new one. */
export function requestIdOf(request: Request): string {
  const own = request.headers.get('x-request-id');
  if (own !== null && acceptableId.test(own)) return own;
  requests++;
  return text.begin().put(processPart).number(requests).toString();
}

/**
 * Makes strong entity tags. The tag of an answer from a publication is a keyed digest of everything that the body
 * depends on, so the front can compute it before it has the body, and recognise it later. Only the key makes valid
 * tags, so a valid tag proves that we sent the representation it names.
 * @param address canonical path and query
 */
export type Tagger = (variant: Variant, address: string) => string;

/** 22 characters of base64. */
const tagBits = 132;
const base64 = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const quote = '"'.charCodeAt(0);
const digest = new Uint8Array(32);
const digestBits = new DataView(digest.buffer);

export function createTagger(key: Uint8Array, context: readonly string[]): Tagger {
  const secret = createHmac('sha256', key).update(JSON.stringify(context)).digest('hex');
  // SHA-256 over secret and content, cut to half, resists length extension and takes two thirds of the time of an HMAC.
  return (variant, address) => tagOf(`${secret}${variant}\n${address}`);
}

/** The tag of the content itself, for example of a page. */
export function tagOf(content: string | Uint8Array<ArrayBuffer>): string {
  Bun.SHA256.hash(content, digest);
  text.begin().byte(quote);
  for (let bit = 0; bit < tagBits; bit += 6) {
    const sixBits = (digestBits.getUint16(bit >> 3) >> (10 - (bit & 7))) & 63;
    text.byte(base64[sixBits] ?? 0);
  }
  return text.byte(quote).toString();
}

/** The rate-limit headers. Texts that depend on the policy alone are made once, the time to midnight once a second. */
export interface LimitHeaders {
  readonly RateLimit: string;
  readonly 'RateLimit-Policy': string;
  readonly 'X-RateLimit-Limit': string;
  readonly 'X-RateLimit-Remaining': string;
  readonly 'X-RateLimit-Reset': string;
}

/** Texts of a policy for one burst window. */
interface PolicyTexts {
  readonly policy: string;
  /** The part of `RateLimit` between the rest of the day and the rest of the window. */
  between(dailySeconds: number): Uint8Array;
  readonly daily: string;
  readonly burst: string;
}

function policyTexts(policy: QuotaPolicy, window: BurstWindow): PolicyTexts {
  const { daily, [window]: burst } = policy;
  let known = 0;
  let between = Buffer.from('');
  return {
    policy: `"daily";q=${daily};w=${dayMs / 1_000}, "${window}";q=${burst};w=${burstMs / 1_000}`,
    between(dailySeconds) {
      if (dailySeconds !== known) between = Buffer.from(`;t=${dailySeconds}, "${window}";r=`);
      known = dailySeconds;
      return between;
    },
    daily: String(daily),
    burst: String(burst),
  };
}

/** Keyed by the policy object, which callers with the same limits share. */
const textsByPolicy = new WeakMap<QuotaPolicy, Readonly<Record<BurstWindow, PolicyTexts>>>();

function textsOf({ policy, window }: QuotaState): PolicyTexts {
  let texts = textsByPolicy.get(policy);
  if (texts === undefined) {
    texts = { lookup: policyTexts(policy, 'lookup'), search: policyTexts(policy, 'search') };
    textsByPolicy.set(policy, texts);
  }
  return texts[window];
}

/** Whole seconds from the reading of the quota until a moment, rounded up, at least 1. */
export function secondsUntil(moment: number, { now }: QuotaState): number {
  return Math.max(1, Math.ceil((moment - now) / 1_000));
}

const dailyPiece = Buffer.from('"daily";r=');
const returnsPiece = Buffer.from(';t=');

/** X-RateLimit-* show the quota with the fewest units left; of two with equally many, the one that resets later. */
export function limitHeaders(quota: QuotaState): LimitHeaders {
  const { dailyLeft, burstLeft, dailyReturnsAt, burstReturnsAt } = quota;
  const texts = textsOf(quota);
  const dailyFirst = dailyLeft < burstLeft || (dailyLeft === burstLeft && dailyReturnsAt >= burstReturnsAt);
  text
    .begin()
    .put(dailyPiece)
    .number(dailyLeft)
    .put(texts.between(secondsUntil(dailyReturnsAt, quota)));
  text.number(burstLeft).put(returnsPiece).number(secondsUntil(burstReturnsAt, quota));
  return {
    RateLimit: text.toString(),
    'RateLimit-Policy': texts.policy,
    'X-RateLimit-Limit': dailyFirst ? texts.daily : texts.burst,
    'X-RateLimit-Remaining': String(dailyFirst ? dailyLeft : burstLeft),
    'X-RateLimit-Reset': String(Math.ceil((dailyFirst ? dailyReturnsAt : burstReturnsAt) / 1_000)),
  };
}

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

  set(requestId: string, limits: LimitHeaders | null, tag: string): void {
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
  return ({ requestId, limits }: ResponseFacts, tag: string): PreparedHeaders => {
    const prepared = limits === null ? uncounted : counted;
    prepared.set(requestId, limits, tag);
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

/**
 * The form of a body that a client gets. A `small` body is never coded, so its tag is current for every
 * Accept-Encoding; `identity` is a body that another client would get coded.
 */
export type Variant = 'small' | 'identity' | Coding;

export interface NegotiatedCoding {
  /** The best coding the client accepts; null for none. */
  readonly coding: Coding | null;
  /** The client refuses uncoded bodies, so even a small one is coded. */
  readonly forced: boolean;
}

const uncoded: NegotiatedCoding = { coding: null, forced: false };

/** Best first, if the client has no preference. */
const codings: readonly Coding[] = ['zstd', 'br', 'gzip'];

/** The most headers that are cached. Real clients send few different ones; many more would be made up. */
const rememberedMax = 256;
const remembered = new Map<string, NegotiatedCoding>();

/** The coding for a request; none with LEI_COMPRESSION=off. */
export function negotiate(
  { headers }: Request,
  { compression }: Pick<Config, 'compression'>,
): NegotiatedCoding {
  return negotiateCoding(compression ? headers.get('accept-encoding') : null);
}

/** @param header Accept-Encoding; null for none */
export function negotiateCoding(header: string | null): NegotiatedCoding {
  if (header === null) return uncoded;
  const known = remembered.get(header);
  if (known !== undefined) return known;
  const negotiated = bestOf(readQualities(header));
  if (remembered.size < rememberedMax) remembered.set(header, negotiated);
  return negotiated;
}

function bestOf(qualities: ReadonlyMap<string, number>): NegotiatedCoding {
  // Tools that leave decoding to a library send `*`, and every library decodes gzip.
  const unnamed = (name: Coding) => (name === 'gzip' ? (qualities.get('*') ?? 0) : 0);
  const quality = (name: Coding) => qualities.get(name) ?? unnamed(name);
  let coding: Coding | null = null;
  let best = 0;
  for (const candidate of codings) {
    if (quality(candidate) > best) {
      best = quality(candidate);
      coding = candidate;
    }
  }
  // Uncoded is acceptable unless the client refuses it, by name or by "*;q=0".
  const identity = qualities.get('identity') ?? (qualities.get('*') === 0 ? 0 : null);
  if (identity !== null && identity > best) return uncoded;
  return { coding, forced: coding !== null && identity === 0 };
}

/** Coding name in lower case → its q, 0 to 1. A malformed element counts as refused. */
function readQualities(header: string): ReadonlyMap<string, number> {
  const qualities = new Map<string, number>();
  for (const element of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = element.split(';').map((part) => part.trim());
    if (name === '') continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    qualities.set(name === 'x-gzip' ? 'gzip' : name, weight === undefined ? 1 : readWeight(weight.slice(2)));
  }
  return qualities;
}

function readWeight(text: string): number {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}
