/** Tests a newer version over a data folder of an earlier one: what is migrated, rebuilt and refused. */
import { expect, test } from 'bun:test';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { layout } from '../../src/publication/layout.ts';
import { temporaryFolder } from '../support/folders.ts';
import { leiJson, runLei } from '../support/lei-here.ts';
import { startTestService } from '../support/service.ts';

const id = '20261004T160000Z-7e220739';
const key = 'lei_live_TuES5ZrIq3PQ39tmui256zikCjL7xYg32gJvE7';

/** A copy of the folder made by commit c49e98b; test/fixtures/earlier-version/README.md says how. */
function earlierFolder() {
  const dataDir = temporaryFolder('upgrade');
  cpSync(join(import.meta.dir, '..', 'fixtures', 'earlier-version'), dataDir, { recursive: true });
  return { dataDir, paths: layout(dataDir) };
}

/** Rewrites the manifest with other members. */
function changeManifest(path: string, changed: Readonly<Record<string, unknown>>): void {
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...manifest, ...changed }));
}

test('a publication with an earlier company file is refused with advice, and the service waits for a load', async () => {
  const { dataDir } = earlierFolder();
  const advice = 'Load the data again';
  const verified = await runLei(dataDir, 'verify');
  expect([verified.code, verified.stderr.includes(advice)]).toEqual([1, true]);
  const doctor = await runLei(dataDir, 'doctor');
  expect([doctor.code, doctor.stdout.includes(advice)]).toEqual([1, true]);
  expect((await leiJson(dataDir, 'publications')).json).toMatchObject([
    { id, state: 'other-format', problem: expect.stringContaining(advice) },
  ]);
  const service = await startTestService({ dataDir });
  expect((await service.fetch('/api/v1/search?q=bank')).status).toBe(503);
  expect(await service.logText()).toContain(advice);
  await service.stop();
});

test('accounts and keys of an earlier version are migrated, and a load builds on its publication', async () => {
  const { dataDir } = earlierFolder();
  const files = temporaryFolder('upgrade-files');
  const size = ['--entities', '40', '--seed', '7'];
  const generated = await runLei(dataDir, 'generate', ...size, '--delta', '--changes', '10', '--out', files);
  expect(generated.code).toBe(0);
  const names = [...new Bun.Glob('*').scanSync(files)].map((name) => join(files, name));
  const { code, json } = await leiJson(dataDir, 'load', '--delta', ...names);
  expect(code).toBe(0);
  expect(json).toMatchObject({ publication: { basedOn: id, delta: true } });

  const service = await startTestService({ dataDir, environment: { LEI_LIMITS: 'enforce' } });
  const answer = await service.fetch('/api/v1/search?q=bank', {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('ratelimit-policy')).toContain('1000');
  await service.stop();
});

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
});

test('a publication without a company file is not served: the message says that a load makes it again', async () => {
  const { dataDir, paths } = earlierFolder();
  changeManifest(paths.manifest(id), { companies: undefined });
  rmSync(paths.companies(id));
  const refused = await runLei(dataDir, 'doctor');
  expect(refused.code).toBe(1);
  expect(refused.stdout).toMatch(/^wrong +publication .*can't be served/m);
});
