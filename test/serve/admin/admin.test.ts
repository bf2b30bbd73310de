/** Tests the admin address of a running service. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { livePage, probePage } from '../../../src/serve/admin/watch-service.ts';
import { company } from '../../http/app-in-memory.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { isInstalled } from '../../support/programs.ts';
import { promtoolCheck, sampleOf } from '../../support/promtool.ts';
import { sendRaw } from '../../support/raw-socket.ts';
import { startTestService, type TestService } from '../../support/service.ts';

/** Every promised metric, and some further ones. */
const promised = [
  ...['lei_build_info', 'lei_http_requests_total', 'lei_http_request_duration_seconds'],
  ...['lei_http_requests_in_flight', 'lei_rate_limited_total', 'lei_unauthorized_total'],
  ...['lei_query_duration_seconds', 'lei_query_queue_length', 'lei_event_loop_lag_seconds'],
  ...['lei_thread_restarts_total', 'lei_threads', 'lei_publication_info'],
  ...['lei_publication_source_timestamp_seconds', 'lei_publication_activated_timestamp_seconds'],
  ...['lei_publication_companies', 'lei_publication_bytes', 'lei_disk_free_bytes'],
  ...['lei_swaps_total', 'lei_loads_total'],
  ...[
    'lei_update_last_success_timestamp_seconds',
    'lei_ledger_callers',
    'lei_ledger_saved_timestamp_seconds',
  ],
  ...['process_cpu_seconds_total', 'process_open_fds', 'process_max_fds', 'process_start_time_seconds'],
  ...['process_resident_memory_bytes', 'process_virtual_memory_bytes'],
];

describe('the admin address', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ environment: { LEI_ADMIN: '127.0.0.1:0', LEI_LIMITS: 'enforce' } });
  });
  afterAll(() => service.stop());
  const ask = (path: string, init?: RequestInit) => fetch(`http://${service.admin}${path}`, init);

  test('answers 200 "ok" to probes while the service is alive and ready', async () => {
    for (const path of ['/livez', '/readyz']) {
      const response = await ask(path);
      expect([path, response.status, await response.text()]).toEqual([path, 200, 'ok\n']);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
  });

  test('answers 404 to other paths and 405 to other methods', async () => {
    for (const path of ['/', '/metrics/', '/healthz', '/api/v1/status'])
      expect((await ask(path)).status).toBe(404);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD']) {
      const response = await ask('/metrics', { method });
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'GET']);
    }
  });

  test('answers load balancers’ checks over HTTP/1.0, without a host name too', async () => {
    const port = Number(service.admin.split(':')[1]);
    for (const head of ['HTTP/1.0', 'HTTP/1.1\r\nHost: x\r\nConnection: close']) {
      const answers = ['/readyz', '/readyz?x=1', '//'].map((path) =>
        sendRaw(port, `GET ${path} ${head}\r\n\r\n`),
      );
      const statuses = (await Promise.all(answers)).map((text) => text.split(' ')[1]);
      expect(statuses).toEqual(['200', '200', '404']);
    }
  });

  test('does not exist on the public port', async () => {
    for (const path of ['/livez', '/readyz', '/metrics'])
      expect((await service.fetch(path)).status).toBe(404);
  });

  test('shows every promised metric in a form that promtool accepts', async () => {
    const response = await ask('/metrics');
    const text = await response.text();
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const typed = text.split('\n').filter((line) => line.startsWith('# TYPE '));
    const missing = promised.filter((name) => !typed.some((line) => line.startsWith(`# TYPE ${name} `)));
    expect(missing).toEqual([]);
    expect(sampleOf(text, 'lei_publication_companies')).toBe(
      service.publications.active()?.manifest.counts.entities ?? -1,
    );
    expect(sampleOf(text, 'lei_threads{role="query"}')).toBe(1);
    if (isInstalled('promtool')) expect(await promtoolCheck(text)).toBe('');
  });

  test('counts each request once, by operation and status', async () => {
    const count = async () => {
      const text = await (await ask('/metrics')).text();
      const of = (operation: string, status: number) =>
        sampleOf(text, `lei_http_requests_total{operation="${operation}",status="${status}"}`) ?? 0;
      return {
        found: of('getCompanyByLei', 200),
        invalid: of('getCompanyByLei', 400),
        unauthorized: sampleOf(text, 'lei_unauthorized_total') ?? 0,
        pages: of('page', 200),
        nowhere: of('unknown', 404),
        answered: sampleOf(text, 'lei_query_duration_seconds_count{kind="company"}') ?? 0,
        inFlight: sampleOf(text, 'lei_http_requests_in_flight'),
        callers: sampleOf(text, 'lei_ledger_callers') ?? 0,
      };
    };
    const before = await count();
    await service.fetch(company.path);
    await service.fetch('/api/v1/lei/1');
    await service.fetch(company.path, { headers: { Authorization: 'Bearer lei_live_wrong' } });
    await service.fetch('/docs');
    await service.fetch('/api/v1/lei_live_secret');
    expect(await count()).toEqual({
      found: before.found + 1,
      invalid: before.invalid + 1,
      unauthorized: before.unauthorized + 1,
      pages: before.pages + 1,
      nowhere: before.nowhere + 1,
      answered: before.answered + 1,
      inFlight: 0,
      callers: 1,
    });
  });
});

