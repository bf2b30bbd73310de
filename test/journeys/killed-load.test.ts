/** Tests what operators see of a load that is killed, and of one that is refused while another runs. */
import { expect, test } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { withLoadLock } from '../../src/loader/command/load-lock.ts';
import { layout } from '../../src/publication/layout.ts';
import { company, publish } from '../loader/publishing.ts';
import { temporaryFolder } from '../support/folders.ts';
import { leiJson, runLei } from '../support/lei-here.ts';
import { cli } from '../support/run-lei.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/steady-load.ts';

/** Enough companies that the load takes seconds. */
const manyFiles = publish(temporaryFolder('killed'), {
  at: '2026-05-04T00:00:00Z',
  companies: Array.from({ length: 20_000 }, (_, index) => company(index + 1)),
});

interface Told {
  readonly loading: { readonly phase: string } | null;
  readonly lastFailure: { readonly phase: string; readonly message: string } | null;
}

/** Resolves to the status once it is as wanted. */
async function statusWith(service: TestService, wanted: (told: Told) => boolean): Promise<Told> {
  for (;;) {
    const { data } = JSON.parse(await (await service.fetch('/api/v1/status')).text());
    if (wanted(data)) return data;
    await Bun.sleep(20);
  }
}

test('a killed load becomes the last failure, and its remains are reported and deleted', async () => {
  const service = await startTestService();
  const { dataDir } = service;
  const loading = Bun.spawn([process.execPath, cli, 'load', ...manyFiles], {
    env: { ...process.env, LEI_DATA_DIR: dataDir },
    stdout: 'ignore',
    stderr: 'ignore',
  });
  try {
    const shown = await statusWith(service, (told) => told.loading?.phase.startsWith('reading') === true);
    expect(await runLei(dataDir, 'publications')).toMatchObject({
      stdout: expect.stringMatching(/\nA load is building \d{8}T\d{6}Z-[0-9a-f]{8} \([\d.]+ MB\)\.\n$/),
    });
    loading.kill('SIGKILL');
    await loading.exited;
    const told = await statusWith(service, ({ lastFailure }) => lastFailure !== null);
    expect(shown.lastFailure).toBeNull();
    expect(told).toMatchObject({
      status: 'ok',
      loading: null,
      lastFailure: { phase: expect.any(String), message: expect.stringContaining('killed') },
    });
    const [, id] =
      /Unfinished: (\S+) \([\d.]+ MB\), left by a killed load\. lei prune or the next load deletes it/.exec(
        (await runLei(dataDir, 'publications')).stdout,
      ) ?? ['', 'none'];
    expect(await leiJson(dataDir, 'prune')).toMatchObject({ code: 0, json: { unfinished: [id] } });
    expect(existsSync(layout(dataDir).staged(id ?? ''))).toBe(false);
  } finally {
    loading.kill('SIGKILL');
    await service.stop();
  }
});

test('lei status reports the remains of a killed load, even when no service runs', async () => {
  const dataDir = temporaryFolder('killed');
  const { staging } = layout(dataDir);
  const loading = Bun.spawn([process.execPath, cli, 'load', ...manyFiles], {
    env: { ...process.env, LEI_DATA_DIR: dataDir },
    stdout: 'ignore',
    stderr: 'ignore',
  });
  await until(() => existsSync(staging) && readdirSync(staging).length > 0);
  const [id = 'none'] = readdirSync(staging);
  expect((await runLei(dataDir, 'status')).stdout).toContain(`\nA load is building ${id} (`);
  loading.kill('SIGKILL');
  await loading.exited;
  const { code, stdout } = await runLei(dataDir, 'status');
  expect(code).toBe(0);
  expect(stdout).toContain(`\nUnfinished: ${id} (`);
  expect(stdout).toContain('lei prune or the next load deletes it');
});

test('a load that is refused because another runs is not a failure of the service', async () => {
  const service = await startTestService();
  try {
    const files = publish(temporaryFolder('refused'), {
      at: '2026-05-04T00:00:00Z',
      companies: [company(1)],
    });
    await withLoadLock(layout(service.dataDir), async () => {
      const refused = await leiJson(service.dataDir, 'load', ...files);
      expect(refused).toMatchObject({ code: 1, json: { error: { code: 'load-running' } } });
    });
    const { data } = JSON.parse(await (await service.fetch('/api/v1/status')).text());
    expect(data).toMatchObject({ status: 'ok', loading: null, lastFailure: null });
  } finally {
    await service.stop();
  }
});
