/** Answers 304 from the front alone where the client sends a tag that is current. */
import { negotiate, type Variant } from '../encoding.ts';
import type { Chosen, Read } from '../exchange.ts';
import type { Layer, LayerParts } from './layer.ts';
import { answerHeaders } from './ok.ts';

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
