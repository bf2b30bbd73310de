/** What a file or folder is, whatever its path. */
import { statSync } from 'node:fs';

/** The same for every path of one file or folder, as where it is mounted twice or renamed. @throws as `stat` does */
export function identityOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}:${ino}`;
}
