/** Starts the real loader process, which tests kill and disturb. */
import { join } from 'node:path';
import type { LoadRequest } from '../../src/loader/load-request.ts';

const root = join(import.meta.dir, '..', '..');

/** @returns the process, which has been given its request */
export function startLoader(loading: LoadRequest) {
  const loader = Bun.spawn([process.execPath, join(root, 'workers', 'loader.ts')], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  loader.stdin.write(`${JSON.stringify(loading)}\n`);
  loader.stdin.flush();
  return loader;
}
