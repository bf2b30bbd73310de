/** Tests that a file which somebody else has put in its place can neither block its reader nor fill its memory. */
import { expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegular } from '../../src/publication/read-regular.ts';
import { timerMs, unlessAborted } from '../../src/waits.ts';
import { temporaryFolder } from '../support/folders.ts';

const never = new AbortController().signal;

test('only regular files are read, up to a limit', async () => {
  const folder = temporaryFolder('files');
  const at = (name: string) => join(folder, name);
  writeFileSync(at('file'), 'content');
  writeFileSync(at('empty'), '');
  writeFileSync(at('large'), Buffer.alloc(3 * 1024 * 1024, 'x'));
  symlinkSync(at('file'), at('link'));
  symlinkSync('/dev/zero', at('zeros'));
  mkdirSync(at('folder'));
  execFileSync('mkfifo', [at('pipe')]);
  const read = async (name: string, bytesMax: number) =>
    Buffer.from(await readRegular(at(name), bytesMax, never)).toString();
  expect(await read('file', 7)).toBe('content');
  expect(await read('link', 7)).toBe('content');
  expect(await read('empty', 0)).toBe('');
  expect(await read('large', 4 * 1024 * 1024)).toHaveLength(3 * 1024 * 1024);
  expect(await read('file', 6).catch(String)).toContain('has 7 bytes, more than the 6 it may have');
  for (const name of ['zeros', 'folder', 'pipe'])
    expect(await read(name, 100).catch(String)).toContain('is not a regular file');
  expect(await read('none', 100).catch(String)).toContain('ENOENT');
  // Such a file says that it is empty.
  expect((await readRegular('/proc/self/status', 100_000, never)).length).toBeGreaterThan(100);
  expect(await readRegular('/proc/self/status', 100, never).catch(String)).toContain('more than the 100');
});

test('a signal ends the wait for work that never ends, and a far moment is waited for in parts', async () => {
  const reason = new Error('The service stops.');
  const ending = new AbortController();
  const waiting = unlessAborted(new Promise(() => {}), ending.signal);
  ending.abort(reason);
  expect(await waiting.catch((error: unknown) => error)).toBe(reason);
  expect(await unlessAborted(new Promise(() => {}), ending.signal).catch((error: unknown) => error)).toBe(
    reason,
  );
  expect(await unlessAborted(Promise.resolve('done'), never)).toBe('done');
  expect([timerMs(5), timerMs(Number.MAX_SAFE_INTEGER)]).toEqual([5, 2 ** 31 - 1]);
});
