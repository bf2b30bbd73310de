/**
 * The HTTP service. A request to a counted endpoint passes the layers of {@link countedLayers} in the order of that
 * list, which is the order of the contract.
 */
import type { Config } from '../../config.ts';
import type { Observer } from '../../ports/observer.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { Tracer } from '../../ports/tracer.ts';
import { Bodies } from '../bodies/bodies.ts';
import { calmLog } from '../calm-log.ts';
import type { Access, Publications, QueryPool } from '../contracts.ts';
import { type Log, loggable } from '../log.ts';
import type { PageDefinition } from '../pages/definition.ts';
import { createCursorSeal, cursorKey } from './cursor.ts';
import { createEnvelope } from './envelope.ts';
import type { CountedExchange, Exchange, PeerOf } from './exchange.ts';
import { createHandlers } from './handler.ts';
import { createResponses } from './headers.ts';
import { admit, signupAdvice } from './layers/admit.ts';
import { weigh } from './layers/large.ts';
import { createRefuse, type Inner, type LayerParts, type Refuse } from './layers/layer.ts';
import { choosePublication, lookUp, unavailable } from './layers/look-up.ts';
import { methodLayers } from './layers/method.ts';
import { answerWithData } from './layers/represent.ts';
import { recogniseOwnTag } from './layers/responses.ts';
import { status } from './layers/status.ts';
import { validate } from './layers/validate.ts';
import { createListeners, type Listeners } from './listeners.ts';
import { createPages } from './pages.ts';
import { createPatience } from './patience.ts';
import { problemResponse } from './problem.ts';
import { createPublicationTexts } from './publication-texts.ts';
import { reconcileLayers } from './reconcile/service.ts';
import { requestIdOf } from './request-id.ts';
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

export type App = Omit<Listeners, 'newest'>;

/**
 * 400 for a malformed request, 405, 401, 429, 400, 503, 304 by the front alone, 404, then 304 or 200. CORS is on every
 * answer.
 */
function countedLayers(parts: LayerParts, refuse: Refuse, keyAdvice: () => string): Inner<CountedExchange> {
  return methodLayers<CountedExchange>(refuse)
    .next<CountedExchange>(admit(parts.access, refuse, keyAdvice))
    .next(validate(parts, refuse))
    .next(choosePublication(parts, refuse))
    .next(recogniseOwnTag(parts))
    .next(weigh(parts, refuse))
    .next(lookUp(parts, refuse))
    .core(answerWithData(parts, refuse));
}

/** Status is never counted and checks only the method. */
function statusLayers(parts: LayerParts, uptimeMs: () => number, refuse: Refuse): Inner<Exchange> {
  return methodLayers<Exchange>(refuse).core(status(parts, uptimeMs, refuse));
}

export function createApp(app: AppParts): App {
  const { config, clock } = app;
  const log = calmLog(app.log);
  let listeningPort = config.port;
  // With port 0 the default base URL is known only once the service listens.
  const baseUrl = () => config.baseUrl.replace(/:0$/, `:${listeningPort}`);
  const refuse = createRefuse(baseUrl);
  const parts: LayerParts = {
    ...app,
    cursors: createCursorSeal(cursorKey(config, app.secrets)),
    responses: createResponses(),
    bodies: new Bodies({ fronts: config.fronts, log }),
    envelope: createEnvelope(config.basePath),
    textsOf: createPublicationTexts(config, app.secrets, baseUrl),
  };
  const peerOf: PeerOf = (request) => listeners.newest()?.requestIP(request)?.address ?? '';
  const broken = (requestId: string, error: unknown) => {
    log.error('A request failed unexpectedly.', { requestId: loggable(requestId), error });
    return problemResponse(unavailable('failed'), { baseUrl: baseUrl(), requestId, limits: null });
  };
  const idleSeconds = config.keepAliveSeconds + idleSweepSeconds;
  const keepOpen = (request: Request, seconds: number) => listeners.newest()?.timeout(request, seconds);
  const keyAdvice = () => signupAdvice(config, baseUrl());
  const handlerParts = {
    counted: countedLayers(parts, refuse, keyAdvice),
    uncounted: statusLayers(parts, app.uptimeMs, refuse),
    reconciled: reconcileLayers(parts, refuse, keyAdvice),
    pages: createPages({ ...app, ...parts, baseUrl, peerOf, log }),
    watch: createWatch(app.observer),
    log,
    clock,
    refuse,
    peerOf,
    broken,
    tracer: app.tracer ?? null,
    patience: createPatience(keepOpen, idleSeconds),
  };
  const listeners = createListeners((connections) => {
    const handlers = createHandlers({ ...handlerParts, draining: () => connections.draining });
    return createServer(handlers, (request, error) => broken(requestIdOf(request), error), idleSeconds);
  });
  return {
    ...listeners,
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
