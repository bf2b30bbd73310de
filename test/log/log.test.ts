import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { join } from 'node:path';
import { createLog, requestLine } from '../../src/log/log.ts';
import { temporaryFolder } from '../support/folders.ts';
import { startTestService, type TestService } from '../support/service.ts';

const record = {
  time: Date.UTC(2026, 10, 21, 12),
  method: 'GET',
  operation: 'getCompanyByLei',
  route: '/api/v1/lei/{lei}',
  about: '7LTWFZYICNSX8D621K86',
  status: 200,
  durationMs: 0.12345,
  requestId: 'abc-1',
  bytes: 2_381,
  caller: 'ip_x',
  datasetVersion: '20240505T000000Z-3f9a1c2b',
  violatedPolicies: [],
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
};

describe('a request’s line', () => {
  test('is one JSON object with everything about the request', () => {
    const { violatedPolicies: _, about: identifier, ...told } = record;
    const line = requestLine(record);
    expect(line.endsWith('}\n')).toBe(true);
    expect(JSON.parse(line)).toEqual({
      level: 'info',
      message: 'request',
      ...told,
      identifier,
      time: '2026-11-21T12:00:00.000Z',
      durationMs: 0.123,
    });
  });

  test('has the time of its own request, and the duration to the microsecond', () => {
    for (const [durationMs, shown] of [
      [0.0049, 0.005],
      [0.05, 0.05],
      [12.0004, 12],
      [0.9996, 1],
      [1_234.5678, 1_234.568],
    ] as const) {
      const time = record.time + shown;
      const line = JSON.parse(requestLine({ ...record, time, durationMs }));
      expect(line).toMatchObject({ time: new Date(time).toISOString(), durationMs: shown });
    }
  });

  test('has nulls where there is no caller, no publication and no trace', () => {
    const nothing = { caller: null, datasetVersion: null, traceId: null };
    expect(JSON.parse(requestLine({ ...record, ...nothing }))).toMatchObject(nothing);
  });

  test('omits a request id that is a key', () => {
    const line = requestLine({ ...record, requestId: 'lei_live_abcdefgh' });
    expect(line).not.toContain('lei_live_');
  });
});

describe('the log', () => {
  test('writes messages and requests in order, and an error with its stack trace', async () => {
    const path = join(temporaryFolder('log'), 'test.log');
    const log = createLog('info', { path });
    log.info('first', { answer: 42 });
    log.request(record);
    log.error('last', { error: new TypeError('broken') });
    log.debug('not at this level');
    await log.flush();
    const lines = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { level: 'info', message: 'first', answer: 42 },
      { level: 'info', message: 'request' },
      {
        level: 'error',
        message: 'last',
        error: { type: 'TypeError', message: 'broken', stack: expect.any(String) },
      },
    ]);
    expect(lines).toHaveLength(3);
  });

  test('escapes characters that could forge terminal output, and writes one line per message', async () => {
    const path = join(temporaryFolder('log'), 'test.log');
    const log = createLog('info', { path });
    const file = 'a\u202e\u009b2J\u{e0041}\n{"level":"info"}.csv';
    log.warn(`About ${file}`, { file });
    await log.end();
    const text = readFileSync(path, 'utf8');
    expect(text).toMatch(/^[\x20-\x7e]+\n$/);
    expect(JSON.parse(text)).toMatchObject({ message: `About ${file}`, file });
  });

  test('writes the latest request line without waiting for another, and the rest when it ends', async () => {
    const path = join(temporaryFolder('log'), 'test.log');
    const log = createLog('info', { path });
    log.request(record);
    for await (const _ of watch(path)) break;
    expect(readFileSync(path, 'utf8')).toBe(requestLine(record));
    log.request(record);
    await log.end();
    expect(readFileSync(path, 'utf8')).toBe(requestLine(record).repeat(2));
  });

  test('loses only lines if the disk is full', async () => {
    const log = createLog('info', { path: '/dev/full' });
    for (let count = 0; count < 3; count++) {
      log.info('nobody will read this');
      const error = await log.flush().catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'ENOSPC' });
    }
  });

  test('lets its process end although the disk is full', async () => {
    const program = `
      import { createLog } from ${JSON.stringify(join(import.meta.dir, '../../src/log/log.ts'))};
      const log = createLog('info', { fd: 2 });
      log.info('nobody will read this');
      await log.end();`;
    const logging = Bun.spawn([process.execPath, '-e', program], { stderr: Bun.file('/dev/full') });
    expect(await logging.exited).toBe(0);
  });

  test('reports how many lines a slow reader has lost', async () => {
    const path = join(temporaryFolder('log'), 'pipe');
    expect(Bun.spawnSync(['mkfifo', path]).exitCode).toBe(0);
    // A reader that stops reading.
    const opened = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const log = createLog('info', { path });
    const long = 'x'.repeat(10_000);
    for (let count = 0; count < 500; count++) log.info(long);
    for (let count = 0; count < 20_000; count++) log.request(record);
    log.info('the last');
    const reader = Bun.spawn(['cat', path], { stdout: 'pipe' });
    let text = '';
    for await (const piece of reader.stdout) {
      text += Buffer.from(piece).toString();
      if (text.endsWith('}\n') && text.includes('Log lines were lost')) break;
    }
    reader.kill();
    closeSync(opened);
    const lines = text.trimEnd().split('\n');
    const { lines: lost } = JSON.parse(lines.at(-1) ?? '');
    expect(lost).toBeGreaterThan(100);
    expect(lines.length - 1 + lost).toBe(20_501);
  });

  test('writes requests at the levels info and debug only', () => {
    const target = { path: join(temporaryFolder('log'), 'quiet.log') };
    expect(createLog('debug', target).requests).toBe(true);
    expect(createLog('warn', target).requests).toBe(false);
  });
});

describe('what a service logs', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      environment: { LEI_TRUSTED_PROXIES: '127.0.0.0/8', LEI_LOG_REQUESTS: 'all' },
    });
  });
  afterAll(() => service.stop());

  test('contains no key, no full address and no forged line, however they were sent', async () => {
    const key = `lei_live_${'Q'.repeat(40)}`;
    const address = '203.0.113.77';
    const sent: readonly (readonly [string, Record<string, string>])[] = [
      ['/api/v1/status', { Authorization: `Bearer ${key}` }],
      ['/api/v1/lei/213800E5Z6QRDSMZMK84', { Authorization: `Bearer ${key}`, 'X-Forwarded-For': address }],
      ['/api/v1/lei/213800E5Z6QRDSMZMK84', { 'X-Forwarded-For': address }],
      [`/api/v1/lei/${key}`, {}],
      [`/gleif/api/v1/lei-records/${key}`, {}],
      ['/gleif/api/v1/countries/x%22%7D%0A%7B%22forged%22%3A%22', {}],
      ['/gleif/api/v1/lei-records/213800E5Z6QRDSMZMK84', {}],
      [`/api/v1/search?q=bank&key=${key}`, {}],
      [`/api/v1/${key}`, {}],
      [`/${key}`, {}],
      ['/api/v1/status', { 'X-Request-Id': key }],
    ];
    for (const [path, headers] of sent) await service.fetch(path, { headers });
    const text = await service.logText();
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ message }) => message === 'request')).toHaveLength(sent.length);
    expect(lines.map(({ identifier }) => identifier)).toContain('213800E5Z6QRDSMZMK84');
    expect(text).not.toContain('forged');
    expect(text).not.toContain('QQQQ');
    expect(text).not.toContain(address);
    expect(text).not.toContain('127.0.0.1');
  });
});
