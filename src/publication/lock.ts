/**
 * One of a kind at a time on a data folder: load, update, service. The lock file names its holder; that of a process
 * which is gone is taken over, so that a killed one never blocks the next.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { atPath, errorCode, isMissing } from '../errors.ts';
import { timestamp } from '../lei/timestamp.ts';
import { identityOf } from './identity.ts';
import { isLocked, lockFile } from './kernel-lock.ts';
import { isRunning, unfinished } from './unfinished.ts';

/** Another process holds the lock; the message names it. */
export class LockHeld extends Error {
  override readonly name = 'LockHeld';
}

/**
 * @param what what runs while the lock is held, for the operator
 * @returns what gives the lock up
 * @throws LockHeld, or the system's error where no file can be made
 */
export function holdLock(path: string, what: string): () => void {
  const own = acquire(path, what);
  return () => release(path, own);
}

interface Held {
  /** What the lock file says. */
  readonly text: string;
  /** Open, which keeps the kernel's lock on it. */
  readonly file: number;
}

/**
 * Asks for a lock without taking it, where there is no room for its file.
 * @throws LockHeld
 */
export function refuseHeldLock(path: string, what: string): void {
  const holder = presentHolder(path);
  if (holder !== null) throw heldBy(holder, what);
}

/** Whether whoever holds the lock goes by this process's number, in another container. False where it can't be read. */
export function isNumberTaken(path: string): boolean {
  try {
    const holder = presentHolder(path);
    return holder?.pid === process.pid && isElsewhere(holder);
  } catch {
    return false;
  }
}

function heldBy(holder: Holder, what: string): LockHeld {
  const process = `process ${holder.pid}${isElsewhere(holder) ? ' in another container' : ''}`;
  return new LockHeld(
    `Another ${what} is running on this data folder (${process}, since ${holder.since}); wait for it to end.`,
  );
}

interface Holder {
  readonly pid: number;
  /** When the process began, as the kernel counts it: a number given again to another process does not hold the lock. */
  readonly began: string;
  readonly since: string;
  /** Which folder the lock was taken in: a copy of a data folder has a copy of its locks, which nobody holds. */
  readonly folder: string;
  /**
   * Whose numbering its number belongs to: each container has its own, in which the same number is another process.
   * Null where the kernel does not hold the lock as well, which alone tells of a holder in another one.
   */
  readonly numbering: string | null;
}

function acquire(path: string, what: string): Held {
  mkdirSync(dirname(path), { recursive: true });
  // Twice: once more after a dead holder's file was taken away.
  for (let attempt = 0; attempt < 2; attempt++) {
    const own = create(path);
    if (own !== null) return own;
    const text = readText(path);
    const holder = text === null ? null : livingHolder(path, text);
    if (holder !== null) throw heldBy(holder, what);
    if (text !== null) removeDead(path, what);
  }
  throw new LockHeld(`Another ${what} has just begun on this data folder; wait for it to end.`);
}

/**
 * Under a lock of its own, so that nobody removes what another has just put in a dead holder's place. Whoever is
 * killed in here leaves that lock behind, which is taken over in the same way.
 */
function removeDead(path: string, what: string): void {
  const takeover = `${path}.takeover`;
  const own = acquire(takeover, what);
  try {
    const text = readText(path);
    if (text !== null && livingHolder(path, text) === null) rmSync(path);
  } finally {
    release(takeover, own);
  }
}

function describeOwn(path: string, isKernels: boolean): string {
  const holder: Holder = {
    pid: process.pid,
    began: beginningOf(process.pid),
    since: timestamp(new Date()),
    folder: identityOf(dirname(path)),
    numbering: isKernels ? ownNumbering() : null,
  };
  return JSON.stringify(holder);
}

/**
 * Null where the file exists already. It is linked into place, which two processes can't both do, once it is
 * complete: a file without its holder would be taken for a dead one's.
 */
function create(path: string): Held | null {
  // Of a name that nobody in another container chooses, too.
  const complete = unfinished(`${path}.${randomBytes(4).toString('hex')}`);
  let file: number | null = null;
  try {
    file = openSync(complete, 'w', 0o600);
    const text = describeOwn(path, lockFile(file));
    // On a full disk the file is made and stays empty.
    writeFileSync(file, text);
    linkSync(complete, path);
    return { text, file };
  } catch (error) {
    if (file !== null) closeSync(file);
    if (errorCode(error) === 'EEXIST') return null;
    throw atPath(error, path);
  } finally {
    rmSync(complete, { force: true });
  }
}

/** Leaves a file that says something else: it is another's. */
function release(path: string, { text, file }: Held): void {
  if (readText(path) === text) rmSync(path, { force: true });
  closeSync(file);
}

/** Null where there is no file. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Null where it names no holder, which no lock that is held does. */
function holderIn(text: string): Holder | null {
  try {
    const value: unknown = JSON.parse(text);
    return isHolder(value) ? value : null;
  } catch {
    return null;
  }
}

function isHolder(value: unknown): value is Holder {
  if (
    typeof value !== 'object' ||
    value === null ||
    !('pid' in value && 'began' in value && 'since' in value && 'folder' in value)
  )
    return false;
  // A number below 1 means other processes to the system.
  return typeof value.pid === 'number' && value.pid > 0;
}

/** Null where nobody holds the lock. */
function presentHolder(path: string): Holder | null {
  const text = readText(path);
  return text === null ? null : livingHolder(path, text);
}

/** Null where nobody holds a lock that says this. */
function livingHolder(path: string, text: string): Holder | null {
  const holder = holderIn(text);
  if (holder?.folder !== identityOf(dirname(path))) return null;
  return (isElsewhere(holder) ? isLocked(path) : isAlive(holder)) ? holder : null;
}

/** Whether its number is one of another container. Locks of earlier versions name no numbering. */
function isElsewhere({ numbering }: Holder): boolean {
  return typeof numbering === 'string' && numbering !== ownNumbering();
}

/** The kernel's name of it; null where the system has no such thing. */
function ownNumbering(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}

function isAlive({ pid, began }: Holder): boolean {
  if (!isRunning(pid)) return false;
  const stat = statOf(pid);
  // Where the system shows nothing of it, it is taken for the holder.
  if (stat.length === 0) return true;
  // One that has ended keeps its number until its parent has asked how.
  const isEnded = stat[0] === 'Z' || stat[0] === 'X';
  return !isEnded && beginningIn(stat) === began;
}

function beginningOf(pid: number): string {
  return beginningIn(statOf(pid));
}

/** Field 22 of /proc/PID/stat; '' where the system has no such file, which then compares as the same. */
function beginningIn(stat: readonly string[]): string {
  return stat[19] ?? '';
}

/** The fields of /proc/PID/stat from the third on, which is the state; none where the system has no such file. */
function statOf(pid: number): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
