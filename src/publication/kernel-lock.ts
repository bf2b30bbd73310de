/** flock(2): the kernel's lock on an open file. It ends when the file is closed, at the latest with its process. */
import { flock } from '../c-library.ts';

/** `LOCK_EX | LOCK_NB`, `LOCK_SH | LOCK_NB` and `LOCK_UN`, which are the same on every system. */
const exclusiveAtOnce = 2 | 4;
const sharedAtOnce = 1 | 4;
const unlock = 8;

/** `unknown` if the system, or the file system, has no such locks. */
export type Locking = 'locked' | 'held by another' | 'unknown';

/** Takes the lock on an open file until it is closed. */
export function lockFile(file: number): Locking {
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
export function lookAt(file: number): Locking {
  if (flock(file, sharedAtOnce) === true) return 'locked';
  // Unlocking fails only where there are no locks.
  return flock(file, unlock) === true ? 'held by another' : 'unknown';
}
