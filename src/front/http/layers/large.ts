/**
 * Sends large bodies. A client with too many in flight is refused (503), for endpoints with unbounded bodies before
 * anything is looked up. Other bodies are sent in pieces, as fast as the client reads them.
 */

import { freeMemory } from '../../../protocol/free-memory.ts';
import type { Refusal } from '../../bodies/bodies.ts';
import type { Share } from '../../bodies/budget.ts';
import { bodyLimits } from '../../bodies/limits.ts';
import type { Variant } from '../encoding.ts';
import type { Chosen, Exchange, Read } from '../exchange.ts';
import type { BodyOf200 } from '../headers.ts';
import type { ProblemDetails } from '../problem.ts';
import type { Layer, LayerParts, Refuse } from './layer.ts';
import { coded, ok } from './responses.ts';

/** The facts that a large body is sent with. */
interface Tagging {
  /** The text under the entity tag. */
  readonly tagged: string;
  readonly link: string | null;
}

/** Takes over the memory of the last body, so call it before the next one is made. */
export function respondLarge(
  exchange: Chosen,
  tagging: Tagging,
  variant: Variant,
  parts: LayerParts,
  refuse: Refuse,
): void {
  const body = parts.envelope.keepLast();
  const share = parts.bodies.take(clientOf(exchange), body.length);
  if ('shortage' in share) {
    freeMemory(body);
    refuseLarge(exchange, share, refuse);
    return;
  }
  const send = (bytes: Uint8Array<ArrayBuffer>, sent: Variant) =>
    exchange.respond(responseOf(exchange, { ...tagging, bytes, share, variant: sent }, parts));
  if (variant === 'small' || variant === 'identity') {
    send(body, variant);
    return;
  }
  exchange.ask(parts.pool, exchange.publication, { kind: 'compress', coding: variant, body }, (packed) => {
    if (packed.outcome === 'compressed') {
      freeMemory(body);
      share.resize(packed.bytes.length);
      send(new Uint8Array(packed.bytes), variant);
    } else {
      // No thread has time to compress it: send it uncoded.
      send(body, 'identity');
    }
  });
}

interface Large extends Tagging {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly share: Share;
  readonly variant: Variant;
}

function responseOf(exchange: Chosen, large: Large, parts: LayerParts): Response {
  const { tagged, link, variant, bytes } = large;
  const { length } = bytes;
  exchange.bodyBytes = length;
  const tag = exchange.publication.tag(variant, tagged);
  const response = ok(exchange, bodyOf(exchange, large, parts), link, tag, parts);
  if (exchange.method === 'HEAD') response.headers.set('Content-Length', String(length));
  return variant === 'small' || variant === 'identity' ? response : coded(response, variant);
}

/** A coded body may be small enough to be sent at once; HEAD sends none. */
function bodyOf({ method, request }: Chosen, { bytes, share }: Large, { bodies }: LayerParts): BodyOf200 {
  const isHead = method === 'HEAD';
  if (!isHead && bytes.length > bodyLimits.weighedBytes) return bodies.deliver(bytes, share, request.signal);
  share.free();
  if (!isHead) return bytes;
  freeMemory(bytes);
  return null;
}

/** For endpoints with unbounded bodies. Other endpoints are checked later, and only if their body turns out large. */
export function weigh({ bodies }: Pick<LayerParts, 'bodies'>, refuse: Refuse): Layer<Read & Chosen> {
  return (exchange, inner) => {
    const refusal = exchange.endpoint.unbounded ? bodies.refusalOf(clientOf(exchange)) : null;
    if (refusal === null) inner(exchange);
    else refuseLarge(exchange, refusal, refuse);
  };
}

/** The client whose share a large body uses: an account or a client address. */
export function clientOf({ caller }: Exchange): string {
  return caller ?? '';
}

/** The caller pays nothing. */
export function refuseLarge(exchange: Exchange, refusal: Refusal, refuse: Refuse): void {
  exchange.refund();
  refuse(exchange, tooMuchInFlight(refusal));
}

const details: Readonly<Record<Refusal['shortage'], string>> = {
  all: 'Too many large answers are being sent at the moment.',
  client: 'Too many large answers are being sent to this client, or it reads them too slowly.',
};

function tooMuchInFlight({ shortage, retryAfterSeconds }: Refusal): ProblemDetails {
  return {
    name: 'unavailable',
    detail: details[shortage],
    headers: { 'Retry-After': String(retryAfterSeconds) },
  };
}
