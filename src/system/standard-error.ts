/** Keeps off the terminal what a native library prints about a failure that its caller reports in words of its own. */
import { closeSync, openSync } from 'node:fs';
import { library } from './library.ts';

const standardError = 2;

/**
 * Runs work during which nothing reaches standard error. The work must be synchronous, since every thread and every library
 * of the process writes to the same descriptor.
 */
export function withoutStandardError<Result>(work: () => Result): Result {
  const c = library();
  const kept = c?.dup(standardError) ?? -1;
  if (c === null || kept === -1) return work();
  const nowhere = openSync('/dev/null', 'w');
  try {
    c.dup2(nowhere, standardError);
    return work();
  } finally {
    c.dup2(kept, standardError);
    closeSync(kept);
    closeSync(nowhere);
  }
}
