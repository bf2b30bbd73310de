import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readThrough } from '../../src/publication/files.ts';
import { temporaryFolder } from '../support/folders.ts';

function fileOf(bytes: number): string {
  const path = join(temporaryFolder('read-through'), 'data');
  writeFileSync(path, Buffer.alloc(bytes));
  return path;
}

test('a file of any size is read completely', async () => {
  const { signal } = new AbortController();
  for (const bytes of [0, 1, 1024 * 1024, 5_000_001]) {
    expect(await readThrough(fileOf(bytes), signal)).toBe(bytes);
  }
});

test('reading ends when it is aborted', async () => {
  const stopping = new AbortController();
  const reading = readThrough(fileOf(50_000_000), stopping.signal);
  stopping.abort();
  expect(await reading).toBeLessThan(50_000_000);
});

test('a missing file is reported', async () => {
  const missing = join(temporaryFolder('read-through'), 'missing');
  await expect(readThrough(missing, new AbortController().signal)).rejects.toThrow('ENOENT');
});
