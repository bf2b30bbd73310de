/**
 * Sends a finished body: 304 or the answer itself, in the coding that the client accepts. All families answer here; what
 * differs between them is their {@link Representation}. Bodies that are made from a publication have its entity tags, are
 * coded by a query thread, and are sent in pieces if they are large ({@link PublishedRepresentation}).
 */

import type { Config } from '../config.ts';
import { freeMemory, type JsonBytes } from '../protocol/json-bytes.ts';
import type { Coding } from '../protocol/questions.ts';
import type { LargeBodyRefusal } from './bodies/bodies.ts';
import type { Share } from './bodies/budget.ts';
import { bodyLimits } from './bodies/limits.ts';
import { matchesTag, readHttpDate } from './conditional.ts';
import type { Errors, Exchange, ReadExchange, WithPublication } from './exchange.ts';
import {
  type BodyOf200,
  createResponses,
  type NegotiatedCoding,
  negotiate,
  type Responses,
  type Variant,
} from './headers.ts';
import type { PublicationTexts } from './publication-texts.ts';
import type { StepChain, StepParts } from './step.ts';

/** A finished body, and the facts that its representation needs to send it. */
export interface Content {
  /** Valid until another one is made: copy it before any wait. */
  readonly body: Uint8Array<ArrayBuffer>;
}

/** How the answers of a family look, and its errors. */
export interface Representation<Of extends Content, Tag extends string | null> extends Errors {
  readonly config: Pick<Config, 'compression'>;
  /** Larger bodies are coded for clients that accept it. */
  readonly codedFromBytes: number;
  /** The entity tag of a form of the body; null for an answer without one. */
  tag(content: Of, variant: Variant): Tag;
  /** Epoch milliseconds that If-Modified-Since is compared with; null if they say nothing about the body. */
  modifiedAt(content: Of): number | null;
  notModified(exchange: Exchange, tag: string, content: Of): Response;
  /** Sends the body as it is. */
  send(exchange: Exchange, content: Of, tag: Tag): void;
  /** Has the body coded beside the front's thread and sends it. */
  sendCoded(exchange: Exchange, content: Of, coding: Coding): void;
}

export function respond<Of extends Content, Tag extends string | null>(
  exchange: Exchange,
  content: Of,
  representation: Representation<Of, Tag>,
): void {
  const { codedFromBytes, config } = representation;
  const variant = variantOf(content.body, codedFromBytes, negotiate(exchange.request, config));
  const tag = representation.tag(content, variant);
  if (tag !== null && isNotModified(exchange, tag, representation.modifiedAt(content))) {
    exchange.respond(representation.notModified(exchange, tag, content));
  } else if (variant === 'small' || variant === 'identity') {
    representation.send(exchange, content, tag);
  } else {
    representation.sendCoded(exchange, content, variant);
  }
}

function variantOf(
  { length }: Uint8Array,
  codedFromBytes: number,
  { coding, forced }: NegotiatedCoding,
): Variant {
  if (forced && coding !== null) return coding;
  return length > codedFromBytes ? (coding ?? 'identity') : 'small';
}

/**
 * RFC 9110 §13.2.2: If-None-Match alone if it is sent, otherwise If-Modified-Since. A POST, whose answer depends on its
 * body, is always answered in full.
 */
function isNotModified(exchange: Exchange, tag: string, modifiedAt: number | null): boolean {
  const { method, tagCondition, request, now } = exchange;
  if (method === 'POST') return false;
  if (tagCondition !== null) return matchesTag(tagCondition, tag);
  const since = request.headers.get('if-modified-since');
  if (since === null || modifiedAt === null) return false;
  const moment = readHttpDate(since, now);
  return moment !== null && modifiedAt <= moment;
}

/** Answers 304 to a tag alone, before there is a body. */
interface TagAnswers {
  readonly config: Pick<Config, 'compression'>;
  notModified(exchange: Exchange, tag: string): Response;
}

/**
 * Recognises a tag that this service made for this very address, publication and coding. Nobody else can make one, so
 * the resource exists and the client's copy is current: no query thread is asked.
 */
