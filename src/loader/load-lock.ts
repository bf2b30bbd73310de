/** One load and one update at a time on a data folder. */
import type { Layout } from '../publication/layout.ts';
import { holdLock, LockHeld } from '../publication/lock.ts';
import { LoadFailure } from './load-request.ts';

/** @throws LoadFailure `load-running` naming the process that holds the lock */
export function withLoadLock<T>(layout: Layout, action: () => Promise<T>): Promise<T> {
  return withLock(layout.loadLock, 'load', action);
}

/** One update at a time, whose downloads would get in each other's way. @throws LoadFailure `update-running` */
export function withUpdateLock<T>(layout: Layout, action: () => Promise<T>): Promise<T> {
  return withLock(layout.updateLock, 'update', action);
}

async function withLock<T>(path: string, what: string, action: () => Promise<T>): Promise<T> {
  const release = holdOrFail(path, what);
  try {
    return await action();
  } finally {
    release();
  }
}

function holdOrFail(path: string, what: string): () => void {
  try {
    return holdLock(path, what);
  } catch (error) {
    throw error instanceof LockHeld ? new LoadFailure(`${what}-running`, error.message) : error;
  }
}
