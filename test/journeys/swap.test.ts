/**
 * Tests the hot swap: a service under traffic, with `lei load` and other commands beside it. `lei serve` runs where
 * signals or a start are tested, and under traffic; elsewhere the service runs in the process of the test.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import {
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { reasonOf } from '../../src/errors.ts';
import { withLoadLock } from '../../src/loader/command/load-lock.ts';
import { controlClient } from '../../src/protocol/control-client.ts';
import { layout } from '../../src/publication/layout.ts';
import { sealedIds } from '../../src/publication/sealed.ts';
import { temporaryFolder } from '../support/folders.ts';
import { leiJson, runLei } from '../support/lei-here.ts';
import { loadHere } from '../support/load-here.ts';
import { companies, momentFiles } from '../support/moments.ts';
import { type Served, serve, tryServe } from '../support/serve.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../support/service.ts';
import { until } from '../support/steady-load.ts';

const files = [momentFiles(0), momentFiles(1)] as const;
/**
 * One data folder with moment 0 active, and one with both moments, moment 1 active. Tests copy them and never serve
 * them.
 */
let atFirst = '';
let atSecond = '';
const versions: [string, string] = ['', ''];
let running: Served[] = [];
let runningHere: TestService[] = [];

beforeAll(async () => {
  atFirst = temporaryFolder('first');
  versions[0] = (await loadHere(atFirst, files[0])).manifest.id;
  atSecond = temporaryFolder('second');
  cpSync(atFirst, atSecond, { recursive: true });
  versions[1] = (await loadHere(atSecond, files[1])).manifest.id;
});
afterEach(async () => {
  for (const served of running) {
    served.kill('SIGKILL');
    await served.exited;
  }
  running = [];
  for (const service of runningHere) await service.stop();
  runningHere = [];
});
afterAll(() => {
  for (const paths of files) rmSync(dirname(paths[0] ?? ''), { recursive: true, force: true });
});

/** Runs the command, which tells a running service. @returns the publication's id */
async function load(dataDir: string, moment: 0 | 1): Promise<string> {
  const { code, json, stderr } = await leiJson(dataDir, 'load', ...files[moment]);
  if (code !== 0) throw new Error(`lei load ended with ${code}: ${JSON.stringify(json)} ${stderr}`);
  return textAt(json, 'publication', 'id');
}

function copyOf(folder: string): string {
  const copy = temporaryFolder('journey');
  cpSync(folder, copy, { recursive: true });
  return copy;
}

async function serveCopy(folder: string, environment?: Record<string, string>) {
  const dataDir = copyOf(folder);
  const served = await serve(dataDir, environment);
  running.push(served);
  return { dataDir, served };
}

/** The service in this process, over a data folder of its own. */
async function serveHere(dataDir: string, options: Omit<TestServiceOptions, 'dataDir'> = {}) {
  const service = await startTestService({ dataDir, ...options });
  runningHere.push(service);
  return service;
}

async function stopHere(service: TestService): Promise<void> {
  runningHere = runningHere.filter((each) => each !== service);
  await service.stop();
}

async function jsonOf(service: TestService, path: string) {
  const response = await service.fetch(path);
  const body: unknown = await response.json();
  return { status: response.status, body };
}

const servedVersion = async (service: TestService) =>
  versionOf((await jsonOf(service, '/api/v1/status')).body);

function textAt(value: unknown, ...path: readonly string[]): string {
  let at: unknown = value;
  for (const name of path)
    at = typeof at === 'object' && at !== null ? Object.entries(at).find(([key]) => key === name)?.[1] : null;
  return String(at);
}

const versionOf = (body: unknown) => textAt(body, 'meta', 'datasetVersion');

/** The fault of an answer about a company at the moment that its version names; null if there is none. */
function faultOf(expected: readonly (string | null)[], status: number, body: unknown): string | null {
  const version =
    status === 404 ? (/version (\S+)\.$/.exec(textAt(body, 'detail'))?.[1] ?? '') : versionOf(body);
  const moment = versions.findIndex((known) => known.slice(0, 16) === version.slice(0, 16));
  const name = status === 404 ? null : textAt(body, 'data', 'entity', 'legalName', 'name');
  if (moment >= 0 && expected[moment] === name) return null;
  return `${status} ${version} ${JSON.stringify(body).slice(0, 200)}`;
}

