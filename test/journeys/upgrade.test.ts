/** A newer version over a data folder that an earlier one made: what is taken over, what is built again, what is refused. */
import { expect, test } from 'bun:test';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { layout } from '../../src/publication/layout.ts';
import { temporaryFolder } from '../support/folders.ts';
import { leiJson, runLei } from '../support/run-lei.ts';
import { startTestService } from '../support/service.ts';

const id = '20261004T160000Z-7e220739';
const key = 'lei_live_TuES5ZrIq3PQ39tmui256zikCjL7xYg32gJvE7';

/** A copy of the folder that commit c49e98b made; test/fixtures/earlier-version/README.md says how. */
function earlierFolder() {
  const dataDir = temporaryFolder('upgrade');
  cpSync(join(import.meta.dir, '..', 'fixtures', 'earlier-version'), dataDir, { recursive: true });
  return { dataDir, paths: layout(dataDir) };
}

/** Writes the manifest with other members. */
function changeManifest(path: string, changed: Readonly<Record<string, unknown>>): void {
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...manifest, ...changed }));
}

test('publication, accounts and keys of an earlier version are taken over as they are', async () => {
  const { dataDir } = earlierFolder();
  expect((await runLei(dataDir, 'verify')).code).toBe(0);
  const environment = { LEI_LIMITS: 'enforce' };
  const service = await startTestService({ dataDir, environment });
  const headers = { authorization: `Bearer ${key}` };
  const answer = await service.fetch('/api/v1/status', { headers });
  expect(await answer.json()).toMatchObject({ data: { status: 'ok', publication: { id } } });
  const searched = await service.fetch('/api/v1/search?q=a', { headers });
  expect([searched.status, searched.headers.get('x-ratelimit-limit')]).toEqual([200, '1000']);
  await service.stop();
}, 30_000);

test('a load goes on from the publication of an earlier version, whose cursors and history stay', async () => {
  const { dataDir } = earlierFolder();
  const files = temporaryFolder('upgrade-files');
  const size = ['--entities', '40', '--seed', '7'];
  expect(
    (await runLei(dataDir, 'generate', ...size, '--delta', '--changes', '10', '--out', files)).code,
  ).toBe(0);
  const names = [...new Bun.Glob('*').scanSync(files)].map((name) => join(files, name));
  const { code, json, stderr } = await leiJson(dataDir, 'load', '--delta', ...names);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  expect(json).toMatchObject({ publication: { basedOn: id, delta: true } });
}, 60_000);

test('a publication of a newer format is refused with a message, and nothing is deleted', async () => {
  const { dataDir, paths } = earlierFolder();
  changeManifest(paths.manifest(id), { formatVersion: 99 });
  const refused = await runLei(dataDir, 'activate', id);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('made by a newer version');
  const { code, json } = await leiJson(dataDir, 'doctor');
  expect(code).toBe(1);
  expect(JSON.stringify(json)).toContain('made by a newer version');
  expect((await leiJson(dataDir, 'publications')).json).toMatchObject([{ id, state: 'newer-format' }]);
}, 30_000);

test('a publication without a company file is not served: the message says that a load makes it again', async () => {
  const { dataDir, paths } = earlierFolder();
  changeManifest(paths.manifest(id), { companies: undefined });
  rmSync(paths.companies(id));
  const refused = await runLei(dataDir, 'doctor');
  expect(refused.code).toBe(1);
  expect(refused.stdout).toMatch(/^wrong +publication .*can't be served/m);
}, 30_000);
