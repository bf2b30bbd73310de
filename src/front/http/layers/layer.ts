/** Defines the layers of request handling: their type, how they nest, and the functions that all of them use. */
import type { Config } from '../../../config.ts';
import type { Bodies } from '../../bodies/bodies.ts';
import type { Access, HeldPublication, Publications, QueryPool } from '../../contracts.ts';
import type { CursorSeal } from '../cursor.ts';
import type { Envelope } from '../envelope.ts';
import type { CountedExchange, Exchange } from '../exchange.ts';
import type { Responses } from '../headers.ts';
import { type ProblemDetails, problemResponse } from '../problem.ts';
import type { PublicationTexts } from '../publication-texts.ts';

/** The inside of a layer: everything that a request still has to pass. */
export type Inner<In = CountedExchange> = (exchange: In) => void;

/**
 * Ends the request or passes it on to the next layers, at once or after a query thread has answered. `In` is what the
 * layer needs established, `Out` what it has established for the next layers.
 */
export type Layer<In = CountedExchange, Out = In> = (exchange: In, inner: Inner<Out>) => void;

/** Layers around a core that is still missing. */
interface Onion<In, Out> {
  /** Puts a layer inside those so far. */
  next<Further>(layer: Layer<Out, Further>): Onion<In, Further>;
  /** The innermost part answers whatever reaches it. */
  core(innermost: Inner<Out>): Inner<In>;
}

/** An onion without layers: the first one added is the outermost. */
export function onion<In>(): Onion<In, In> {
  return wrapping((inner: Inner<In>) => inner);
}

function wrapping<In, Out>(wrap: (inner: Inner<Out>) => Inner<In>): Onion<In, Out> {
  return {
    next: (layer) => wrapping((inner) => wrap((exchange) => layer(exchange, inner))),
    core: wrap,
  };
}

export interface LayerParts {
  readonly config: Config;
  readonly pool: QueryPool;
  readonly publications: Publications;
  readonly access: Access;
  readonly cursors: CursorSeal;
  readonly responses: Responses;
  readonly bodies: Bodies;
  readonly envelope: Envelope;
  readonly textsOf: (held: HeldPublication) => PublicationTexts;
}

/** Ends an exchange with a problem. */
export type Refuse = (exchange: Exchange, details: ProblemDetails) => void;

export function createRefuse(baseUrl: () => string): Refuse {
  return (exchange, details) => {
    const { requestId, limits } = exchange;
    exchange.respond(problemResponse(details, { baseUrl: baseUrl(), requestId, limits }));
  };
}
