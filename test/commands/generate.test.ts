import { expect, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folders.ts';
import { leiJson, runLei } from '../support/lei-here.ts';
import { loadHere } from '../support/load-here.ts';

const root = temporaryFolder('generate');

test('lei generate lists the files it wrote, and all of their rows load', async () => {
  const out = join(root, 'set');
  const { code, json } = await leiJson(root, 'generate', '--entities', '300', '--out', out);
  expect(code).toBe(0);
  const names = (await readdir(out)).sort();
  expect(json).toMatchObject({ folder: out, files: names.map(() => ({ bytes: expect.any(Number) })) });
  const dataDir = join(root, 'data');
  const paths = names.map((name) => join(out, name));
  const { rows, rejected } = await loadHere(dataDir, paths);
  expect(Object.keys(rows)).toHaveLength(names.length);
  expect(Object.values(rejected).filter((count) => count > 0)).toEqual([]);

  const next = join(root, 'next-day');
  await runLei(root, 'generate', '--entities', '300', '--out', next, '--delta');
  const files = (await readdir(next)).map((name) => join(next, name));
  const delta = await loadHere(dataDir, files, { delta: true });
  expect(Object.values(delta.rejected).filter((count) => count > 0)).toEqual([]);
});

test('lei generate refuses a folder that is not empty', async () => {
  const out = join(root, 'full');
  await runLei(root, 'generate', '--entities', '100', '--out', out);
  const again = await leiJson(root, 'generate', '--entities', '100', '--out', out);
  expect(again).toMatchObject({ code: 1, json: { error: { code: 'folder-not-empty' } } });
});

test('a wrong number of entities and an unknown format are usage errors', async () => {
  const out = join(root, 'never');
  const few = await runLei(root, 'generate', '--entities', '0', '--out', out);
  expect(few).toMatchObject({ code: 2, stderr: expect.stringContaining('from 1 to 20000000') });
  const toml = await runLei(root, 'generate', '--entities', '100', '--format', 'toml', '--out', out);
  expect(toml).toMatchObject({ code: 2, stderr: expect.stringContaining('csv, xml, json') });
  const changes = await leiJson(root, 'generate', '--entities', '100', '--out', out, '--changes', '5');
  expect(changes).toMatchObject({ code: 2, json: { error: { code: 'bad-option' } } });
  expect(await readdir(root)).not.toContain('never');
});
