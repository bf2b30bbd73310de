/** Describes what the staging folder contains: the build of a running load, or what a killed load left. */
import { stagedNow } from '../loader/staging.ts';
import type { Layout } from '../publication/layout.ts';
import { isLockHeld } from '../publication/lock.ts';
import { megabytes } from './result-texts.ts';

/** A killed load leaves its build behind: gigabytes at full size. @returns a sentence; null if there is nothing */
export function tellStaged(layout: Layout): string | null {
  const { names, bytes } = stagedNow(layout);
  if (names.length === 0) return null;
  const what = `${names.join(', ')} (${megabytes(bytes)})`;
  if (isLockHeld(layout.loadLock)) return `A load is building ${what}.`;
  return `Unfinished: ${what}, left by a killed load. lei prune or the next load deletes it.`;
}
