/**
 * Sends a finished body: 304 or the answer itself, in the coding that the client accepts. All families answer here; what
 * differs between them is their {@link Representation}.
 */

import type { Config } from '../config.ts';
import { freeMemory } from '../protocol/json-bytes.ts';
import type { Coding } from '../protocol/questions.ts';
import { matchesTag, readHttpDate } from './conditional.ts';
import type { Errors, Exchange, ReadExchange, WithPublication } from './exchange.ts';
import { type NegotiatedCoding, negotiate, type Variant } from './headers.ts';
import type { StepChain } from './step.ts';

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
