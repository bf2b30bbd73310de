/** Locks and limits that the kernel keeps for a process. */
import { ptr } from 'bun:ffi';
import { library } from './library.ts';

/** flock(2). @returns whether this process now holds the lock; null without a C library */
export function flock(file: number, operation: number): boolean | null {
  const c = library();
  return c === null ? null : c.flock(file, operation) === 0;
}

/** `RLIMIT_NOFILE`, as Linux and macOS have it. */
const limitOfFiles = process.platform === 'darwin' ? 8 : 7;

/** How many descriptors this process may have open; null if the system does not say. */
export function descriptorLimit(): number | null {
  const limits = new BigUint64Array(2);
  const told = library()?.getrlimit(limitOfFiles, ptr(limits)) === 0;
  return told ? Number(limits[0]) : null;
}
