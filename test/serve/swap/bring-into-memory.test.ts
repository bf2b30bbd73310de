import { beforeEach, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type Layout, layout } from '../../../src/publication/layout.ts';
import { bringIntoMemory } from '../../../src/serve/swap/bring-into-memory.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { memoryLog } from '../../support/log.ts';

const id = '20261001T000000Z-00000001';

let paths: Layout;
let stopping: AbortController;
let log: ReturnType<typeof memoryLog>;

beforeEach(() => {
  paths = layout(temporaryFolder('memory'));
  stopping = new AbortController();
  log = memoryLog();
});

const bytes = 3_000_000;

function writePublication(): void {
  mkdirSync(paths.publication(id), { recursive: true });
  writeFileSync(paths.environment(id), Buffer.alloc(bytes - 1_000_000));
  for (const path of [paths.companies(id), paths.search(id)]) writeFileSync(path, Buffer.alloc(500_000));
}

test('all files of a publication are read completely', async () => {
  writePublication();
  expect(await bringIntoMemory(paths, log, stopping.signal)(id)).toBe(bytes);
  expect(log.lines).toEqual([]);
});

test('a publication larger than a third of the memory is not read', async () => {
  writePublication();
  expect(await bringIntoMemory(paths, log, stopping.signal, 3 * bytes)(id)).toBe(bytes);
  expect(await bringIntoMemory(paths, log, stopping.signal, 3 * bytes - 1)(id)).toBe(0);
});

test('reading ends when the service stops', async () => {
  writePublication();
  stopping.abort();
  expect(await bringIntoMemory(paths, log, stopping.signal)(id)).toBe(0);
});

test('a publication that cannot be read causes a warning that names it, not a failure', async () => {
  expect(await bringIntoMemory(paths, log, stopping.signal)(id)).toBe(0);
  expect(log.lines).toMatchObject([
    { level: 'warn', fields: { path: paths.publication(id), error: { code: 'ENOENT' } } },
  ]);
});
