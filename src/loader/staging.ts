/** Clears the staging folder, where publications are built. */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '../errors.ts';
import { removeEntry } from '../publication/entries.ts';
import { dropUnfinished } from '../publication/files.ts';
import type { Layout } from '../publication/layout.ts';

/** The leftovers of killed loads. */
interface Leftovers {
  /** Names in the staging folder: ids of publications that were never finished. */
  readonly names: readonly string[];
  /** Size of all their files. */
  readonly bytes: number;
}

/** Removes the leftovers of killed processes. The caller holds the load lock. @returns what was removed */
export async function clearStaging(layout: Layout): Promise<Leftovers> {
  dropUnfinished(layout.dataDir);
  const leftovers = stagedNow(layout);
  for (const name of leftovers.names) await removeEntry(layout.staging, name);
  return leftovers;
}

/** Removes what a failed load left. The next load removes what can't be removed now. */
export async function discardStaged(layout: Layout): Promise<void> {
  try {
    await clearStaging(layout);
  } catch {
    // An error here would hide why the load failed.
  }
}

/** The content of the staging folder. While a load runs, that is its build. */
export function stagedNow(layout: Layout): Leftovers {
  const names = namesIn(layout.staging);
  return { names, bytes: names.reduce((sum, name) => sum + bytesBelow(layout.staged(name)), 0) };
}

/** A running load may rename a file or its folder meanwhile, which then counts as 0 bytes. */
function bytesBelow(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.size;
  return namesIn(path).reduce((sum, name) => sum + bytesBelow(join(path, name)), 0);
}

/** None if there is no such folder. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
