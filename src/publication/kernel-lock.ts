/**
 * A lock of the kernel on an open file, which ends with its process however that ends, and which processes see that
 * can't see each other, as those of two containers on one data folder.
 */
import { closeSync, openSync } from 'node:fs';
import { flock } from '../c-library.ts';

/** `LOCK_EX | LOCK_NB` and `LOCK_SH | LOCK_NB`, as every system has them. */
const exclusiveAtOnce = 2 | 4;
/** For those who only look, who must not take each other for the holder. */
const sharedAtOnce = 1 | 4;

/** Locks an open file until it is closed. False where another has, or where it can't be done here. */
export function lockFile(file: number): boolean {
  return flock(file, exclusiveAtOnce) === true;
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
    return flock(file, sharedAtOnce) === false;
  } finally {
    closeSync(file);
  }
}
