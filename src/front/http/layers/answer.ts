/** The innermost layer: envelope, entity tag, 304 or 200, coded where the client accepts it. */
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
    const representation = { body, tagged: reading.self, dated: true };
    const response = represent(exchange, representation, parts);
    return next === null ? response : linked(exchange, next, response);
  };
}

function sealNext({ publication, reading }: Exchange, position: string, cursors: CursorSeal): string {
  return cursors.seal({ publicationId: publication.id, position }, `${reading.path}?${reading.filters}`);
}

/** Adds `Link: <…>; rel="next"` (RFC 8288) to a 200. */
async function linked(
  { reading }: Exchange,
  next: string,
  pending: Response | Promise<Response>,
): Promise<Response> {
  const response = await pending;
  if (response.status !== 200) return response;
  const address = pageAddress(reading.path, reading.filters, reading.parameters, next);
  response.headers.set('Link', `<${address}>; rel="next"`);
  return response;
}

/** A whole body and how clients may ask whether it is still current. */
export interface Representation {
  /** Valid until another one is made, so it is copied before anything is waited for. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** What the entity tag is made over: the address where that decides the body, else the body itself. */
  readonly tagged: string;
  /** Whether If-Modified-Since is honoured. */
  readonly dated: boolean;
}

/** 304, or 200 in the coding that the client gets. */
export function represent(
  exchange: Exchange,
  representation: Representation,
  parts: LayerParts,
): Response | Promise<Response> {
  const { body, tagged, dated } = representation;
  const variant = variantOf(body, negotiated(exchange, parts));
  const tag = exchange.publication.tag(variant, tagged);
  if (isNotModified(exchange, tag, dated)) {
    return parts.responses.notModified(answerHeaders(exchange, tag));
  }
  if (variant === 'small' || variant === 'identity') return plain(exchange, body, tag, parts);
  return coded(exchange, representation, variant, parts);
}

/** A Response copies the bytes it is given. */
function plain(
  exchange: Exchange,
  body: Uint8Array<ArrayBuffer>,
  tag: string,
  { responses }: LayerParts,
): Response {
  return responses.ok(body, answerHeaders(exchange, tag), exchange.publication.lastModified);
}

async function coded(
  exchange: Exchange,
  representation: Representation,
  coding: Coding,
  parts: LayerParts,
): Promise<Response> {
  const { publication } = exchange;
  const { tagged } = representation;
  // A copy: other bodies are made while a thread packs this one.
  const body = new Uint8Array(representation.body);
  const compressed = await parts.pool.ask(publication.id, { kind: 'compress', coding, body });
  if (compressed.outcome !== 'compressed') {
    // No thread has time for it: the plain body is a full answer too, under the tag of that representation.
    return plain(exchange, body, publication.tag('identity', tagged), parts);
  }
  const headers = answerHeaders(exchange, publication.tag(coding, tagged));
  const response = parts.responses.ok(compressed.bytes, headers, publication.lastModified);
  response.headers.set('Content-Encoding', coding);
  return response;
}
