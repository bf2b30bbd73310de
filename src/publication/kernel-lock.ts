/**
 * The one door to the C library: a lock of the kernel on an open file, which ends with its process however that ends, and
 * which processes see that can't see each other, as those of two containers on one data folder.
 */
import { dlopen } from 'bun:ffi';
import { closeSync, openSync } from 'node:fs';

/** `LOCK_EX | LOCK_NB` and `LOCK_SH | LOCK_NB`, as every system has them. */
const exclusiveAtOnce = 2 | 4;
/** For those who only look, who must not take each other for the holder. */
const sharedAtOnce = 1 | 4;

type Flock = (file: number, operation: number) => number;

const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
const libraries = ['libc.so.6', `libc.musl-${machine}.so.1`, 'libSystem.B.dylib'];

/** Undefined until it is first asked for; null on a system whose C library has none of the names. */
let known: Flock | null | undefined;

function flock(): Flock | null {
  if (known === undefined) {
    known = libraries.reduce<Flock | null>((found, name) => found ?? flockIn(name), null);
  }
  return known;
}

function flockIn(name: string): Flock | null {
  try {
    return dlopen(name, { flock: { args: ['int', 'int'], returns: 'int' } }).symbols.flock;
  } catch {
    return null;
  }
}

/** Locks an open file until it is closed. False where another has, or where it can't be done here. */
export function lockFile(file: number): boolean {
  return flock()?.(file, exclusiveAtOnce) === 0;
}

/** Whether somebody holds the lock on a file that could be locked once. False where there is no such file. */
export function isLocked(path: string): boolean {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return false;
  }
  try {
    const lock = flock();
    return lock !== null && lock(file, sharedAtOnce) !== 0;
  } finally {
    closeSync(file);
  }
}
