/** Refuses a client that has too many large bodies in flight: 503, before anything is looked up for it. */
import type { Refusal } from '../../bodies/bodies.ts';
import type { Chosen, Exchange, Read } from '../exchange.ts';
import type { ProblemDetails } from '../problem.ts';
import type { Layer, LayerParts, Refuse } from './layer.ts';

/** For the endpoints whose body nothing bounds. What others read is asked only once the body turns out to be large. */
export function weigh({ bodies }: Pick<LayerParts, 'bodies'>, refuse: Refuse): Layer<Read & Chosen> {
  return (exchange, inner) => {
    const refusal = exchange.endpoint.unbounded ? bodies.refusalOf(clientOf(exchange)) : null;
    if (refusal === null) inner(exchange);
    else refuseLarge(exchange, refusal, refuse);
  };
}

/** Whose share a large body takes: the account's, or the client address's. */
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
