/** The identity of a file or folder, independent of its path. */
import { statSync } from 'node:fs';

/** Equal for all paths of one file or folder, even after a rename or if it is mounted twice. @throws like `stat` */
export function identityOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}:${ino}`;
}
