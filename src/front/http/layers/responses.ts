/** Builds the 200s of data endpoints, and the 304s that the front sends without a query thread. */
import type { Coding } from '../../../protocol/questions.ts';
import { negotiate, type Variant } from '../encoding.ts';
import type { Chosen, Read } from '../exchange.ts';
import type { BodyOf200 } from '../headers.ts';
import type { Layer, LayerParts } from './layer.ts';

export function ok(
  exchange: Chosen,
  body: BodyOf200,
  link: string | null,
  tag: string,
  { responses }: Pick<LayerParts, 'responses'>,
): Response {
  if (body instanceof Uint8Array) exchange.bodyBytes = body.length;
  const response = responses.ok(body, answerHeaders(exchange, tag), exchange.publication.lastModified);
  if (link !== null) response.headers.set('Link', link);
  return response;
}

export function coded(response: Response, coding: Coding): Response {
  response.headers.set('Content-Encoding', coding);
  return response;
}

export function answerHeaders({ requestId, limits }: Pick<Chosen, 'requestId' | 'limits'>, tag: string) {
  return { requestId, limits, tag };
}

/**
 * Recognises a tag that this service made for this very address, publication and coding. Nobody else can make one, so
 * the resource exists and the client's copy is current: no query thread is asked.
 */
export function recogniseOwnTag({ config, responses }: LayerParts): Layer<Read & Chosen> {
  return (exchange, inner) => {
    const { tagCondition } = exchange;
    // Only a look-up shows whether a `*` matches.
    if (tagCondition === null || tagCondition === '*' || tagCondition.length === 0) return inner(exchange);
    const { coding, forced } = negotiate(exchange.request, config);
    const variants: readonly Variant[] = forced ? [coding ?? 'small'] : ['small', coding ?? 'identity'];
    for (const variant of variants) {
      const tag = exchange.publication.tag(variant, exchange.reading.self);
      if (tagCondition.includes(tag)) {
        return exchange.respond(responses.notModified(answerHeaders(exchange, tag)));
      }
    }
    inner(exchange);
  };
}
