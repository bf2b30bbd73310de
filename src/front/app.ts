/** The HTTP service: the table of routes, and the listeners that serve it. */
import type { Access } from '../accounts/access/admission.ts';
import type { Config } from '../config.ts';
import type { QueryPool } from '../dispatch/query-threads.ts';
import { Bodies } from '../http/bodies/bodies.ts';
import { createCursorSeal, cursorKey } from '../http/cursor.ts';
import { createListeners, type Listeners } from '../http/listeners.ts';
import { unavailable } from '../http/problem.ts';
import { createPublicationTexts, type Publications } from '../http/publication-texts.ts';
import { problemResponse } from '../http/representation/problems.ts';
import { createServer, idleSweepSeconds } from '../http/server.ts';
import type { StepParts } from '../http/step.ts';
import { calmLog } from '../log/calm-log.ts';
import { type Log, loggable } from '../log/log.ts';
import type { Observer, Tracer } from '../ports/observer.ts';
import type { Secrets } from '../ports/state.ts';
import type { PageDefinition } from '../site/definition.ts';
import { allRoutes } from './all-routes.ts';

interface AppParts {
  readonly config: Config;
  readonly pool: QueryPool;
  readonly publications: Publications;
  readonly access: Access;
  readonly secrets: Secrets;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly observer: Observer;
  /** Absent or null if no traces are sent. It needs an observer that watches requests and questions. */
  readonly tracer?: Tracer | null;
  /** The pages of accounts, with the sign-up. */
  readonly accountPages: readonly PageDefinition[];
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Milliseconds since the service started, by a clock that is never set. */
  readonly uptimeMs: () => number;
}

export interface App extends Listeners {
  /** Makes the texts that show limits anew, because those in the settings have changed. */
  renewTexts(): void;
}

export function createApp(given: AppParts): App {
  const { config } = given;
  const log = calmLog(given.log);
  let listeningPort = config.port;
  // With port 0 the default base URL is known only once the service listens.
  const baseUrl = () => config.baseUrl.replace(/:0$/, `:${listeningPort}`);
  const parts: StepParts = {
    ...given,
    cursors: createCursorSeal(cursorKey(config, given.secrets)),
    bodies: new Bodies({ fronts: config.fronts, log }),
    textsOf: createPublicationTexts(config, given.secrets, baseUrl),
    baseUrl,
  };
  const table = allRoutes(parts, given);
  const serverParts = {
    ...table,
    access: given.access,
    observer: given.observer,
    log,
    clock: given.clock,
    broken(requestId: string, error: unknown) {
      log.error('A request failed unexpectedly.', { requestId: loggable(requestId), error });
      return problemResponse(unavailable('failed'), { requestId, limits: null }, baseUrl());
    },
    tracer: given.tracer ?? null,
    encrypted: config.tls !== null,
    idleSeconds: config.keepAliveSeconds + idleSweepSeconds,
  };
  const listeners = createListeners((connections) => createServer({ ...serverParts, connections }));
  return {
    ...listeners,
    renewTexts: table.renewTexts,
    listen(at) {
      listeningPort = listeners.listen(at);
      return listeningPort;
    },
    async stop(force) {
      await listeners.stop(force);
      log.flush();
    },
  };
}
