/**
 * Defines the steps of request handling. A step is made with the next one: it ends a request, or passes it on, at once
 * or after a wait. So the steps of a route are one function, made at the start.
 */
import type { Access } from '../accounts/access/admission.ts';
import type { Config } from '../config.ts';
import type { QueryPool } from '../dispatch/query-threads.ts';
import type { Bodies } from './bodies/bodies.ts';
import type { CursorSeal } from './cursor.ts';
import type { HeldPublication, Publications, PublicationTexts } from './publication-texts.ts';

/**
 * A step with all those after it: everything that a request still has to pass. `In` is what the steps before it have
 * established.
 */
export type StepChain<In> = (exchange: In) => void;

/** The parts of the service that steps use, the same for all routes. */
export interface StepParts {
  readonly config: Config;
  readonly pool: QueryPool;
  readonly publications: Publications;
  readonly access: Access;
  readonly cursors: CursorSeal;
  readonly bodies: Bodies;
  readonly textsOf: (held: HeldPublication) => PublicationTexts;
  /** Without a trailing slash; known only once the service listens, if the system chooses the port. */
  readonly baseUrl: () => string;
}
