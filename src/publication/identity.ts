/** The identity of a file or folder, independent of its path. */
import { statSync } from 'node:fs';

/** Equal for all paths of one file or folder, also after a rename or where it is mounted twice. @throws as `stat` does */
export function identityOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}:${ino}`;
}
