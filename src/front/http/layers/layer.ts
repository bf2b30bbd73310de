/** What a layer of the onion is, and what all layers share. */
import type { Config } from '../../../config.ts';
import type { Access, HeldPublication, Publications, QueryPool } from '../../contracts.ts';
import type { CursorSeal } from '../cursor.ts';
import type { Exchange } from '../exchange.ts';
import type { Responses } from '../headers.ts';
import { type ProblemDetails, problemResponse } from '../problem.ts';
import type { PublicationTexts } from '../publication-texts.ts';

/** Returns the response that ends the request, or null to let it go further in. */
export type Layer = (exchange: Exchange) => Response | null | Promise<Response | null>;

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
export type Refuse = (exchange: Exchange, details: ProblemDetails) => Response;

export function createRefuse(baseUrl: () => string): Refuse {
  return (exchange, details) =>
    problemResponse(details, {
      baseUrl: baseUrl(),
      requestId: exchange.requestId,
      limits: exchange.limits,
    });
}
