/** Starts a thread in place of one that ended, with growing pauses between the tries. */
import { setTimeout as pause } from 'node:timers/promises';
import { threadLimits } from '../../dispatch/limits.ts';
import type { Log } from '../../log/log.ts';
import type { ThreadFailure } from '../../threads/command-ledger.ts';

/**
 * Tries until the thread has started, or until it is not needed any more.
 * @returns whether it has started
 */
export async function startAgain(
  kind: 'front' | 'query',
  start: () => Promise<ThreadFailure>,
  isOver: () => boolean,
  log: Pick<Log, 'error'>,
): Promise<boolean> {
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
