/** What this process holds of files: while it holds one, its place on the disk is not free, deleted or not. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Whether a file is open or mapped. */
export function isHeld(path: string): boolean {
  return readFileSync('/proc/self/maps', 'utf8').includes(path) || openPaths().includes(path);
}

function openPaths(): string[] {
  return readdirSync('/proc/self/fd').flatMap((file) => {
    try {
      return [readlinkSync(`/proc/self/fd/${file}`)];
    } catch {
      // The one that the list was read through.
      return [];
    }
  });
}
