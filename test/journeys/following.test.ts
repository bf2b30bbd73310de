/**
 * Tests nodes that follow a store: what a builder publishes and announces becomes active on all of them, under load.
 */
import { afterAll, expect, test } from 'bun:test';
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { layout } from '../../src/publication/layout.ts';
import { readPointer } from '../../src/publication/pointer.ts';
import { changeAnnouncement, move } from '../../src/shipping/announcement.ts';
import { fileStore } from '../../src/shipping/file-store.ts';
import { company, lei, publish as writeFiles } from '../loader/publishing.ts';
import { temporaryFolder } from '../support/folders.ts';
import { leiJson } from '../support/lei-here.ts';
import { loadHere } from '../support/load-here.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/steady-load.ts';

const builder = temporaryFolder('builder');
const folder = temporaryFolder('store');
const store = `file://${folder}`;
const nodes: TestService[] = [];
afterAll(() => Promise.all(nodes.map((node) => node.stop())));

async function loadAndPublish(at: string, city: string): Promise<string> {
  const companies = Array.from({ length: 200 }, (_, index) => company(index + 1, { city }));
  const { manifest } = await loadHere(builder, writeFiles(builder, { at, companies }));
  expect((await leiJson(builder, 'publish', '--to', store)).code).toBe(0);
  return manifest.id;
}

async function announce(...args: readonly string[]): Promise<void> {
  const { code, json } = await leiJson(builder, 'announce', ...args, '--to', store);
  expect({ code, json }).toMatchObject({ code: 0 });
}

async function startNode(dataDir = temporaryFolder('node')): Promise<TestService> {
  const node = await startTestService({ dataDir, environment: { LEI_PUBLICATION_SOURCE: store } });
  nodes.push(node);
  return node;
}

async function serves(node: TestService, id: string): Promise<void> {
  await until(() => node.publications.active()?.manifest.id === id, `the node serves ${id}`);
}

/** Pause of a client after an answer: a node serves a publication for longer. */
const askEveryMs = 5;

/** Asks until told to stop. @returns every status with the publications seen, in order */
function askAll(node: TestService): () => Promise<{ statuses: Set<number>; versions: string[] }> {
  const statuses = new Set<number>();
  const versions: string[] = [];
  let asking = true;
  const asked = (async () => {
    for (let last = false; !last; ) {
      // Once more after the stop, so that the publication served by then is seen.
      last = !asking;
      const answer = await node.fetch(`/api/v1/lei/${lei(1)}`);
      statuses.add(answer.status);
      const { meta }: { meta: { datasetVersion: string } } = JSON.parse(await answer.text());
      if (versions.at(-1) !== meta.datasetVersion) versions.push(meta.datasetVersion);
      await Bun.sleep(askEveryMs);
    }
  })();
  return async () => {
    asking = false;
    await asked;
    return { statuses, versions };
  };
}

test('nodes fetch and serve what is announced, swap under load, go back, and keep what they have if the store is damaged', async () => {
  const first = await loadAndPublish('2024-05-04T00:00:00Z', 'LONDON');
  const waiting = await startNode();
  expect((await waiting.fetch('/api/v1/status')).status).toBe(503);
  await announce(first, '--force');
  const other = await startNode();
  await Promise.all([serves(waiting, first), serves(other, first)]);
  for (const node of [waiting, other]) expect(await node.logText()).not.toContain('could not be activated');

  const stop = askAll(waiting);
  const second = await loadAndPublish('2024-05-05T00:00:00Z', 'LEEDS');
  await announce(second, '--force');
  await Promise.all([serves(waiting, second), serves(other, second)]);
  await announce('--rollback');
  await Promise.all([serves(waiting, first), serves(other, first)]);
  const { statuses, versions } = await stop();
  expect({ statuses: [...statuses], versions }).toEqual({
    statuses: [200],
    versions: [first, second, first],
  });

  // The time is in the announcement, so it is the same on all nodes.
  const [a, b] = await Promise.all([waiting, other].map((node) => node.fetch(`/api/v1/lei/${lei(1)}`)));
  expect(a?.headers.get('last-modified')).toBe(b?.headers.get('last-modified') ?? 'missing');

  await announce('--pin', second);
  await serves(other, second);
  const refused = await leiJson(builder, 'announce', first, '--force', '--to', store);
  expect(refused).toMatchObject({ code: 1, json: { error: { code: 'pinned' } } });

  writeFileSync(join(folder, 'fleet.json'), 'not JSON');
  await until(async () => (await other.logText()).includes('could not be taken over'));
  expect((await other.fetch(`/api/v1/lei/${lei(1)}`)).status).toBe(200);
});

