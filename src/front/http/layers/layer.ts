/**
 * Defines the layers of request handling. A layer is made with the next one, `inner`: it ends a request, or passes it
 * on, at once or after a query thread has answered.
 */
import type { Config } from '../../../config.ts';
import type { Bodies } from '../../bodies/bodies.ts';
import type { Access, HeldPublication, Publications, QueryPool } from '../../contracts.ts';
import type { CursorSeal } from '../cursor.ts';
import type { Envelope } from '../envelope.ts';
import type { Exchange } from '../exchange.ts';
import type { Responses } from '../headers.ts';
import { type ProblemDetails, problemResponse } from '../problem.ts';
import type { PublicationTexts } from '../publication-texts.ts';

/**
 * A layer with all those after it: everything that a request still has to pass. `In` is what the layers before it have
 * established.
 */
export type Inner<In> = (exchange: In) => void;

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
  readonly refuse: Refuse;
  /** A sentence for clients that are refused without a key; '' if the sign-up page is off. */
  readonly keyAdvice: () => string;
}

/** Ends an exchange with a problem. */
export type Refuse = (exchange: Exchange, details: ProblemDetails) => void;

export function createRefuse(baseUrl: () => string): Refuse {
  return (exchange, details) => {
    const { requestId, limits } = exchange;
    exchange.respond(problemResponse(details, { baseUrl: baseUrl(), requestId, limits }));
  };
}
