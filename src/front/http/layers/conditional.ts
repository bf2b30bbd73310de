/** 304: by the front alone for a tag of its own, else once the look-up has shown what is current. */
import { limits } from '../../../config.ts';
import { matchesTag, readHttpDate } from '../conditional.ts';
import { type Negotiated, negotiateCoding, uncoded } from '../encoding.ts';
import type { Variant } from '../etag.ts';
import type { Exchange } from '../exchange.ts';
import type { Layer, LayerParts } from './layer.ts';

export function negotiated({ request }: Exchange, { config }: LayerParts): Negotiated {
  return config.compression ? negotiateCoding(request.headers.get('accept-encoding')) : uncoded;
}

/**
 * Recognises a tag that this service gave out for this very address, publication and coding. Nobody else can make
 * one, so the resource exists and the client's copy is current: no query thread is asked.
 */
export function recogniseOwnTag(parts: LayerParts): Layer {
  return (exchange, inner) => {
    const { tagCondition } = exchange;
    // Whether a `*` matches depends on whether there is anything at all.
    if (tagCondition === null || tagCondition === '*' || tagCondition.length === 0) return inner(exchange);
    const { coding, forced } = negotiated(exchange, parts);
    const variants: readonly Variant[] = forced ? [coding ?? 'small'] : ['small', coding ?? 'identity'];
    for (const variant of variants) {
      const tag = exchange.publication.tag(variant, exchange.reading.self);
      if (tagCondition.includes(tag)) {
        return exchange.respond(parts.responses.notModified(answerHeaders(exchange, tag)));
      }
    }
    inner(exchange);
  };
}

/**
 * RFC 9110 §13.2.2: If-None-Match alone where it is sent, else If-Modified-Since.
 * @param dated whether the body changes only with the publication, so that its date tells anything
 */
export function isNotModified(exchange: Exchange, tag: string, dated: boolean): boolean {
  const { tagCondition, request, now, publication } = exchange;
  if (tagCondition !== null) return matchesTag(tagCondition, tag);
  const since = request.headers.get('if-modified-since');
  if (since === null || !dated) return false;
  const moment = readHttpDate(since, now);
  return moment !== null && publication.lastModifiedAt <= moment;
}

export function answerHeaders({ requestId, limits: state }: Exchange, tag: string) {
  return { requestId, limits: state, tag };
}

/** Which representation of a body the client gets. */
export function variantOf(body: Uint8Array, { coding, forced }: Negotiated): Variant {
  if (forced && coding !== null) return coding;
  return body.length <= limits.compressionThresholdBytes ? 'small' : (coding ?? 'identity');
}