test('a node that starts while the store is away serves what it had', async () => {
  const dataDir = temporaryFolder('node');
  cpSync(builder, dataDir, { recursive: true });
  const active = readPointer(layout(dataDir))?.id ?? '';
  const environment = { LEI_PUBLICATION_SOURCE: 'http://127.0.0.1:9/leis/' };
  const node = await startTestService({ dataDir, environment });
  nodes.push(node);
  expect(node.publications.active()?.manifest.id).toBe(active);
  await until(async () => (await node.logText()).includes("http://127.0.0.1:9/leis/ can't be reached"));
});

test('a partly fetched publication is completed later', async () => {
  const published = readPointer(layout(builder))?.id ?? '';
  const broken = temporaryFolder('store');
  cpSync(folder, broken, { recursive: true });
  const shipment = JSON.parse(await Bun.file(join(broken, 'publications', `${published}.json`)).text());
  const digest: string = shipment.files.at(-1).segments[0].digest;
  const object = join(broken, 'objects', digest.slice(0, 2), `${digest}.zst`);
  const bytes = await Bun.file(object).bytes();
  await Bun.file(object).delete();
  await Bun.file(join(broken, 'fleet.json')).delete();
  expect((await leiJson(builder, 'announce', published, '--force', '--to', `file://${broken}`)).code).toBe(0);
  const dataDir = temporaryFolder('node');
  const node = await startTestService({
    dataDir,
    environment: { LEI_PUBLICATION_SOURCE: `file://${broken}`, LEI_ADMIN: '127.0.0.1:0' },
  });
  nodes.push(node);
  await until(async () => (await node.logText()).includes('is missing'));
  // If a deadline was announced, a node that is behind gets no requests.
  const ready = () => fetch(`http://${node.admin}/readyz`);
  expect(await (await ready()).text()).toBe('No publication is active.\n');
  const again = ['announce', published, '--force', '--deadline', '1s', '--to', `file://${broken}`];
  expect((await leiJson(builder, ...again)).code).toBe(0);
  const behind = `${published} is announced, and this node is behind the deadline`;
  await until(async () => (await (await ready()).text()).includes(behind));
  expect(existsSync(layout(dataDir).publication(published))).toBe(false);
  await Bun.write(object, bytes);
  await serves(node, published);
  expect((await ready()).status).toBe(200);
  expect(existsSync(layout(dataDir).incoming(published))).toBe(false);
});

test.each([
  [30 * 60_000, 'which is far ahead by the clock of this node'],
  [-30 * 60_000, 'and this node still serves another publication'],
])('a node warns where an announced activation is %i ms away', async (awayMs, warning) => {
  const announced = fileStore(temporaryFolder('announced'));
  const named = { id: '20240504T000000Z-00000001', shipment: '1'.repeat(64) };
  const now = new Date(Date.now() + awayMs);
  await changeAnnouncement(announced, move(named, { now, leadMs: 0, deadline: null }));
  const environment = { LEI_PUBLICATION_SOURCE: announced.address, LEI_LOG_LEVEL: 'warn' };
  const node = await startTestService({ dataDir: temporaryFolder('node'), environment });
  nodes.push(node);
  await until(async () => (await node.logText()).includes(warning));
});