/** Between two requests of a connection: enough traffic to meet every step of a swap, at a tenth of the cost. */
const pauseMs = 20;
/** So that every front has some of them. */
const connections = 8;

/** Asks about every company over and over until told to stop. */
function traffic(served: Served) {
  const faults: string[] = [];
  const seen = new Set<string>();
  let answered = 0;
  let going = true;
  const connection = async (offset: number) => {
    const subjects = Object.values(companies);
    for (let turn = offset; going; turn++) {
      const subject = subjects[turn % subjects.length];
      if (subject === undefined) return;
      const { status, body } = await served.json(`/api/v1/lei/${subject.lei}`);
      answered++;
      if (status === 200) seen.add(versionOf(body));
      const fault = faultOf(subject.names, status, body);
      if (fault !== null) faults.push(fault);
      await Bun.sleep(pauseMs);
    }
  };
  const connected = Promise.all(Array.from({ length: connections }, (_, index) => connection(index)));
  /** Each connection has asked and been answered since. */
  const goesOn = () => {
    const before = answered;
    return until(() => answered > before + 2 * connections);
  };
  const stop = async () => {
    await until(() => answered > 100);
    going = false;
    await connected;
    return { faults, seen };
  };
  return { goesOn, stop };
}

/** `npm run test:long` tries more. */
const activations = Number(process.env['LONG_SWAPS'] ?? 2);

/**
 * Sends many requests, and a signal once the first is answered. All that the service has begun are answered, and it does
 * not wait for an idle connection: such a stop gives up after ten seconds, with a warning.
 */
async function endsInOrder(served: Served, signal: 'SIGTERM' | 'SIGINT'): Promise<void> {
  const idle = connect(Number(new URL(served.url).port), '127.0.0.1');
  idle.write('GET /api/v1/status HTTP/1.1\r\nHost: service.test\r\n\r\n');
  idle.on('error', () => undefined);
  await new Promise((resolve) => idle.once('data', resolve));
  const requests = Array.from({ length: 20 }, (_, index) =>
    served.json(`/api/v1/search?q=traversal&limit=${index + 1}`),
  );
  await Promise.race(requests);
  served.kill(signal);
  const outcomes = await Promise.allSettled(requests);
  expect(await served.exited).toBe(0);
  const answered = outcomes.filter((outcome) => outcome.status === 'fulfilled');
  expect(answered.length).toBeGreaterThan(0);
  expect(answered.map(({ value }) => value.status)).toEqual(answered.map(() => 200));
  expect(await served.stderr).toBe('');
  idle.destroy();
}

