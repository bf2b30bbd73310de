/**
 * Marks a publication that a node has fetched and that was never active there: the node deletes it once it is no longer
 * announced. Publications that were built or copied here have no mark.
 *
 * | after step                                  | mark | a kill here leaves                                            |
 * |---------------------------------------------|------|---------------------------------------------------------------|
 * | fetched into `incoming/`                    | no   | a fetch that the next one completes                           |
 * | marked                                      | yes  | the same: the next fetch removes the mark and makes it again  |
 * | moved to `publications/`                    | yes  | a publication that the next start opens, or deletes           |
 * | mark removed, before the pointer moves there | no   | one that was never active: `lei prune` deletes it             |
 * | pointer moved                               | no   | the active publication                                        |
 * | no longer announced, its manifest deleted   | yes  | the rest of a deletion, which nothing serves: `lei prune` deletes it |
 */
import { readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, isMissing } from '../errors.ts';
import { identityOf, sync } from './files.ts';
import { fetchedFile, type Layout, manifestFile } from './layout.ts';
import { sealedIds } from './sealed.ts';

/**
 * Tells the fetched folder from its copies, for which the mark does not count: one in another data folder, and one that has
 * taken its place, perhaps with the same inode. No program can copy the time of the last change of an inode.
 */
function traitsOf(layout: Layout, folder: string): string {
  const { ctimeNs } = statSync(join(folder, manifestFile), { bigint: true });
  return `${identityOf(layout.publications)} ${identityOf(folder)} ${ctimeNs}\n`;
}

/** @param folder of a fetched publication that is about to be moved to the publications */
export function markFetched(layout: Layout, folder: string): void {
  writeFileSync(join(folder, fetchedFile), traitsOf(layout, folder), { flag: 'wx' });
}

/** False also if the mark can't be read: the publication then stays. */
export function isFetched(layout: Layout, id: string): boolean {
  try {
    return readFileSync(layout.fetched(id), 'utf8') === traitsOf(layout, layout.publication(id));
  } catch {
    return false;
  }
}

export function fetchedIds(layout: Layout): readonly string[] {
  return sealedIds(layout).filter((id) => isFetched(layout, id));
}

/** Call it before the publication becomes active. @throws the system's error */
export function removeFetchedMark(layout: Layout, id: string): void {
  try {
    unlinkSync(layout.fetched(id));
  } catch (error) {
    // ENOTDIR: a file is in the place of a folder. The publication may be open all the same.
    if (isMissing(error) || errorCode(error) === 'ENOTDIR') return;
    throw error;
  }
  sync(layout.publication(id));
}
