/**
 * One load at a time on a data folder. The lock file names its holder; that of a process which is gone is taken over,
 * so that a killed load never blocks the next.
 */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Layout } from '../publication/layout.ts';
import { LoadFailure } from './load-request.ts';

interface Holder {
  readonly pid: number;
  /** When the process began, as the kernel counts it: a number given again to another process does not hold the lock. */
  readonly began: string;
  readonly since: string;
}

/** @throws LoadFailure `load-running` naming the process that holds the lock */
export function withLoadLock<T>(layout: Layout, action: () => Promise<T>): Promise<T> {
  return withLock(layout.loadLock, 'load', action);
}

/** One update at a time, whose downloads would get in each other's way. @throws LoadFailure `update-running` */
export function withUpdateLock<T>(layout: Layout, action: () => Promise<T>): Promise<T> {
  return withLock(layout.updateLock, 'update', action);
}

async function withLock<T>(path: string, what: string, action: () => Promise<T>): Promise<T> {
  acquire(path, what);
  try {
    return await action();
  } finally {
    rmSync(path, { force: true });
  }
}

function acquire(path: string, what: string): void {
  mkdirSync(dirname(path), { recursive: true });
  // Twice: once more after a dead holder's file was taken away.
  for (let attempt = 0; attempt < 2; attempt++) {
    if (create(path)) return;
    const holder = readHolder(path);
    if (holder !== null && isAlive(holder)) {
      throw new LoadFailure(
        `${what}-running`,
        `Another ${what} is running on this data folder (process ${holder.pid}, since ${holder.since}); wait for it to end.`,
      );
    }
    rmSync(path, { force: true });
  }
  throw new LoadFailure(
    `${what}-running`,
    `Another ${what} has just begun on this data folder; wait for it to end.`,
  );
}

/** False where the file exists already: creating it is the one step that two processes can't both do. */
function create(path: string): boolean {
  try {
    const file = openSync(path, 'wx', 0o600);
    const holder: Holder = {
      pid: process.pid,
      began: beginningOf(process.pid),
      since: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    };
    writeSync(file, JSON.stringify(holder));
    closeSync(file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function readHolder(path: string): Holder | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isHolder(value) ? value : null;
  } catch {
    return null;
  }
}

function isHolder(value: unknown): value is Holder {
  return (
    typeof value === 'object' && value !== null && 'pid' in value && 'began' in value && 'since' in value
  );
}

function isAlive({ pid, began }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Not permitted means that somebody else's process lives under that number.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return beginningOf(pid) === began;
}

/** Field 22 of /proc/PID/stat; '' where the system has no such file, which then compares as the same. */
function beginningOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