describe('a load beside a running service', () => {
  test.each([
    [1, 'SIGTERM'],
    [2, 'SIGINT'],
  ] as const)(
    'swaps without a failed request, as do activations in turn, and no answer mixes two publications (fronts: %d); %s then answers every open request, with exit status 0',
    async (fronts, signal) => {
      const { dataDir, served } = await serveCopy(atFirst, { LEI_FRONTS: String(fronts), LEI_WORKERS: '2' });
      const { goesOn, stop } = traffic(served);
      const version = await load(dataDir, 1);
      const { status, body } = await served.json(`/api/v1/lei/${companies.added.lei}`);
      expect([status, versionOf(body)]).toEqual([200, version]);
      await goesOn();
      const control = controlClient(layout(dataDir));
      for (let round = 0; round < activations; round++) {
        const id = [versions[0], version][round % 2] ?? '';
        expect(await control.send({ op: 'activate', id })).toEqual({ ok: true, value: { id } });
        expect(versionOf((await served.json('/api/v1/status')).body)).toBe(id);
        await goesOn();
      }
      const { faults, seen } = await stop();
      expect(faults).toEqual([]);
      expect([...seen].sort()).toEqual([versions[0], version]);
      await endsInOrder(served, signal);
    },
  );

  test('is served by a service that waits for its first publication', async () => {
    const service = await serveHere(temporaryFolder('empty'));
    const waiting = await service.fetch('/api/v1/status');
    expect([waiting.status, waiting.headers.has('retry-after')]).toEqual([503, true]);
    const version = await load(service.dataDir, 0);
    expect(await servedVersion(service)).toBe(version);
  });

  test('is noticed through the pointer, without the control socket; a prune afterwards reaches the service', async () => {
    const service = await serveHere(copyOf(atSecond));
    const control = controlClient(layout(service.dataDir));
    rmSync(layout(service.dataDir).controlSocket);
    const { code } = await runLei(service.dataDir, 'activate', versions[0]);
    expect(code).toBe(0);
    await until(async () => (await servedVersion(service)) === versions[0]);
    expect((await jsonOf(service, `/api/v1/lei/${companies.gone.lei}`)).status).toBe(200);
    await until(async () => (await control.send({ op: 'ping' })) !== 'not-running');
    const pruned = await leiJson(service.dataDir, 'prune', '--keep', '1');
    expect(pruned.json).toMatchObject({ deleted: [versions[1]] });
    expect(textAt((await jsonOf(service, '/api/v1/status')).body, 'data', 'previous')).toBe('');
  });

  test('is noticed by a service that could not open its control socket and has warned of it', async () => {
    const dataDir = copyOf(atSecond);
    // A file that is not a socket is not removed.
    mkdirSync(join(layout(dataDir).controlSocket, 'kept'), { recursive: true });
    const service = await serveHere(dataDir);
    expect((await runLei(dataDir, 'activate', versions[0])).code).toBe(0);
    await until(async () => (await servedVersion(service)) === versions[0]);
    expect(await service.logText()).toContain('The control socket cannot be opened');
  });
});

test('a cursor from before a swap continues in its publication, across the swap and a restart: no row is skipped or repeated', async () => {
  const service = await serveHere(copyOf(atSecond));
  const traversals = [
    '/api/v1/search?q=traversal&limit=10',
    '/ext/v1/list?q=traversal&sort=-name&limit=10',
    '/ext/v1/list?limit=25',
  ].map((path) => ({ path, rows: [] as string[], next: path }));
  /** Reads the next page of a traversal; '' follows the last. */
  const page = async (from: TestService, traversal: (typeof traversals)[number]) => {
    const { status, body } = await jsonOf(from, traversal.next);
    expect([status, versionOf(body)]).toEqual([200, versions[1]]);
    const { data, links }: { data: { items: { name: string }[] }; links: { next?: string } } = JSON.parse(
      JSON.stringify(body),
    );
    traversal.rows.push(...data.items.map(({ name }) => name));
    traversal.next = links.next === undefined ? '' : `${traversal.path}&cursor=${links.next}`;
  };
  for (const traversal of traversals) await page(service, traversal);
  expect((await runLei(service.dataDir, 'rollback')).code).toBe(0);
  for (const traversal of traversals) await page(service, traversal);
  await stopHere(service);
  const again = await serveHere(service.dataDir);
  for (const traversal of traversals) {
    while (traversal.next !== '') await page(again, traversal);
    const traversed = traversal.rows.filter((name) => name.startsWith('Traversal')).sort();
    const names = Array.from({ length: 40 }, (_, index) => `Traversal B ${index} Limited`).sort();
    expect([traversal.path, traversed]).toEqual([traversal.path, names]);
  }
  expect(await servedVersion(again)).toBe(versions[0]);
});

/** `npm run test:long` tries more. */
const kills = Number(process.env['LONG_KILLS'] ?? 1);

describe('a service that is killed', () => {
  test('in the middle of a swap serves one of the two publications after a restart', async () => {
    const dataDir = copyOf(atSecond);
    for (let round = 0; round < kills; round++) {
      const served = await serve(dataDir, { LEI_WORKERS: '2' });
      running.push(served);
      const other =
        versionOf((await served.json('/api/v1/status')).body) === versions[0] ? versions[1] : versions[0];
      const swapping = controlClient(layout(dataDir)).send({ op: 'activate', id: other });
      // At another step of the swap each time.
      await Bun.sleep(((round + 1) % 3) * 80);
      served.kill('SIGKILL');
      await Promise.all([served.exited, swapping]);
    }
    const served = await serve(dataDir);
    running.push(served);
    expect(versions).toContain(versionOf((await served.json('/api/v1/status')).body));
    for (const { lei, names } of Object.values(companies)) {
      const { status, body } = await served.json(`/api/v1/lei/${lei}`);
      expect(faultOf(names, status, body)).toBeNull();
    }
  });
});

