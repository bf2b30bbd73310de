import { expect, test } from 'bun:test';
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writeOutput } from '../../src/export/output.ts';
import { temporaryFolder } from '../support/folders.ts';

const signal = new AbortController().signal;
const pieces = [Buffer.from('first\n'), Buffer.from('second\n')];
const text = 'first\nsecond\n';

test('a pipe is written into, not replaced by a file', async () => {
  const pipe = join(temporaryFolder('output'), 'pipe');
  expect(Bun.spawnSync(['mkfifo', pipe]).exitCode).toBe(0);
  const reader = Bun.spawn(['cat', pipe], { stdout: 'pipe' });
  await writeOutput(pieces, pipe, signal);
  expect(lstatSync(pipe).isFIFO()).toBe(true);
  expect(await new Response(reader.stdout).text()).toBe(text);
});

test('a link stays a link, and the file that it leads to gets the bytes', async () => {
  const folder = temporaryFolder('output');
  const [link, file] = [join(folder, 'link'), join(folder, 'file')];
  symlinkSync(file, link);
  await writeOutput(pieces, link, signal);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('a folder is refused before anything is made', async () => {
  const folder = join(temporaryFolder('output'), 'folder');
  mkdirSync(folder);
  await expect(writeOutput(pieces, folder, signal)).rejects.toMatchObject({ code: 'EISDIR' });
  expect(existsSync(`${folder}.unfinished`)).toBe(false);
});

test('an aborted output rejects with the reason and leaves nothing', async () => {
  const file = join(temporaryFolder('output'), 'file');
  const reason = new Error('Interrupted.');
  await expect(writeOutput(pieces, file, AbortSignal.abort(reason))).rejects.toBe(reason);
  await expect(writeOutput([], null, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(existsSync(file)).toBe(false);
});
