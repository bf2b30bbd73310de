/**
 * The innermost layer: puts the envelope around the data and answers 304 or 200, coded if the client accepts it. And the
 * 304s that the front sends without a query thread.
 */
import type { Config } from '../../../config.ts';
import { freeMemory } from '../../../protocol/free-memory.ts';
import type { Coding } from '../../../protocol/questions.ts';
import { bodyLimits } from '../../bodies/limits.ts';
import { pageAddress } from '../address.ts';
import { matchesTag, readHttpDate } from '../conditional.ts';
import type { CursorSeal } from '../cursor.ts';
import { negotiate, type Variant, variantOf } from '../encoding.ts';
import type { Chosen, Found, Read } from '../exchange.ts';
import { coded } from '../headers.ts';
import { respondLarge } from './large.ts';
import type { Inner, LayerParts } from './layer.ts';

/**
 * Recognises a tag that this service made for this very address, publication and coding. Nobody else can make one, so
 * the resource exists and the client's copy is current: no query thread is asked.
 */
export function recogniseOwnTag(
  { config, responses }: LayerParts,
  inner: Inner<Read & Chosen>,
): Inner<Read & Chosen> {
  return (exchange) => {
    const { tagCondition } = exchange;
    // Only a look-up shows whether a `*` matches.
    if (tagCondition === null || tagCondition === '*' || tagCondition.length === 0) return inner(exchange);
    const { coding, forced } = negotiate(exchange.request, config);
    const variants: readonly Variant[] = forced ? [coding ?? 'small'] : ['small', coding ?? 'identity'];
    for (const variant of variants) {
      const tag = exchange.publication.tag(variant, exchange.reading.self);
      if (tagCondition.includes(tag)) return exchange.respond(responses.notModified(exchange, tag));
    }
    inner(exchange);
  };
}

export function answerWithData(parts: LayerParts): Inner<Found> {
  return (exchange) => {
    const { found, publication, reading } = exchange;
    const next = found.next === null ? null : sealNext(exchange, found.next, parts.cursors);
    const body = parts.envelope.around(found.data, publication.meta(found.notices), reading.self, next);
    const link = next === null ? null : linkTo(exchange, next, parts.config);
    represent(exchange, { body, tagged: reading.self, dated: true, link }, parts);
  };
}

function sealNext({ publication, reading }: Found, position: string, cursors: CursorSeal): string {
  return cursors.seal(
    { publicationId: publication.id, position },
    `${reading.path}?${reading.asked.filters}`,
  );
}

/** The `Link` header (RFC 8288) of the next page. */
function linkTo({ reading }: Found, next: string, { basePath }: Config): string {
  const page = pageAddress(reading.path, reading.asked, next);
  return `<${basePath}${page}>; rel="next"`;
}

/** A complete body with its validators. */
interface Representation {
  /** Valid until another one is made: copy it before any wait. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** The text under the entity tag: the address if it determines the body, otherwise the data. */
  readonly tagged: string;
  /** Whether If-Modified-Since is honoured. */
  readonly dated: boolean;
  /** The `Link` header of a 200; null for none. */
  readonly link: string | null;
}

/** 304, or 200 in the client's coding; 503 for a large body that the budget has no room for. */
export function represent(exchange: Chosen, representation: Representation, parts: LayerParts): void {
  const { body, tagged, dated, link } = representation;
  const variant = variantOf(body, negotiate(exchange.request, parts.config));
  const tag = exchange.publication.tag(variant, tagged);
  if (isNotModified(exchange, tag, dated)) {
    exchange.respond(parts.responses.notModified(exchange, tag));
  } else if (body.length > bodyLimits.weighedBytes) {
    respondLarge(exchange, representation, variant, parts);
  } else if (variant === 'small' || variant === 'identity') {
    exchange.respond(parts.responses.ok(exchange, body, tag, link));
  } else {
    respondCoded(exchange, representation, variant, parts);
  }
}

function respondCoded(
  exchange: Chosen,
  { body: shared, tagged, link }: Representation,
  coding: Coding,
  { pool, responses }: LayerParts,
): void {
  const { publication } = exchange;
  // Copy it: other bodies are made while a thread compresses this one.
  const body = new Uint8Array(shared);
  exchange.ask(pool, publication, { kind: 'compress', coding, body }, (packed) => {
    if (packed.outcome === 'compressed') {
      const tag = publication.tag(coding, tagged);
      exchange.respond(coded(responses.ok(exchange, packed.bytes, tag, link), coding));
      freeMemory(body);
    } else {
      // No thread has time to compress it: send it uncoded, with the tag of that representation.
      exchange.respond(responses.ok(exchange, body, publication.tag('identity', tagged), link));
    }
  });
}

/**
 * RFC 9110 §13.2.2: If-None-Match alone if it is sent, otherwise If-Modified-Since. A POST, whose answer depends on its
 * body, is always answered in full.
 * @param dated whether the body changes only with the publication, so that its date means anything
 */
function isNotModified(exchange: Chosen, tag: string, dated: boolean): boolean {
  const { method, tagCondition, request, now, publication } = exchange;
  if (method === 'POST') return false;
  if (tagCondition !== null) return matchesTag(tagCondition, tag);
  const since = request.headers.get('if-modified-since');
  if (since === null || !dated) return false;
  const moment = readHttpDate(since, now);
  return moment !== null && publication.lastModifiedAt <= moment;
}
