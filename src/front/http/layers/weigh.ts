/** Refuses a client that has too many large bodies in flight: 503, before anything is looked up for it. */
import type { Refusal } from '../../bodies/bodies.ts';
import type { Chosen, Exchange, Read } from '../exchange.ts';
import type { ProblemDetails } from '../problem.ts';
import type { Layer, LayerParts, Refuse } from './layer.ts';

/** For endpoints with unbounded bodies. Other endpoints are checked later, and only if their body turns out large. */
export function weigh({ bodies }: Pick<LayerParts, 'bodies'>, refuse: Refuse): Layer<Read & Chosen> {
  return (exchange, inner) => {
    const refusal = exchange.endpoint.unbounded ? bodies.refusalOf(clientOf(exchange)) : null;
    if (refusal === null) inner(exchange);
    else refuseLarge(exchange, refusal, refuse);
  };
}

/** The client whose share a large body takes: an account or a client address. */
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
