/**
 * Locks a data folder, so that only one load, one update and one service run on it at a time. The kernel's lock on the
 * open lock file decides, flock(2): it ends when the file is closed, at the latest with its process, even a killed one,
 * and works between containers. The file's text names the holder for messages.
 */
import {
  closeSync,
  constants,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { atPath, isMissing } from '../errors.ts';
import { timestamp } from '../lei/dates.ts';
import { flock } from '../system/library.ts';
import { identityOf, isRunning } from './files.ts';

/** Another process holds the lock. The message names it. */
export class LockHeld extends Error {
  override readonly name = 'LockHeld';
}

/** The text of a lock file. */
interface LockHolder {
  readonly pid: number;
  readonly since: string;
  /** The holder's namespace of process ids: each container has its own. Null if the system has none. */
  readonly numbering: string | null;
}

/**
 * @param what names the process that takes the lock, for messages
 * @returns the function that ends the lock
 * @throws LockHeld, or the system's error if the file can't be written
 */
export function holdLock(path: string, what: string): () => void {
  mkdirSync(dirname(path), { recursive: true });
  const file = openLocked(path, what);
  try {
    const holder: LockHolder = { pid: process.pid, since: timestamp(new Date()), numbering: ownNumbering() };
    ftruncateSync(file);
    writeFileSync(file, JSON.stringify(holder));
  } catch (error) {
    endLock(path, file);
    throw atPath(error, path);
  }
  return () => endLock(path, file);
}

/** Checks the lock without taking it. @throws LockHeld if somebody holds it */
export function refuseHeldLock(path: string, what: string): void {
  if (isLockHeld(path)) throw heldBy(holderIn(path), what);
}

export function isLockHeld(path: string): boolean {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  try {
    return isHeld(path, lookAt(file));
  } finally {
    closeSync(file);
  }
}

/** Whether the holder, in another container, has this process's id. False if that is unknown. */
export function isNumberTaken(path: string): boolean {
  try {
    const holder = holderIn(path);
    return holder?.pid === process.pid && isElsewhere(holder) && isLockHeld(path);
  } catch {
    return false;
  }
}

function openLocked(path: string, what: string): number {
  for (;;) {
    // A link that another user put into a shared folder would lead to any file.
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
    if (isHeld(path, lockFile(file))) {
      closeSync(file);
      throw heldBy(holderIn(path), what);
    }
    // Check that the path still names this file: the last holder may have removed it between the two steps.
    if (isAt(path, file)) return file;
    closeSync(file);
  }
}

/** On systems without kernel locks, the process that the file names holds the lock as long as it runs. */
function isHeld(path: string, locking: LockAttempt): boolean {
  if (locking !== 'unknown') return locking === 'held by another';
  const holder = holderIn(path);
  return holder !== null && isRunning(holder.pid);
}

/** Removes the lock file, unless another file has replaced it. */
function endLock(path: string, file: number): void {
  if (isAt(path, file)) rmSync(path, { force: true });
  closeSync(file);
}

function isAt(path: string, file: number): boolean {
  try {
    return identityOf(path) === identityOf(file);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Null if the file names nobody, as in the moment before its holder writes. */
function holderIn(path: string): LockHolder | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isHolder(value) ? value : null;
  } catch {
    return null;
  }
}

function isHolder(value: unknown): value is LockHolder {
  if (typeof value !== 'object' || value === null || !('pid' in value && 'since' in value)) return false;
  // The system reads ids below 1 as groups of processes.
  return typeof value.pid === 'number' && value.pid > 0;
}

function heldBy(holder: LockHolder | null, what: string): LockHeld {
  if (holder === null)
    return new LockHeld(`Another ${what} has just started on this data folder; wait for it to end.`);
  const process = `process ${holder.pid}${isElsewhere(holder) ? ' in another container' : ''}`;
  return new LockHeld(
    `Another ${what} is running on this data folder (${process}, since ${holder.since}); wait for it to end.`,
  );
}

function isElsewhere({ numbering }: LockHolder): boolean {
  return typeof numbering === 'string' && numbering !== ownNumbering();
}

/** The kernel's name of this process's namespace; null if the system has none. */
function ownNumbering(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}

/** `LOCK_EX | LOCK_NB`, `LOCK_SH | LOCK_NB` and `LOCK_UN`, which are the same on every system. */
const exclusiveAtOnce = 2 | 4;
const sharedAtOnce = 1 | 4;
const unlock = 8;

/** `unknown` if the system, or the file system, has no such locks. */
type LockAttempt = 'locked' | 'held by another' | 'unknown';

/** Takes the lock on an open file until it is closed. */
export function lockFile(file: number): LockAttempt {
  for (;;) {
    if (flock(file, exclusiveAtOnce) === true) return 'locked';
    // If a shared lock succeeds, the other process was only checking, and nobody owns the file.
    const looked = lookAt(file);
    if (looked !== 'locked') return looked;
  }
}

/**
 * Whether the lock on an open file is free. It tries a shared lock, so that two checking processes don't see each
 * other.
 */
export function lookAt(file: number): LockAttempt {
  if (flock(file, sharedAtOnce) === true) return 'locked';
  // Unlocking fails only where there are no locks.
  return flock(file, unlock) === true ? 'held by another' : 'unknown';
}
