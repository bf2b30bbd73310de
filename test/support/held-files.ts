/** Finds files that this process has open or mapped. Such a file occupies the disk, even when it is deleted. */
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
      // The descriptor through which the list was read.
      return [];
    }
  });
}
