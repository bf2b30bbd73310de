/** The HTTP service. A request to a counted endpoint passes the {@link countedLayers}. */
import type { Config } from '../../config.ts';
import { calmLog } from '../../log/calm-log.ts';
import { type Log, loggable } from '../../log/log.ts';
import type { Observer } from '../../ports/observer.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { Tracer } from '../../ports/tracer.ts';
import { Bodies } from '../bodies/bodies.ts';
import type { Access, Publications, QueryPool } from '../contracts.ts';
import type { PageDefinition } from '../pages/definition.ts';
import { createCursorSeal, cursorKey } from './cursor.ts';
import { createEnvelope } from './envelope.ts';
import type { CountedExchange } from './exchange.ts';
import { createResponses } from './headers.ts';
import { checkAddress } from './layers/address.ts';
import { admit, signupAdvice } from './layers/admit.ts';
import { createRefuse, type Inner, type LayerParts } from './layers/layer.ts';
import { choosePublication, lookUp, unavailable } from './layers/look-up.ts';
import { checkMethod } from './layers/method.ts';
import { answerWithData, recogniseOwnTag } from './layers/represent.ts';
import { status } from './layers/status.ts';
import { validate } from './layers/validate.ts';
import { createListeners, type Listeners } from './listeners.ts';
import { createPages } from './pages.ts';
import { problemResponse } from './problem.ts';
import { createPublicationTexts } from './publication-texts.ts';
import { reconcileLayers } from './reconcile/service.ts';
import { createServer, idleSweepSeconds } from './server.ts';
import { createWatch } from './watch.ts';

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

export interface App extends Omit<Listeners, 'peerOf' | 'keepOpen'> {
  /** Makes the texts that show limits anew, because those in the settings have changed. */
  renewTexts(): void;
}

/**
 * In the order of the contract: 400 for a malformed request, 405, 401, 429, 400, 503, 304 by the front alone, 404, then
 * 304 or 200. CORS is on every answer.
 */
function countedLayers(parts: LayerParts): Inner<CountedExchange> {
  // Each layer is made with the next one, so the last ones come first.
  const answered = lookUp(parts, answerWithData(parts));
  const chosen = choosePublication(parts, recogniseOwnTag(parts, answered));
  return checkMethod(parts, admit(parts, checkAddress(parts, validate(parts, chosen))));
}

export function createApp(app: AppParts): App {
  const { config } = app;
  const log = calmLog(app.log);
  let listeningPort = config.port;
  // With port 0 the default base URL is known only once the service listens.
  const baseUrl = () => config.baseUrl.replace(/:0$/, `:${listeningPort}`);
  const parts: LayerParts = {
    ...app,
    cursors: createCursorSeal(cursorKey(config, app.secrets)),
    responses: createResponses(),
    bodies: new Bodies({ fronts: config.fronts, log }),
    envelope: createEnvelope(config.basePath),
    textsOf: createPublicationTexts(config, app.secrets, baseUrl),
    refuse: createRefuse(baseUrl),
    keyAdvice: () => signupAdvice(config, baseUrl()),
  };
  const peerOf = (request: Request) => listeners.peerOf(request);
  const pages = createPages({ ...app, ...parts, baseUrl, peerOf, log });
  const serverParts = {
    counted: countedLayers(parts),
    // Status is never counted, and reads neither query nor Authorization.
    uncounted: checkMethod(parts, checkAddress(parts, status(parts, app.uptimeMs))),
    reconciled: reconcileLayers(parts),
    pages: pages.answer,
    access: app.access,
    watch: createWatch(app.observer),
    log,
    clock: app.clock,
    refuse: parts.refuse,
    broken(requestId: string, error: unknown) {
      log.error('A request failed unexpectedly.', { requestId: loggable(requestId), error });
      return problemResponse(unavailable('failed'), { baseUrl: baseUrl(), requestId, limits: null });
    },
    tracer: app.tracer ?? null,
    encrypted: config.tls !== null,
    idleSeconds: config.keepAliveSeconds + idleSweepSeconds,
  };
  const listeners: Listeners = createListeners((connections) => {
    const { keepOpen } = listeners;
    return createServer({ ...serverParts, connections, peerOf, keepOpen });
  });
  return {
    ...listeners,
    renewTexts: pages.renewTexts,
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
