/** Makes the files that tests of `lei match` read. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @returns what writes a new file into the folder, and gives its path */
export function contentFiles(folder: string): (content: string | Uint8Array) => string {
  let files = 0;
  return (content) => {
    const path = join(folder, `rows-${++files}.csv`);
    writeFileSync(path, content);
    return path;
  };
}
