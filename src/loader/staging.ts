/** Clears the staging folder, where publications are built. */
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '../errors.ts';
import type { Layout } from '../publication/layout.ts';
import { dropUnfinished } from '../publication/unfinished.ts';

/** The leftovers of killed loads. */
export interface Leftovers {
  /** Names in the staging folder: ids of publications that were never finished. */
  readonly names: readonly string[];
  /** Size of all their files. */
  readonly bytes: number;
}

/** Removes the leftovers of killed processes. The caller holds the load lock. @returns what was removed */
export function clearStaging(layout: Layout): Leftovers {
  dropUnfinished(layout.dataDir);
  const names = stagedNames(layout);
  const bytes = names.reduce((sum, name) => sum + bytesBelow(layout.staged(name)), 0);
  for (const name of names) rmSync(layout.staged(name), { recursive: true, force: true });
  return { names, bytes };
}

function bytesBelow(path: string): number {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesBelow(join(path, name)), 0);
}

/** Names in the staging folder; none where there is no such folder. */
function stagedNames(layout: Layout): string[] {
  try {
    return readdirSync(layout.staging);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
