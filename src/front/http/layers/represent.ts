/** The innermost layer: puts the envelope around the data and answers 304 or 200, coded where the client accepts it. */
import type { Config } from '../../../config.ts';
import { freeMemory } from '../../../protocol/free-memory.ts';
import type { Coding } from '../../../protocol/questions.ts';
import { pageAddress } from '../address.ts';
import { matchesTag, readHttpDate } from '../conditional.ts';
import type { CursorSeal } from '../cursor.ts';
import { negotiate, variantOf } from '../encoding.ts';
import type { Chosen, Found } from '../exchange.ts';
import type { Inner, LayerParts } from './layer.ts';

export function answerWithData(parts: LayerParts): Inner<Found> {
  return (exchange) => {
    const { found, publication, reading } = exchange;
    const next = found.next === null ? null : sealNext(exchange, found.next, parts.cursors);
    const body = parts.envelope(found.data, publication.meta(found.notices), reading.self, next);
    const link = next === null ? null : linkTo(exchange, next, parts.config);
    represent(exchange, { body, tagged: reading.self, dated: true, link }, parts);
  };
}

function sealNext({ publication, reading }: Found, position: string, cursors: CursorSeal): string {
  return cursors.seal({ publicationId: publication.id, position }, `${reading.path}?${reading.filters}`);
}

/** The `Link` header (RFC 8288) of the next page. */
function linkTo({ reading }: Found, next: string, { basePath }: Config): string {
  const page = pageAddress(reading.path, reading.filters, reading.parameters, next);
  return `<${basePath}${page}>; rel="next"`;
}

/** A whole body, and how a client may ask whether its copy is current. */
export interface Representation {
  /** Valid until another one is made: copy it before any wait. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** The text under the entity tag: the address where that decides the body, else the data. */
  readonly tagged: string;
  /** Whether If-Modified-Since is honoured. */
  readonly dated: boolean;
  /** The `Link` header of a 200; null for none. */
  readonly link: string | null;
}

/** 304, or 200 in the coding that the client gets. */
export function represent(exchange: Chosen, representation: Representation, parts: LayerParts): void {
  const { body, tagged, dated } = representation;
  const variant = variantOf(body, negotiate(exchange.request, parts.config));
  const tag = exchange.publication.tag(variant, tagged);
  if (isNotModified(exchange, tag, dated)) {
    exchange.respond(parts.responses.notModified(answerHeaders(exchange, tag)));
  } else if (variant === 'small' || variant === 'identity') {
    exchange.respond(whole(exchange, representation, tag, parts));
  } else {
    respondCoded(exchange, representation, variant, parts);
  }
}

/** A Response copies the bytes it is given. */
function whole(
  exchange: Chosen,
  { body, link }: Pick<Representation, 'body' | 'link'>,
  tag: string,
  { responses }: LayerParts,
): Response {
  exchange.bodyBytes = body.length;
  const response = responses.ok(body, answerHeaders(exchange, tag), exchange.publication.lastModified);
  if (link !== null) response.headers.set('Link', link);
  return response;
}

function respondCoded(
  exchange: Chosen,
  { body: shared, tagged, link }: Representation,
  coding: Coding,
  parts: LayerParts,
): void {
  const { publication } = exchange;
  // A copy: other bodies are made while a thread compresses this one.
  const body = new Uint8Array(shared);
  exchange.ask(parts.pool, publication, { kind: 'compress', coding, body }, (packed) => {
    if (packed.outcome === 'compressed') {
      const response = whole(exchange, { body: packed.bytes, link }, publication.tag(coding, tagged), parts);
      response.headers.set('Content-Encoding', coding);
      exchange.respond(response);
      freeMemory(body);
    } else {
      // No thread has time. The plain body is a full answer, too, under the tag of that representation.
      exchange.respond(whole(exchange, { body, link }, publication.tag('identity', tagged), parts));
    }
  });
}

/**
 * RFC 9110 §13.2.2: If-None-Match alone where it is sent, else If-Modified-Since.
 * @param dated whether the body changes only with the publication, so that its date tells anything
 */
function isNotModified(exchange: Chosen, tag: string, dated: boolean): boolean {
  const { tagCondition, request, now, publication } = exchange;
  if (tagCondition !== null) return matchesTag(tagCondition, tag);
  const since = request.headers.get('if-modified-since');
  if (since === null || !dated) return false;
  const moment = readHttpDate(since, now);
  return moment !== null && publication.lastModifiedAt <= moment;
}

export function answerHeaders({ requestId, limits }: Pick<Chosen, 'requestId' | 'limits'>, tag: string) {
  return { requestId, limits, tag };
}
