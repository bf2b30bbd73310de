import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bringIntoMemory } from '../../../src/front/publication/bring-into-memory.ts';
import { type Layout, layout } from '../../../src/publication/layout.ts';
import { memoryLog } from '../../support/log.ts';

const id = '20261001T000000Z-00000001';

let folder: string;
let paths: Layout;
let stopping: AbortController;
let log: ReturnType<typeof memoryLog>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lei-memory-'));
  paths = layout(folder);
  stopping = new AbortController();
  log = memoryLog();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bring = () => bringIntoMemory(paths, log, stopping.signal)(id);

test('a publication that can be read is read without a word', async () => {
  mkdirSync(dirname(paths.environment(id)), { recursive: true });
  writeFileSync(paths.environment(id), Buffer.alloc(3_000_000));
  await bring();
  expect(log.lines).toEqual([]);
});

test('one that can not be read is a warning that names it, and no failure', async () => {
  await bring();
  expect(log.lines).toMatchObject([
    { level: 'warn', fields: { path: paths.environment(id), error: { code: 'ENOENT' } } },
  ]);
});
