/** Answers the requests of commands on the control socket. */
import type { Log } from '../log/log.ts';
import type { ControlRequest, ControlResponse } from '../protocol/control.ts';
import { controlLimits } from '../protocol/control-limits.ts';
import { type ControlHandler, serveControl } from '../protocol/control-server.ts';
import type { Layout } from '../publication/layout.ts';
import type { ServicePublications } from './swap/publications.ts';

interface ControlParts {
  readonly publications: ServicePublications;
  /** The status that `lei status` shows. */
  readonly status: () => unknown;
  /** Rereads the accounts, keys and limits, which have changed on disk; resolves once every front knows them. */
  readonly accountsChanged: () => Promise<void>;
}

export function controlHandler({ publications, status, accountsChanged }: ControlParts): ControlHandler {
  return async (request: ControlRequest): Promise<ControlResponse> => {
    switch (request.op) {
      case 'ping':
        return done({ pid: process.pid });
      case 'status':
        return done(status());
      case 'accounts-changed':
        await accountsChanged();
        return done(null);
      case 'loading':
        publications.reportLoading(request.loading, request.failure, request.outcome);
        return done(null);
      case 'release':
        return done({ released: await publications.release(request.ids) });
      case 'activate': {
        const failure = await publications.activate(request.id, request.direction);
        return failure === null ? done({ id: request.id }) : { ok: false, ...failure };
      }
    }
  };
}

function done(value: unknown): ControlResponse {
  return { ok: true, value };
}

/**
 * The service also works without its socket: it follows the pointer, and rereads accounts, every second.
 * @returns a function that closes it
 */
export function openControl(paths: Layout, handler: ControlHandler, log: Log): () => void {
  try {
    const control = serveControl(paths.controlSocket, handler);
    const tending = setInterval(() => control.tend(), controlLimits.socketCheckMs);
    return () => {
      clearInterval(tending);
      control.stop();
    };
  } catch (error) {
    log.warn('The control socket cannot be opened. The service notices commands within a second instead.', {
      path: paths.controlSocket,
      error,
    });
    return () => {};
  }
}