export function recogniseOwnTag(
  representation: TagAnswers,
  next: StepChain<ReadExchange & WithPublication>,
): StepChain<ReadExchange & WithPublication> {
  return (exchange) => {
    const { tagCondition } = exchange;
    // Only a look-up shows whether a `*` matches.
    if (tagCondition === null || tagCondition === '*' || tagCondition.length === 0) return next(exchange);
    const { coding, forced } = negotiate(exchange.request, representation.config);
    const variants: readonly Variant[] = forced ? [coding ?? 'small'] : ['small', coding ?? 'identity'];
    for (const variant of variants) {
      const tag = exchange.publication.tag(variant, exchange.reading.self);
      if (tagCondition.includes(tag)) return exchange.respond(representation.notModified(exchange, tag));
    }
    next(exchange);
  };
}

/**
 * Bun's server (1.4.5) sends smaller bodies together with their headers. Before a larger one that is made after a wait it
 * sends each name and each value on its own, in some sixty system calls, which take longer than most answers do (decision
 * 053). It sends a stream that ends with its first piece in one call, with its length.
 */
const smallBytesMax = 15 * 1024;

/** Makes the body of a Response. The given bytes may change after the call. @param method of the request */
export function wholeBody(
  method: string,
  bytes: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  // An answer to HEAD states the length of the bytes, and would not read the stream.
  if (bytes.length < smallBytesMax || method === 'HEAD') return bytes;
  const copy = new Uint8Array(bytes);
  const source: Bun.DirectUnderlyingSource<Uint8Array> = {
    type: 'direct',
    pull(controller) {
      controller.write(copy);
      controller.end();
      freeMemory(copy);
    },
  };
  // With less room the server would send the piece before it knows that it is the last.
  return new ReadableStream<Uint8Array>(source, { highWaterMark: copy.length + 1 });
}

/** A finished body with its validators. */
export interface PublishedContent extends Content {
  /** The buffer that holds the body until the next one is made in it; null if the body has memory of its own. */
  readonly buffer: JsonBytes | null;
  readonly publication: PublicationTexts;
  /** The text under the entity tag: the address if it determines the body, otherwise the data. */
  readonly tagged: string;
  /** Whether If-Modified-Since is honoured: whether the body changes only with the publication. */
  readonly isDated: boolean;
  /** The `Link` header of a 200; null for none. */
  readonly link: string | null;
}

type PublishedParts = Pick<StepParts, 'config' | 'pool' | 'bodies'>;
type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Sends bodies that are made from a publication. The families that answer so differ in media type, body and errors.
 */
export class PublishedRepresentation implements Representation<PublishedContent, string> {
  readonly config: PublishedParts['config'];
  readonly codedFromBytes = 4 * 1024;
  readonly problem: Errors['problem'];
  readonly #responses: Responses;
  readonly #parts: PublishedParts;

  /** @param mediaType of the answers */
  constructor(mediaType: string, problem: Errors['problem'], parts: PublishedParts) {
    this.config = parts.config;
    this.problem = problem;
    this.#responses = createResponses(mediaType);
    this.#parts = parts;
  }

  tag({ publication, tagged }: PublishedContent, variant: Variant): string {
    return publication.tag(variant, tagged);
  }

  modifiedAt({ isDated, publication }: PublishedContent): number | null {
    return isDated ? publication.lastModifiedAt : null;
  }

  notModified(exchange: Exchange, tag: string): Response {
    return this.#responses.notModified(exchange, tag);
  }

  send(exchange: Exchange, content: PublishedContent, tag: string): void {
    if (isLarge(content.body)) this.#sendLarge(exchange, content, null);
    else exchange.respond(this.ok(exchange, content, tag, content.body));
  }

