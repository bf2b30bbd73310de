/** A service that may open few descriptors, under more idle connections than it may have. */
import { afterEach, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { leiJson, runLei } from '../support/run-lei.ts';
import { copiedSample } from '../support/service.ts';

const root = join(import.meta.dir, '..', '..');
const sockets: Socket[] = [];
let service: Bun.Subprocess<'ignore', 'pipe', 'pipe'> | null = null;

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  service?.kill('SIGKILL');
  await service?.exited;
});

/** @returns its URL */
async function serveWithin(descriptors: number, dataDir: string): Promise<string> {
  const script = `ulimit -n ${descriptors}; exec "$0" "$1" serve`;
  service = Bun.spawn(['sh', '-c', script, process.execPath, join(root, 'src', 'cli.ts')], {
    env: {
      ...process.env,
      LEI_DATA_DIR: dataDir,
      LEI_PORT: '0',
      LEI_WORKERS: '1',
      LEI_LIMITS: 'off',
      LEI_SAMPLE: 'off',
      LEI_LOG_LEVEL: 'warn',
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let line = '';
  for await (const piece of service.stdout) {
    line += Buffer.from(piece).toString();
    if (line.includes('\n')) break;
  }
  return /http:\/\/\S+/.exec(line)?.[0] ?? '';
}

/** Opens a connection that never sends anything. */
function idle(port: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect(port, '127.0.0.1', resolve);
  sockets.push(socket);
  // The service ends most of them.
  socket.on('error', () => resolve());
  return promise;
}

/** Resolves once all are connected. */
async function crowd(port: number, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => idle(port)));
}

function sampleFiles(): readonly string[] {
  const folder = join(root, 'data', 'sample');
  return readdirSync(folder)
    .filter((name) => !name.endsWith('.md'))
    .map((name) => join(folder, name));
}

test('300 idle connections to a service with 128 descriptors keep out neither commands nor new clients', async () => {
  const dataDir = await copiedSample();
  const url = await serveWithin(128, dataDir);
  await crowd(Number(new URL(url).port), 300);
  const { code, json } = await leiJson(dataDir, 'status');
  expect({ code, json }).toMatchObject({ code: 0, json: { status: 'ok' } });
  for (let client = 0; client < 5; client++) {
    expect((await fetch(`${url}/api/v1/status`, { keepalive: false })).status).toBe(200);
  }
  const loaded = await runLei(dataDir, 'load', ...sampleFiles());
  expect([loaded.code, loaded.stderr]).toEqual([0, expect.any(String)]);
  const { status, body } = await fetch(`${url}/api/v1/lei/7LTWFZYICNSX8D621K86`, { keepalive: false });
  await body?.cancel();
  expect(status).toBe(200);
  service?.kill('SIGTERM');
  const log = await new Response(service?.stderr).text();
  expect(log).toContain('may open only 128 descriptors');
  expect(log).toContain('Descriptors run out: connections are ended, idle ones first.');
}, 60_000);
