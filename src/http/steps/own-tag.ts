/**
 * Recognises a tag that this service made for this very address, publication and coding. Nobody else can make one, so
 * the resource exists and the client's copy is current: no query thread is asked.
 */
import { negotiate, type Variant } from '../encoding.ts';
import type { ReadExchange, WithPublication } from '../exchange.ts';
import type { PublishedRepresentation } from '../representation/published.ts';
import type { StepChain } from './step.ts';

export function recogniseOwnTag(
  representation: PublishedRepresentation,
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
