import { expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from '../../src/publication/files.ts';
import { temporaryFolder } from '../support/folders.ts';

test('a file is replaced as a whole, with the given mode, and nothing is left beside it', () => {
  const folder = temporaryFolder('durable');
  const path = join(folder, 'file');
  writeFileSync(path, 'old');
  writeDurably(path, 'new', 0o600);
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['file']);
});

test('the old file stays if the new one can be written only in part, and nothing is left beside it', () => {
  const folder = temporaryFolder('durable');
  const path = join(folder, 'file');
  writeFileSync(path, 'old');
  const files = JSON.stringify(join(import.meta.dir, '../../src/publication/files.ts'));
  const program = `
    const { writeDurably } = await import(${files});
    writeDurably(${JSON.stringify(path)}, 'new'.repeat(1_000_000));`;
  // No file that the program writes may be larger than a thousand blocks.
  const limited = ['sh', '-c', 'ulimit -f 1000 && exec "$0" -e "$1"', process.execPath, program];
  const { exitCode, stderr } = Bun.spawnSync(limited, { stderr: 'pipe' });
  expect(stderr.toString()).toContain('EFBIG');
  expect(exitCode).not.toBe(0);
  expect(readFileSync(path, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['file']);
});

test('a file that cannot replace what is there gives an error that says so, and nothing is left beside it', () => {
  const folder = temporaryFolder('durable');
  const path = join(folder, 'file');
  mkdirSync(path);
  expect(() => writeDurably(path, 'new')).toThrow('EISDIR');
  expect(readdirSync(folder)).toEqual(['file']);
});
