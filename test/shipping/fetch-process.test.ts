/** Tests the process in which a node fetches a publication. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { giveOrder } from '../../src/protocol/parent-input.ts';
import { temporaryFolder } from '../support/folders.ts';

const program = join(import.meta.dir, '../../workers/fetch.ts');

test('it ends once its service is gone, also in the middle of a fetch', async () => {
  const asked = Promise.withResolvers<void>();
  await using store = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch() {
      asked.resolve();
      return new Promise<Response>(() => {});
    },
  });
  const id = '20240504T000000Z-0123abcd';
  const fetching = Bun.spawn([process.execPath, program, temporaryFolder('node'), id, 'f'.repeat(64)], {
    stdin: 'pipe',
    stdout: 'pipe',
  });
  await giveOrder(store.url.href, fetching.stdin);
  await asked.promise;
  // The kernel does the same for a service that is killed.
  await fetching.stdin.end();
  expect(await fetching.exited).toBe(3);
  expect(await new Response(fetching.stdout).text()).toBe('');
  await store.stop(true);
}, 20_000);
