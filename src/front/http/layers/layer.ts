/** What a layer of the onion is, and what all layers share. */
import type { Config } from '../../../config.ts';
import type { Access, HeldPublication, Publications, QueryPool } from '../../contracts.ts';
import type { CursorSeal } from '../cursor.ts';
import type { Exchange } from '../exchange.ts';
import type { Responses } from '../headers.ts';
import { type ProblemDetails, problemResponse } from '../problem.ts';
import type { PublicationTexts } from '../publication-texts.ts';

/** What is inside a layer: all that a request still has to pass. */
export type Inner = (exchange: Exchange) => void;

/** Ends the request by itself or passes it on to the layers inside it, now or once a query thread has answered. */
export type Layer = (exchange: Exchange, inner: Inner) => void;

/** The layers as one, outermost first; the last one answers whatever reaches it. */
export function onionOf(layers: readonly Layer[]): Inner {
  const core: Inner = ({ endpoint }) => {
    throw new Error(`No layer answered ${endpoint.operationId}.`);
  };
  return layers.reduceRight<Inner>((inner, layer) => (exchange) => layer(exchange, inner), core);
}

export interface LayerParts {
  readonly config: Config;
  readonly pool: QueryPool;
  readonly publications: Publications;
  readonly access: Access;
  readonly cursors: CursorSeal;
  readonly responses: Responses;
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
