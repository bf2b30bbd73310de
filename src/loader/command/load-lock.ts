/** Takes the locks of a data folder: one load and one update at a time. */
import { isWithoutRoom } from '../../errors.ts';
import type { Layout } from '../../publication/layout.ts';
import { holdLock, LockHeld, refuseHeldLock } from '../../publication/lock.ts';
import { LoadFailure } from '../load-request.ts';

/** @throws LoadFailure `load-running` naming the process that holds the lock */
export function withLoadLock<T>(layout: Layout, action: () => Promise<T>): Promise<T> {
  return withLock(layout.loadLock, 'load', action);
}

/** Whether an error says that the load has not begun because another runs. */
export function isLoadRunning(error: unknown): boolean {
  return error instanceof LoadFailure && error.code === 'load-running';
}

/**
 * Like {@link withLoadLock}, for commands that free disk space. On a full disk the lock's file can't be made; it is
 * then enough that no load holds the lock, because none can begin there either.
 */
export function withLoadLockOrNoRoom<T>(layout: Layout, action: () => Promise<T>): Promise<T> {
  return withLock(layout.loadLock, 'load', action, holdOrAsk);
}

/** One update at a time: two would write the same downloads. @throws LoadFailure `update-running` */
export function withUpdateLock<T>(layout: Layout, action: () => Promise<T>): Promise<T> {
  return withLock(layout.updateLock, 'update', action);
}

async function withLock<T>(
  path: string,
  what: string,
  action: () => Promise<T>,
  hold = holdLock,
): Promise<T> {
  let unlock: () => void;
  try {
    unlock = hold(path, what);
  } catch (error) {
    throw error instanceof LockHeld ? new LoadFailure(`${what}-running`, error.message) : error;
  }
  try {
    return await action();
  } finally {
    unlock();
  }
}

function holdOrAsk(path: string, what: string): () => void {
  try {
    return holdLock(path, what);
  } catch (error) {
    if (!isWithoutRoom(error)) throw error;
    refuseHeldLock(path, what);
    return () => {};
  }
}