describe('a service without a publication', () => {
  test('is alive but not ready, and says why', async () => {
    const dataDir = temporaryFolder('empty');
    const service = await startTestService({ dataDir, environment: { LEI_ADMIN: '127.0.0.1:0' } });
    const [live, ready] = await Promise.all(
      ['/livez', '/readyz'].map((path) => fetch(`http://${service.admin}${path}`)),
    );
    expect([live?.status, ready?.status]).toEqual([200, 503]);
    expect(await ready?.text()).toBe('No publication is active.\n');
    await service.stop();
  });
});

describe('an admin socket', () => {
  const refusal = (path: string) => `The admin server can't listen on the address in LEI_ADMIN, ${path}`;
  const askAt = (unix: string, path: string) => fetch(`http://admin${path}`, { unix });

  test('is open to its user and group, replaces the socket of a killed service, and is removed at the end', async () => {
    const path = join(temporaryFolder('admin'), 'admin.sock');
    const left = Bun.spawn(
      [
        process.execPath,
        '-e',
        `Bun.serve({ unix: ${JSON.stringify(path)}, fetch: () => new Response() }); console.log('listens')`,
      ],
      { stdout: 'pipe' },
    );
    for await (const _ of left.stdout) break;
    left.kill('SIGKILL');
    await left.exited;
    expect(existsSync(path)).toBe(true);
    const service = await startTestService({ environment: { LEI_ADMIN: path } });
    expect((await askAt(path, '/readyz')).status).toBe(200);
    expect(statSync(path).mode & 0o777).toBe(0o660);
    await service.stop();
    expect(existsSync(path)).toBe(false);
  });

  test('replaces neither a file nor the socket of another program', async () => {
    const folder = temporaryFolder('admin');
    const file = join(folder, 'file');
    writeFileSync(file, 'precious');
    await expect(startTestService({ environment: { LEI_ADMIN: file } })).rejects.toThrow(
      `${refusal(file)} (ENOTSOCK)`,
    );
    expect(await Bun.file(file).text()).toBe('precious');
    const socket = join(folder, 'socket');
    const other = Bun.serve({ unix: socket, fetch: () => new Response('other') });
    await expect(startTestService({ environment: { LEI_ADMIN: socket } })).rejects.toThrow(
      `${refusal(socket)} (EADDRINUSE: another program does)`,
    );
    expect(await (await askAt(socket, '/')).text()).toBe('other');
    await other.stop(true);
  });
});

describe('a probe', () => {
  test('of life names each thread that has been silent for more than five seconds', () => {
    const now = 1_000_000;
    const beats = [
      { thread: 'main', at: now - 200 },
      { thread: 'front-1', at: now - 5_000 },
      { thread: 'front-2', at: now - 7_250 },
    ];
    expect(livePage(beats, now)).toMatchObject({ status: 503, body: 'front-2: no answer for 7.3 s\n' });
    expect(livePage(beats.slice(0, 2), now)).toMatchObject({ status: 200, body: 'ok\n' });
  });

  test('of readiness lists the reasons, one per line', () => {
    expect(probePage(['One.', 'Another.'])).toMatchObject({ status: 503, body: 'One.\nAnother.\n' });
  });
});
