/** Tests nodes that follow only what a key has signed: whoever holds the store, or the way to it, decides nothing. */
import { afterAll, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { company, publish as writeFiles } from '../loader/publishing.ts';
import { temporaryFolder } from '../support/folders.ts';
import { leiJson } from '../support/lei-here.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/steady-load.ts';

const builder = temporaryFolder('builder');
const folder = temporaryFolder('store');
const store = `file://${folder}`;
const announced = join(folder, 'fleet.json');
const nodes: TestService[] = [];
afterAll(() => Promise.all(nodes.map((node) => node.stop())));

/** Paths of a new pair. */
function makeKeys() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const at = temporaryFolder('keys');
  const paths = { secret: join(at, 'key.pem'), open: join(at, 'key.pub.pem') };
  writeFileSync(paths.secret, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(paths.open, publicKey.export({ type: 'spki', format: 'pem' }));
  return paths;
}

const [ours, theirs] = [makeKeys(), makeKeys()];

async function loadAndPublish(at: string): Promise<string> {
  const { json } = await leiJson(
    builder,
    'load',
    ...writeFiles(builder, { at, companies: [company(1, {})] }),
  );
  const { publication }: { publication: { id: string } } = JSON.parse(JSON.stringify(json));
  expect((await leiJson(builder, 'publish', '--to', store)).code).toBe(0);
  return publication.id;
}

async function announce(...args: readonly string[]): Promise<string> {
  const { code, json } = await leiJson(builder, 'announce', ...args, '--to', store);
  expect({ code, json }).toMatchObject({ code: 0 });
  return readFileSync(announced, 'utf8');
}

/** The way to the store, which counts how often a node has read the announcement. */
let reads = 0;
const way = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch({ url }) {
    const path = new URL(url).pathname;
    if (path === '/fleet.json') reads++;
    const file = Bun.file(join(folder, path));
    return (await file.exists()) ? new Response(await file.bytes()) : new Response(null, { status: 404 });
  },
});
afterAll(() => way.stop(true));

/** Resolves once the only node has begun to read the present announcement, and acted on it. */
async function isRead(): Promise<void> {
  const before = reads;
  await until(() => reads >= before + 2);
}

async function startNode(dataDir: string): Promise<TestService> {
  const environment = { LEI_PUBLICATION_SOURCE: way.url.href, LEI_PUBLICATION_KEY: ours.open };
  const node = await startTestService({ dataDir, environment });
  nodes.push(node);
  return node;
}

async function serves(node: TestService, id: string): Promise<void> {
  await until(() => node.publications.active()?.manifest.id === id, `the node serves ${id}`);
}

async function logs(node: TestService, text: string): Promise<void> {
  await until(async () => (await node.logText()).includes(text), `the log says: ${text}`);
}

test('a node follows what its key has signed, and nothing unsigned, changed, of another key, or older', async () => {
  const first = await loadAndPublish('2024-05-04T00:00:00Z');
  const second = await loadAndPublish('2024-05-05T00:00:00Z');
  await announce(second, '--force');
  const dataDir = temporaryFolder('node');
  const node = await startNode(dataDir);
  await logs(node, 'is not signed by the key of this fleet');
  const older = await announce(first, '--force', '--sign', ours.secret);
  await serves(node, first);
  expect(JSON.parse(older)).toMatchObject({ previous: [], signature: expect.any(String) });

  const newer = await announce(second, '--force', '--sign', ours.secret);
  await serves(node, second);
  const { generation } = JSON.parse(newer);
  const forged = [
    await announce(first, '--force'),
    newer.replaceAll(second, first),
    newer.replace(`"generation":${generation}`, `"generation":${generation + 1}`),
    newer.replace('"pinned":false', '"pinned":true'),
    await announce(first, '--force', '--sign', theirs.secret),
  ];
  for (const text of forged) {
    writeFileSync(announced, text);
    await isRead();
    expect(node.publications.active()?.manifest.id).toBe(second);
  }

  writeFileSync(announced, older);
  await logs(node, `this node has taken generation ${generation} before`);
  expect(node.publications.active()?.manifest.id).toBe(second);
  await node.stop();
  const again = await startNode(dataDir);
  await logs(again, `this node has taken generation ${generation} before`);
  expect(again.publications.active()?.manifest.id).toBe(second);

  writeFileSync(announced, newer);
  await announce('--rollback', '--sign', ours.secret);
  await serves(again, first);
  await announce('--pin', second, '--sign', ours.secret);
  await serves(again, second);
  const { generation: last } = JSON.parse(await announce('--unpin', '--sign', ours.secret));
  expect(last).toBe(generation + 3);

  // A lost announcement is made anew, and supersedes all before it.
  rmSync(announced);
  await announce(first, '--force', '--sign', ours.secret);
  await serves(again, first);
});
