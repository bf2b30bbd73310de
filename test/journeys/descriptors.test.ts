/** Tests a service with few descriptors under more connections than it may have. */
import { afterEach, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { leiJson, runLei } from '../support/lei-here.ts';
import { companies, momentFiles } from '../support/moments.ts';
import { copiedSample } from '../support/service.ts';
import { until } from '../support/steady-load.ts';

const root = join(import.meta.dir, '..', '..');
const sockets: Socket[] = [];
let service: Bun.Subprocess<'ignore', 'pipe', 'pipe'> | null = null;

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  service?.kill('SIGKILL');
  await service?.exited;
});

/** @returns its URL */
async function serveWithin(
  descriptors: number,
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
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
      ...environment,
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
function idle(port: number, localAddress = '127.0.0.1'): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect({ port, host: '127.0.0.1', localAddress }, resolve);
  sockets.push(socket);
  // The service ends most of them.
  socket.on('error', () => resolve());
  return promise;
}

/**
 * Resolves once all are connected. They connect `atATime` at once: more than the backlog takes would wait for the
 * kernel's next try.
 */
async function crowd(port: number, count: number, localAddress?: string, atATime = count): Promise<void> {
  for (let left = count; left > 0; left -= atATime) {
    const coming = Array.from({ length: Math.min(left, atATime) }, () => idle(port, localAddress));
    await Promise.all(coming);
  }
}

/**
 * Opens so many connections at once, then a few every moment, as long as there are fewer. One that is not accepted soon
 * is given up for a new one: left alone it would wait for the kernel's next try, in the end for half a minute. Counts
 * those that the service has ended.
 */
function reconnecting(
  port: number,
  count: number,
): { readonly ended: () => number; readonly stop: () => void } {
  const atATime = 4;
  const everyMs = 50;
  const patienceMs = 250;
  let ended = 0;
  const open = new Set<Socket>();
  const again = () => {
    const socket = connect(port, '127.0.0.1');
    open.add(socket);
    const givingUp = setTimeout(() => socket.destroy(), patienceMs);
    let isAccepted = false;
    socket.on('connect', () => {
      isAccepted = true;
      clearTimeout(givingUp);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(givingUp);
      open.delete(socket);
      if (isAccepted) ended++;
    });
  };
  for (let one = 0; one < count; one++) again();
  const timer = setInterval(() => {
    for (let more = 0; more < atATime && open.size < count; more++) again();
  }, everyMs);
  return {
    ended: () => ended,
    stop() {
      clearInterval(timer);
      for (const socket of open) socket.destroy();
    },
  };
}

function openDescriptors(): number {
  return readdirSync(`/proc/${service?.pid}/fd`).length;
}

/** Those that the service has not ended. */
function alive(): number {
  return sockets.filter((socket) => !socket.closed && socket.readyState === 'open').length;
}

/** Loads a few companies instead of the sample. */
function loadFew(dataDir: string) {
  return runLei(
    dataDir,
    'load',
    ...momentFiles(0),
    '--skip-gate',
    'entity-count',
    'resolvable-relationships',
  );
}

test('300 idle and 300 constantly reconnecting connections to a service with 128 descriptors block neither commands nor loads nor new clients', async () => {
  const dataDir = await copiedSample();
  const url = await serveWithin(128, dataDir);
  const port = Number(new URL(url).port);
  await crowd(port, 300, '127.0.0.1', 4);
  const { code, json } = await leiJson(dataDir, 'status');
  expect({ code, json }).toMatchObject({ code: 0, json: { status: 'ok' } });
  for (let client = 0; client < 5; client++) {
    expect((await fetch(`${url}/api/v1/status`, { keepalive: false })).status).toBe(200);
  }
  const idling = await loadFew(dataDir);
  expect([idling.code, idling.stderr]).toEqual([0, expect.any(String)]);
  const { status, body } = await fetch(`${url}/api/v1/lei/${companies.unchanged.lei}`, { keepalive: false });
  await body?.cancel();
  expect(status).toBe(200);
  for (const socket of sockets.splice(0)) socket.destroy();

  const { ended, stop } = reconnecting(port, 300);
  // Connections before the first check may fill the table.
  await until(() => ended() > 100);
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, openDescriptors());
  }, 5);
  const before = ended();
  const commands: (number | null)[] = [];
  const loaded = await loadFew(dataDir);
  // The service ends connections meanwhile, however fast the commands are.
  while (commands.length < 2 || ended() === before) commands.push((await leiJson(dataDir, 'status')).code);
  clearInterval(watch);
  await until(() => ended() - before > 100);
  stop();
  expect({ commands, load: loaded.code, message: loaded.code === 0 ? '' : loaded.stderr }).toEqual({
    commands: commands.map(() => 0),
    load: 0,
    message: '',
  });
  expect(most).toBeLessThan(128);
  service?.kill('SIGTERM');
  const log = await new Response(service?.stderr).text();
  expect(log).toContain('may open only 128 descriptors');
  expect(log).toContain('Too many connections: some are closed, idle ones first.');
});

test('one address keeps at most its share of the connections, the newest ones, and others lose none; a trusted proxy, which has the connections of many clients, has no such limit', async () => {
  const url = await serveWithin(1_024, await copiedSample(), { LEI_TRUSTED_PROXIES: '127.0.0.4/32' });
  const port = Number(new URL(url).port);
  await crowd(port, 5, '127.0.0.3');
  await crowd(port, 400, '127.0.0.2', 20);
  await until(() => alive() < 300);
  expect(sockets.slice(0, 5).every((socket) => socket.readyState === 'open')).toBe(true);
  expect(sockets.slice(-50).every((socket) => socket.readyState === 'open')).toBe(true);
  for (const socket of sockets.splice(0)) socket.destroy();

  // An address may have 208 here. A connection that has asked once may be silent for longer than these take to arrive.
  await crowd(port, 230, '127.0.0.4', 20);
  for (const socket of sockets) socket.write('GET /api/v1/status HTTP/1.1\r\nHost: service.test\r\n\r\n');
  await crowd(port, 230, '127.0.0.5', 20);
  await until(() => alive() < 450);
  expect(sockets.slice(0, 230).every((socket) => socket.readyState === 'open')).toBe(true);
});
