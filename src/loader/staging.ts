/** Clears the staging folder, where publications are built. */
import { readdirSync, rmSync } from 'node:fs';
import { isMissing } from '../errors.ts';
import type { Layout } from '../publication/layout.ts';
import { dropUnfinished } from '../publication/unfinished.ts';

/** Removes the leftovers of killed processes. The caller holds the load lock. */
export function clearStaging(layout: Layout): void {
  dropUnfinished(layout.dataDir);
  for (const name of stagedNames(layout)) rmSync(layout.staged(name), { recursive: true, force: true });
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
