/** Replaces a thread that ended, with growing pauses between the tries. */
import { setTimeout as pause } from 'node:timers/promises';
import { threadLimits } from '../../dispatch/limits.ts';
import type { Log } from '../../log/log.ts';
import type { Observer } from '../../ports/observer.ts';
import type { CallFailure } from '../../threads/calls.ts';

interface Replacement {
  readonly kind: 'front' | 'query';
  /** Why the thread ended, and the further details of its end for the log. */
  readonly end: { readonly reason: string; readonly orphans?: number };
  readonly start: () => Promise<CallFailure>;
  /** Whether no thread is needed any more. */
  readonly isOver: () => boolean;
  readonly log: Pick<Log, 'error'>;
  readonly observer: Observer;
}

/**
 * Tries until a thread has started in place of the ended one, or until it is not needed any more.
 * @returns whether one has started
 */
export async function replaceThread({
  kind,
  end,
  start,
  isOver,
  log,
  observer,
}: Replacement): Promise<boolean> {
  observer.threadEnded(kind, end.reason);
  log.error(`A ${kind} thread ended; a new one replaces it.`, end);
  let pauseMs: number = threadLimits.restartPauseMs;
  while (!isOver()) {
    const failure = await start();
    if (failure === null) return true;
    if (isOver()) return false;
    log.error(`A ${kind} thread could not be started; the service tries again.`, { reason: failure });
    await pause(pauseMs, undefined, { ref: false });
    pauseMs = Math.min(pauseMs * 2, threadLimits.restartPauseMsMax);
  }
  return false;
}
