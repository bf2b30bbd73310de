/** The innermost layer: envelope, entity tag, 304 or 200, coded where the client accepts it. */
import type { Config } from '../../../config.ts';
import { freeMemory } from '../../../protocol/free-memory.ts';
import type { Coding } from '../../../protocol/questions.ts';
import { pageAddress } from '../address.ts';
import type { CursorSeal } from '../cursor.ts';
import { envelope } from '../envelope.ts';
import type { Exchange } from '../exchange.ts';
import { answerHeaders, isNotModified, negotiated, variantOf } from './conditional.ts';
import type { Layer, LayerParts } from './layer.ts';

export function answer(parts: LayerParts): Layer {
  return (exchange) => {
    const { found, publication, reading } = exchange;
    const next = found.next === null ? null : sealNext(exchange, found.next, parts.cursors);
    const body = envelope(found.data, publication.meta(found.notices), reading.self, next);
    const link = next === null ? null : linkTo(exchange, next, parts.config);
    represent(exchange, { body, tagged: reading.self, dated: true, link }, parts);
  };
}

function sealNext({ publication, reading }: Exchange, position: string, cursors: CursorSeal): string {
  return cursors.seal({ publicationId: publication.id, position }, `${reading.path}?${reading.filters}`);
}

/** The next page as a link (RFC 8288), which clients resolve against the address that they asked. */
function linkTo({ reading }: Exchange, next: string, { basePath }: Config): string {
  const page = pageAddress(reading.path, reading.filters, reading.parameters, next);
  return `<${basePath}${page}>; rel="next"`;
}

/** A whole body and how clients may ask whether it is still current. */
export interface Representation {
  /** Valid until another one is made, so it is copied before anything is waited for. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** What the entity tag is made over: the address where that decides the body, else the data. */
  readonly tagged: string;
  /** Whether If-Modified-Since is honoured. */
  readonly dated: boolean;
  /** The `Link` header of a 200; null for none. */
  readonly link: string | null;
}

/** 304, or 200 in the coding that the client gets. */
export function represent(exchange: Exchange, representation: Representation, parts: LayerParts): void {
  const { body, tagged, dated } = representation;
  const variant = variantOf(body, negotiated(exchange, parts));
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
  exchange: Exchange,
  { body, link }: Pick<Representation, 'body' | 'link'>,
  tag: string,
  { responses }: LayerParts,
): Response {
  const response = responses.ok(body, answerHeaders(exchange, tag), exchange.publication.lastModified);
  if (link !== null) response.headers.set('Link', link);
  return response;
}

function respondCoded(
  exchange: Exchange,
  { body: shared, tagged, link }: Representation,
  coding: Coding,
  parts: LayerParts,
): void {
  const { publication } = exchange;
  // A copy: other bodies are made while a thread packs this one.
  const body = new Uint8Array(shared);
  exchange.ask(parts.pool, { kind: 'compress', coding, body }, (packed) => {
    if (packed.outcome === 'compressed') {
      const response = whole(exchange, { body: packed.bytes, link }, publication.tag(coding, tagged), parts);
      response.headers.set('Content-Encoding', coding);
      exchange.respond(response);
      freeMemory(body);
    } else {
      // No thread has time for it: the plain body is a full answer too, under the tag of that representation.
      exchange.respond(whole(exchange, { body, link }, publication.tag('identity', tagged), parts));
    }
  });
}
