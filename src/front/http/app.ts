/**
 * The HTTP service. Each request of a counted endpoint goes through the layers of {@link onion} in the order of
 * that list, which is the order of the contract.
 */
import type { Config } from '../../config.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { Access, Publications, QueryPool } from '../contracts.ts';
import type { Log } from '../log.ts';
import type { SignupHandler } from '../pages/signup/signup.ts';
import { createCursorSeal, cursorKey } from './cursor.ts';
import { statusEndpoint } from './endpoints.ts';
import type { PeerOf } from './exchange.ts';
import { createHandler } from './handler.ts';
import { createResponses } from './headers.ts';
import { admit } from './layers/admit.ts';
import { answer } from './layers/answer.ts';
import { recogniseOwnTag } from './layers/conditional.ts';
import { createRefuse, type Inner, type LayerParts, onionOf, type Refuse } from './layers/layer.ts';
import { choosePublication, lookUp, unavailable } from './layers/look-up.ts';
import { onlyReads, preflight } from './layers/method.ts';
import { status } from './layers/status.ts';
import { validate } from './layers/validate.ts';
import { createPages } from './pages.ts';
import { problemResponse } from './problem.ts';
import { createPublicationTexts } from './publication-texts.ts';
import { requestIdOf } from './request-id.ts';
import { createServer } from './server.ts';
import { createStrayHandler } from './stray.ts';

export interface AppParts {
  readonly config: Config;
  readonly pool: QueryPool;
  readonly publications: Publications;
  readonly access: Access;
  readonly secrets: Secrets;
  readonly log: Log;
  /** Null where LEI_SIGNUP is off. */
  readonly signup: SignupHandler | null;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Since the service started; not the difference of two times of day, which may be set back meanwhile. */
  readonly uptimeMs: () => number;
}

export interface App {
  /** Starts to accept connections. Port 0 lets the system choose. @returns the port */
  listen(port: number, host: string): number;
  /**
   * Stops accepting and resolves once every request in flight is answered.
   * @param force ends the connections that still wait
   */
  stop(force?: boolean): Promise<void>;
}

/** 405, 401, 429, 400, 503, 304 by the front alone, 404, then 304 or 200. CORS is on every answer. */
function onion(parts: LayerParts, refuse: Refuse): Inner {
  return onionOf([
    preflight,
    onlyReads(refuse),
    admit(parts.access, refuse),
    validate(parts.cursors, refuse),
    choosePublication(parts, refuse),
    recogniseOwnTag(parts),
    lookUp(parts, refuse),
    answer(parts),
  ]);
}

/** Status is never counted and looks at nothing but the method. */
function statusOnion(parts: LayerParts, uptimeMs: () => number, refuse: Refuse): Inner {
  return onionOf([preflight, onlyReads(refuse), status(parts, uptimeMs, refuse)]);
}

export function createApp(app: AppParts): App {
  const { config, log, clock } = app;
  let listeningPort = config.port;
  // With port 0 the default base URL is known only once the service listens.
  const baseUrl = () => config.baseUrl.replace(/:0$/, `:${listeningPort}`);
  const refuse = createRefuse(baseUrl);
  const parts: LayerParts = {
    ...app,
    cursors: createCursorSeal(cursorKey(config, app.secrets)),
    responses: createResponses(),
    textsOf: createPublicationTexts(config, app.secrets, baseUrl),
  };
  const counted = onion(parts, refuse);
  const uncounted = statusOnion(parts, app.uptimeMs, refuse);
  const peerOf: PeerOf = (request) => server.server?.requestIP(request)?.address ?? '';
  const handle = createHandler((endpoint) => (endpoint === statusEndpoint ? uncounted : counted), {
    log,
    clock,
    refuse,
    peerOf,
  });
  const pages = createPages({ config, baseUrl, signup: app.signup, peerOf });
  const server = createServer({
    handle,
    stray: createStrayHandler({ handle, pages, log, clock }),
    broken(request, error) {
      const requestId = requestIdOf(request);
      log.error('A request failed in an unforeseen way.', { requestId, error });
      return problemResponse(unavailable('failed'), { baseUrl: baseUrl(), requestId, limits: null });
    },
  });
  return {
    listen(port, host) {
      server.listen({ port, hostname: host });
      listeningPort = server.server?.port ?? port;
      return listeningPort;
    },
    async stop(force = false) {
      await server.server?.stop(force);
    },
  };
}