  sendCoded(exchange: Exchange, content: PublishedContent, coding: Coding): void {
    if (isLarge(content.body)) {
      this.#sendLarge(exchange, content, coding);
      return;
    }
    // Copy what further bodies are made in while a thread codes this one.
    const body = content.buffer === null ? content.body : new Uint8Array(content.body);
    this.#code(exchange, content, { coding, body }, (coded) => {
      exchange.respond(this.#inCoding(exchange, content, coded === null ? null : coding, coded ?? body));
      if (coded !== null) freeMemory(body);
    });
  }

  /** A 200. A Response copies bytes and passes on a stream. */
  ok(
    exchange: Exchange,
    { publication, link }: Pick<PublishedContent, 'publication' | 'link'>,
    tag: string,
    body: BodyOf200,
  ): Response {
    const isWhole = body instanceof Uint8Array;
    if (isWhole) exchange.bodyBytes = body.length;
    const sent = isWhole ? wholeBody(exchange.method, body) : body;
    const response = this.#responses.ok(exchange, sent, tag, publication.lastModified);
    if (link !== null) response.headers.set('Link', link);
    return response;
  }

  /** A 200 that was to be coded. @param coding null if no thread had time, so that the body is sent uncoded */
  #inCoding(exchange: Exchange, content: PublishedContent, coding: Coding | null, body: BodyOf200): Response {
    const tag = content.publication.tag(coding ?? 'identity', content.tagged);
    const response = this.ok(exchange, content, tag, body);
    if (coding !== null) response.headers.set('Content-Encoding', coding);
    return response;
  }

  /** Passes on bytes that are valid only during the call; null if no thread has time to code them. */
  #code(
    exchange: Exchange,
    { publication }: PublishedContent,
    work: { readonly coding: Coding; readonly body: Bytes },
    take: (coded: Bytes | null) => void,
  ): void {
    exchange.ask(this.#parts.pool, publication, {
      question: { kind: 'compress', ...work },
      take: (_, answer) => take(answer.outcome === 'compressed' ? answer.bytes : null),
    });
  }

  /** Takes over the memory of the body and counts it against the budget of bytes in flight. */
  #sendLarge(exchange: Exchange, content: PublishedContent, coding: Coding | null): void {
    const body = content.buffer?.handOver() ?? content.body;
    const share = this.#parts.bodies.take(exchange.client, body.length);
    if ('shortage' in share) {
      freeMemory(body);
      withhold(exchange, share);
    } else if (coding === null) {
      this.#deliver(exchange, content, { bytes: body, share, coding });
    } else {
      this.#code(exchange, content, { coding, body }, (coded) => {
        if (coded === null) {
          this.#deliver(exchange, content, { bytes: body, share, coding: null });
          return;
        }
        freeMemory(body);
        share.resize(coded.length);
        this.#deliver(exchange, content, { bytes: new Uint8Array(coded), share, coding });
      });
    }
  }

  #deliver(exchange: Exchange, content: PublishedContent, { bytes, share, coding }: LargeBody): void {
    const isHead = exchange.method === 'HEAD';
    const { length } = bytes;
    // A coded body may be small enough to be sent at once; HEAD sends none.
    const inPieces = !isHead && isLarge(bytes);
    const body = inPieces ? this.#parts.bodies.deliver(bytes, share, exchange.request.signal) : bytes;
    if (!inPieces) share.free();
    const response = this.#inCoding(exchange, content, coding, isHead ? null : body);
    exchange.bodyBytes = length;
    if (isHead) {
      response.headers.set('Content-Length', String(length));
      freeMemory(bytes);
    }
    exchange.respond(response);
  }
}

interface LargeBody {
  readonly bytes: Bytes;
  readonly share: Share;
  /** Null if it is not coded. */
  readonly coding: Coding | null;
}

function isLarge({ length }: Bytes): boolean {
  return length > bodyLimits.weighedBytes;
}

/**
 * Refuses a body that is made already. A batch stays charged: whoever asks for it again and again would occupy the query
 * threads for nothing.
 */
export function withhold(exchange: Exchange, refusal: LargeBodyRefusal): void {
  const { units } = exchange;
  refuseLarge(exchange, refusal, units > 1 ? units : 0);
}

/** Refuses a body. @param computed units whose work was done: the caller pays for those */
export function refuseLarge(
  exchange: Exchange,
  { shortage, retryAfterSeconds }: LargeBodyRefusal,
  computed = 0,
): void {
  exchange.refund(computed);
  exchange.refuse({
    name: 'unavailable',
    detail: shortages[shortage],
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}

const shortages: Readonly<Record<LargeBodyRefusal['shortage'], string>> = {
  all: 'Too many large answers are being sent at the moment.',
  client: 'Too many large answers are being sent to this client, or it reads them too slowly.',
};
