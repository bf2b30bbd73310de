/** Tests that an index opens only with the file of its rows. */
import { afterEach, expect, test } from 'bun:test';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, openForBuilding, openReadOnly, syncAndClose } from '../../../src/lmdb.ts';
import { searchIn } from '../../../src/publication/layout.ts';
import { checkRowFile, openIndex } from '../../../src/store/search/open-index.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { isHeld } from '../../support/held-files.ts';
import { createIndexing } from '../../support/index-companies.ts';
import { company } from './small-index.ts';

const opened: Environment[] = [];

afterEach(async () => {
  for (const environment of opened.splice(0)) await environment.close();
});

/** The folder of an index of companies with these names. */
async function indexOf(...names: readonly string[]): Promise<string> {
  const folder = join(temporaryFolder('index'), 'index');
  const building = openForBuilding(folder);
  const indexing = createIndexing();
  for (const name of names) indexing.add(company({ names: [name] }));
  indexing.finish(building);
  await syncAndClose(building);
  return folder;
}

function open(folder: string) {
  const environment = openReadOnly(folder);
  opened.push(environment);
  return openIndex(environment, 'through');
}

test('the file of another index is refused, and not left mapped', async () => {
  const [folder, other] = [await indexOf('Larkmoor Limited'), await indexOf('Kuituverkko Oy', 'Quexley AB')];
  copyFileSync(searchIn(other), searchIn(folder));
  const message = `${searchIn(folder)} is damaged: it belongs to another search index.`;
  expect(() => open(folder)).toThrow(message);
  expect(isHeld(searchIn(folder))).toBe(false);
});

test('a file with a damaged header is refused, and not left mapped', async () => {
  const folder = await indexOf('Larkmoor Limited');
  const bytes = readFileSync(searchIn(folder));
  bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20);
  writeFileSync(searchIn(folder), bytes);
  const message = `${searchIn(folder)} is damaged: its header is not the written one.`;
  expect(() => open(folder)).toThrow(message);
  expect(() => checkRowFile(searchIn(folder))).toThrow(message);
  expect(isHeld(searchIn(folder))).toBe(false);
});

test('a publication without the file is of an earlier version', async () => {
  const folder = await indexOf('Larkmoor Limited');
  expect(() => checkRowFile(searchIn(folder))).not.toThrow();
  rmSync(searchIn(folder));
  expect(() => checkRowFile(searchIn(folder))).toThrow(
    `${searchIn(folder)} is missing, because an earlier version of this program did not write it. Load the data again.`,
  );
});

test('an open index has its file mapped until it is closed', async () => {
  const folder = await indexOf('Larkmoor Limited');
  const index = open(folder);
  expect(isHeld(searchIn(folder))).toBe(true);
  index.close();
  expect(isHeld(searchIn(folder))).toBe(false);
});
