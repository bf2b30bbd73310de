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

/**
 * Kills loaders of one request, each at a random moment of a whole load. @param check inspects what is left after each
 */
export async function killLoaders(loading: LoadRequest, times: number, check: () => void): Promise<void> {
  const began = performance.now();
  const whole = startLoader(loading);
  await new Response(whole.stdout).text();
  whole.kill('SIGKILL');
  await whole.exited;
  const duration = performance.now() - began;
  for (let time = 0; time < times; time++) {
    const loader = startLoader(loading);
    const { promise: moment, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, Math.random() * duration);
    await Promise.race([moment, new Response(loader.stdout).text()]);
    clearTimeout(timer);
    loader.kill('SIGKILL');
    await loader.exited;
    check();
  }
}