describe('a damaged environment', () => {
  const damages: readonly (readonly [string, (path: string) => void])[] = [
    ['cut off in the middle', (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ['overwritten from the start', (path) => overwrite(path, 0, 16_384)],
    ['overwritten in the middle', (path) => overwrite(path, 8192, statSync(path).size - 16_384)],
  ];
  for (const [what, damage] of damages) {
    test(`that was ${what} is replaced by the previous publication, with a warning`, async () => {
      const dataDir = copyOf(atSecond);
      damage(layout(dataDir).environment(versions[1]));
      const service = await serveHere(dataDir, { inspects: true });
      expect(await servedVersion(service)).toBe(versions[0]);
      expect((await jsonOf(service, `/api/v1/lei/${companies.gone.lei}`)).status).toBe(200);
      const warnings = await service.logText();
      expect(warnings).toContain(`"publication":"${versions[1]}"`);
      expect(warnings).toContain('newest sound publication');
    });
  }

  test('is not activated: the active publication stays, and the status says why', async () => {
    const dataDir = copyOf(atFirst);
    const service = await serveHere(dataDir, { inspects: true });
    cpSync(layout(atSecond).publication(versions[1]), layout(dataDir).publication(versions[1]), {
      recursive: true,
    });
    overwrite(layout(dataDir).environment(versions[1]), 8192, 40_000);
    const { code } = await runLei(dataDir, 'activate', versions[1]);
    expect(code).toBe(1);
    const { body } = await jsonOf(service, '/api/v1/status');
    expect(versionOf(body)).toBe(versions[0]);
    expect(textAt(body, 'data', 'lastFailure', 'message')).toContain(versions[1]);
    expect(readFileSync(layout(dataDir).pointer, 'utf8')).toContain(`"id": "${versions[0]}"`);
  });
});

function overwrite(path: string, start: number, bytes: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, new Uint8Array(bytes).fill(0xa5), 0, bytes, start);
  closeSync(file);
}

describe('a first start', () => {
  test('serves the bundled sample and says that it is one; another service on the data folder or on the port says so, and leaves it alone', async () => {
    const dataDir = temporaryFolder('sample');
    const served = await serve(dataDir, { LEI_SAMPLE: 'on' });
    running.push(served);
    expect(served.line).toContain('SAMPLE');
    const { body } = await served.json('/api/v1/status');
    expect(textAt(body, 'data', 'publication', 'sample')).toBe('true');

    const second = await tryServe(dataDir);
    expect(second.served).toBeNull();
    expect(await second.process.exited).toBe(1);
    expect(await new Response(second.process.stderr).text()).toContain('Another service is running');
    const onPort = { LEI_PORT: new URL(served.url).port };
    await expect(startTestService({ dataDir: copyOf(atFirst), environment: onPort })).rejects.toThrow(
      /Port \d+ .* in use.*LEI_PORT/,
    );
    expect((await served.get('/api/v1/status')).status).toBe(200);
    expect(await controlClient(layout(dataDir)).send({ op: 'ping' })).toMatchObject({ ok: true });

    // Nor does it need an answer from the other one: during a start nobody listens yet.
    served.kill('SIGSTOP');
    rmSync(layout(dataDir).controlSocket);
    await expect(startTestService({ dataDir })).rejects.toThrow(
      `Another service is running on this data folder (process ${served.pid}, `,
    );
    served.kill('SIGCONT');
    expect((await served.get('/api/v1/status')).status).toBe(200);
  });

  test("never replaces an operator's lost publication by the sample", async () => {
    const dataDir = copyOf(atFirst);
    overwrite(layout(dataDir).environment(versions[0]), 8192, 40_000);
    const pointer = readFileSync(layout(dataDir).pointer, 'utf8');
    const served = await serve(dataDir, { LEI_SAMPLE: 'on' });
    running.push(served);
    expect(served.line).toContain('no publication is served');
    expect((await served.get('/api/v1/status')).status).toBe(503);
    expect(readFileSync(layout(dataDir).pointer, 'utf8')).toBe(pointer);
    await until(() => served.log().includes('the bundled sample does not replace data of your own'));
    expect(sealedIds(layout(dataDir))).toEqual([versions[0]]);
  });

  test('during a load of the operator skips the sample, says why, and serves that load', async () => {
    const dataDir = copyOf(atFirst);
    const paths = layout(dataDir);
    renameSync(paths.publications, `${paths.publications}-to-be`);
    const pointer = readFileSync(paths.pointer);
    rmSync(paths.pointer);
    await withLoadLock(paths, async () => {
      const service = await serveHere(dataDir, { environment: { LEI_SAMPLE: 'on' } });
      expect(await service.logText()).toContain('Another load is running');
      expect((await leiJson(dataDir, 'status')).json).toMatchObject({
        running: true,
        status: 'unavailable',
        publication: null,
        loading: null,
        // The sample was refused without harm; the log says why.
        lastFailure: null,
      });
      expect((await runLei(dataDir, 'status')).stdout).toMatch(
        /^Service +unavailable\nPublication +none is served.*\n/,
      );
      renameSync(`${paths.publications}-to-be`, paths.publications);
      writeFileSync(paths.pointer, pointer);
      await until(async () => (await service.fetch('/api/v1/status')).status === 200);
      expect((await runLei(dataDir, 'status')).stdout).toMatch(
        new RegExp(`^Service +ok\nPublication +${versions[0]}\nSource time +2026-10-01T16:00:00Z\n`),
      );
    });
  });

  test('that is stopped while the sample loads ends in order and leaves no publication behind', async () => {
    const dataDir = temporaryFolder('sample');
    const starting = tryServe(dataDir, { LEI_SAMPLE: 'on' });
    const control = controlClient(layout(dataDir));
    let reply = await control.send({ op: 'ping' });
    while (reply === 'not-running') {
      await Bun.sleep(10);
      reply = await control.send({ op: 'ping' });
    }
    const pid = reply.ok ? Number(textAt(reply.value, 'pid')) : 0;
    if (!(pid > 1)) throw new Error('The service did not tell its process id.');
    process.kill(pid, 'SIGTERM');
    const { process: ended, served } = await starting;
    expect(served).toBeNull();
    expect(await ended.exited).toBe(0);
    expect(sealedIds(layout(dataDir))).toEqual([]);
  });
});

describe('a service that cannot start', () => {
  // One is kept for documents, the other for names that never exist.
  test.each(['192.0.2.1', 'nosuchhost.invalid'])(
    'says that it cannot listen on %s, on which port, and which setting to change',
    async (host) => {
      const starting = startTestService({ dataDir: copyOf(atFirst), environment: { LEI_HOST: host } });
      const message = await starting.then(() => 'It has started.', reasonOf);
      expect(message).toStartWith(`The service can't listen on ${host}, port 0 (E`);
      expect(message).toContain('LEI_HOST must be an address of this machine');
    },
  );
});

describe('lei status', () => {
  test('shows the status endpoint’s facts while the service runs, and what is on disk otherwise', async () => {
    const dataDir = copyOf(atSecond);
    const service = await serveHere(dataDir, { environment: { LEI_WORKERS: '2' } });
    const { json } = await leiJson(dataDir, 'status');
    const { body } = await jsonOf(service, '/api/v1/status');
    const uptimeSeconds = expect.any(Number);
    const threads = { fronts: 1, queries: 2 };
    const told = JSON.parse(JSON.stringify(body)).data;
    expect(json).toEqual({ running: true, ...told, uptimeSeconds, threads, limits: expect.any(Object) });
    await stopHere(service);
    const stopped = await leiJson(dataDir, 'status');
    expect(stopped.json).toMatchObject({
      running: false,
      status: 'unavailable',
      publication: { id: versions[1] },
      previous: [{ id: versions[0] }],
    });
    expect((await runLei(dataDir, 'rollback')).code).toBe(0);
    const { json: back } = await leiJson(dataDir, 'status');
    expect(back).toMatchObject({ publication: { id: versions[0] } });
    expect(JSON.parse(JSON.stringify(back)).previous.map(({ id }: { id: string }) => id)).toEqual([
      versions[1],
    ]);
  });
});
