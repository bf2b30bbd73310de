/** Refuses a request whose address is malformed, before anything reads the address. */
import type { Exchange } from '../exchange.ts';
import { addressFault } from '../malformed.ts';
import type { Inner, LayerParts } from './layer.ts';

export function checkAddress<In extends Exchange>(
  { refuse }: Pick<LayerParts, 'refuse'>,
  inner: Inner<In>,
): Inner<In> {
  return (exchange) => {
    const fault = addressFault(exchange.request);
    if (fault === null) inner(exchange);
    else refuse(exchange, fault);
  };
}
