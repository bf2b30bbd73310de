import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folders.ts';
import { createAccount } from '../support/lei-here.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { main } from './scenarios.ts';

const folder = temporaryFolder('scenarios');
const paths = join(folder, 'paths.txt');
const company = '/api/v1/lei/7LTWFZYICNSX8D621K86';
const asked = [company, `${company}/relationships`, '/api/v1/search?q=bank', '/api/v1/bic/deutdeff'];
const selfSigned = join(import.meta.dir, '../fixtures/self-signed.pem');
const unlimited = ['--burst-lookup', '1000000', '--burst-search', '1000000'];

let service: TestService;
/** With limits that are never reached. */
let key = '';
beforeAll(async () => {
  writeFileSync(paths, `${asked.join('\r\n')}\r\n`);
  service = await startTestService({ environment: { LEI_LIMITS: 'enforce' } });
  key = (await createAccount(service.dataDir, 'load@example.com', '--daily', '1000000', ...unlimited)).secret;
});
afterAll(() => service.stop());

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The result, from its last line. */
  readonly result: Record<string, unknown>;
}

/** Runs the scenarios in this process. */
async function scenarios(args: readonly string[]): Promise<Ended> {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const code = await main(args, { out: (line) => stdout.push(line), err: (line) => stderr.push(line) });
  return ended(code, stdout.join('\n'), stderr.join('\n'));
}

/** Runs them in a process of their own, which has these variables too. */
async function scenariosApart(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const program = join(import.meta.dir, 'scenarios.ts');
  const child = Bun.spawn([process.execPath, program, ...args], {
    env: { ...process.env, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return ended(await child.exited, stdout, stderr);
}

function ended(code: number, stdout: string, stderr: string): Ended {
  const json = /\{.*\}$/.exec(stdout.trim())?.[0] ?? '{}';
  return { code, stdout, stderr, result: JSON.parse(json) };
}

/** A hundred requests in one second. */
const steadily = (url: string) => [
  ...['--url', url, '--paths', paths, '--key', key],
  ...['--rate', '100', '--seconds', '1', '--scenario', 'steady'],
];
const steady = (url: string) => scenarios(steadily(url));

type Spoil = (response: Response, body: string) => Response | Promise<Response>;

/** A proxy of the service that corrupts one answer in a hundred. */
async function beside<T>(spoil: Spoil, use: (url: string) => Promise<T>): Promise<T> {
  let count = 0;
  const proxy = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const authorization = request.headers.get('Authorization') ?? '';
      const response = await service.fetch(pathname + search, { headers: { authorization } });
      const body = await response.text();
      const headers = { ETag: response.headers.get('ETag') ?? '' };
      const whole = new Response(body, { status: response.status, headers });
      return ++count % 100 === 0 ? spoil(whole, body) : whole;
    },
  });
  try {
    return await use(`http://127.0.0.1:${proxy.port}`);
  } finally {
    await proxy.stop(true);
  }
}

test('right answers give exit status 0, with a host name and with a base path too', async () => {
  const { code, result } = await steady(service.baseUrl.replace('127.0.0.1', 'localhost'));
  expect({ code, result }).toMatchObject({
    code: 0,
    result: { statuses: { 200: 100 }, wrong: 0, failed: 0, lost: {} },
  });
  const prefix = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    routes: { '/lei/*': ({ url }) => fetch(service.baseUrl + url.slice(url.indexOf('/lei/') + 4), auth()) },
  });
  const below = await steady(`http://127.0.0.1:${prefix.port}/lei/`);
  await prefix.stop(true);
  expect(below).toMatchObject({ code: 0, result: { statuses: { 200: 100 }, wrong: 0 } });
});

function auth() {
  return { headers: { Authorization: `Bearer ${key}` } };
}

const spoiled: Readonly<Record<string, Spoil>> = {
  'that lacks its end': ({ headers }, body) => new Response(body.slice(0, -1), { headers }),
  'with one letter changed': ({ headers }, body) =>
    new Response(body.replace('LEI data', 'LEi data'), { headers }),
  'of another company': async () => {
    const other = await service.fetch('/api/v1/lei/213800LH1BZH3DI6G760', auth());
    return new Response(await other.text(), { headers: { ETag: '"another"' } });
  },
  'that is empty': () => new Response(''),
  'that is a page of HTML': () => new Response('<p>Please log in</p>'),
};
for (const [kind, spoil] of Object.entries(spoiled)) {
  test(`one answer in a hundred ${kind} is found`, async () => {
    const { code, result } = await beside(spoil, steady);
    expect({ code, result }).toMatchObject({
      code: 1,
      result: { statuses: { 200: 100 }, wrong: 1, failed: 0 },
    });
  });
}

test('errors and refusals count as failures, by status', async () => {
  const unavailable = () => new Response('{}', { status: 503 });
  expect(await beside(unavailable, steady)).toMatchObject({
    code: 1,
    result: { statuses: { 200: 99, 503: 1 }, wrong: 0, failed: 1 },
  });
});

test('a missing service is reported as missing, without latencies', async () => {
  const { code, result } = await steady('http://127.0.0.1:1');
  expect({ code, result }).toMatchObject({
    code: 1,
    result: { perSecond: 0, p50Ms: null, p99Ms: null, failed: 100, lost: { 'Failed to connect': 100 } },
  });
});

test('over TLS, the certificate is checked', async () => {
  const secure = Bun.serve({
    port: 0,
    tls: { key: Bun.file(selfSigned), cert: Bun.file(selfSigned) },
    fetch: ({ url }) => fetch(service.baseUrl + url.slice(url.indexOf('/api/')), auth()),
  });
  const url = `https://localhost:${secure.port}`;
  const refused = await steady(url);
  const trusted = await scenariosApart(steadily(url), { NODE_EXTRA_CA_CERTS: selfSigned });
  await secure.stop(true);
  expect(refused).toMatchObject({
    code: 1,
    result: { failed: 100, lost: { 'self signed certificate': 100 } },
  });
  expect(trusted).toMatchObject({ code: 0, result: { statuses: { 200: 100 }, wrong: 0, failed: 0 } });
});

test('the daily quota is found to be exact, and is told apart from a burst limit that comes first', async () => {
  const daily = ['--daily', '120'];
  const own = await createAccount(service.dataDir, 'edge@example.com', ...daily, ...unlimited);
  const quota = (secret: string) =>
    scenarios(['--url', service.baseUrl, '--paths', paths, '--scenario', 'quota', '--key', secret]);
  expect(await quota(own.secret)).toMatchObject({
    code: 0,
    result: { left: 119, succeeded: 119, refused: 50, wrong: 0, failed: 0 },
  });
  const used = await quota(own.secret);
  expect(used).toMatchObject({
    code: 0,
    result: { left: 0, succeeded: 0, refused: 50, wrong: 0, failed: 0 },
  });
  const bursts = ['--burst-lookup', '10', '--burst-search', '10'];
  const slow = await createAccount(service.dataDir, 'slow@example.com', ...daily, ...bursts);
  const first = await quota(slow.secret);
  expect(first.code).toBe(1);
  expect(Number(first.result['wrong'])).toBeGreaterThan(0);
  expect(Number(first.result['failed'])).toBeGreaterThan(0);
  const unknown = await quota('lei_live_unknown');
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toStartWith('quota: the first answer was 401');
});

test('a service that admits one request too many is detected', async () => {
  let left = 60;
  const generous = Bun.serve({
    port: 0,
    fetch: () => {
      left--;
      const headers = { RateLimit: `"daily";r=${Math.max(0, left)};t=60`, 'Retry-After': '60' };
      if (left >= -1) return Response.json({ data: asked.map((path) => path.toUpperCase()) }, { headers });
      const problem = { type: 'http://localhost/problems/rate-limited', violatedPolicies: ['daily'] };
      return Response.json(problem, { status: 429, headers });
    },
  });
  const only = join(folder, 'status.txt');
  writeFileSync(only, '/api/v1/status\n');
  const url = `http://127.0.0.1:${generous.port}`;
  const ended = await scenarios(['--url', url, '--paths', only, '--scenario', 'quota']);
  await generous.stop(true);
  expect(ended).toMatchObject({
    code: 1,
    result: { left: 59, succeeded: 60, refused: 49, wrong: 0, failed: 1 },
  });
});

test('a command that runs beside the load must succeed before the load ends', async () => {
  const during = (command: string, seconds: string) =>
    scenarios([
      ...['--url', service.baseUrl, '--key', key, '--paths', paths, '--rate', '50'],
      ...['--scenario', 'swap', '--seconds', seconds, '--during', command],
    ]);
  expect(await during('true', '4')).toMatchObject({ code: 0, result: { statuses: { 200: 200 }, failed: 0 } });
  const late = await during('sleep 2', '1');
  expect(late.code).toBe(1);
  expect(late.stderr).toContain('the 1 s of load were over before: take more seconds');
  const failing = await during('echo no such publication >&2; exit 3', '1');
  expect(failing.code).toBe(1);
  expect(failing.stderr).toContain('ended with 3:\nno such publication');
});

const none = join(folder, 'none.txt');
writeFileSync(none, '\n');
const odd = join(folder, 'odd.txt');
writeFileSync(odd, '/api/v1/status\nhttps://lei.example/api/v1/status\n');
const wrongCalls: readonly (readonly [args: readonly string[], message: string])[] = [
  [[], '--url must be the base URL'],
  [['--url', 'lei.example'], '--url must be the base URL'],
  [['--url', 'ftp://lei.example'], '--url must be the base URL'],
  [['--url', 'http://x?q=1'], '--url must be the base URL'],
  [['--url', 'http://x', '--rate', 'fast'], '--rate must be a whole number above 0, not "fast"'],
  [['--url', 'http://x', '--rate', '0'], '--rate must be a whole number above 0, not "0"'],
  [['--url', 'http://x', '--seconds', '0.5'], '--seconds must be a whole number above 0, not "0.5"'],
  [['--url', 'http://x', '--entities', 'x'], '--entities must be a whole number above 0, not "x"'],
  [['--url', 'http://x', '--scenario', 'steady,swop'], 'knows steady, ramp, spike, swap, quota, not swop'],
  [['--url', 'http://x', '--scenario', 'swap'], 'swap needs --during'],
  [['--url', 'http://x', '--paths', none], `${none} has no paths`],
  [['--url', 'http://x', '--paths', odd], `${odd}, line 2: a path begins with /`],
  [['--url', 'http://x', '--speed', '3'], '--speed'],
];
test('called wrongly, the program exits 2 and explains itself', async () => {
  const { code, stdout, stderr } = await scenariosApart(['--rate', 'fast'], {});
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('Usage: bun test/bench/scenarios.ts');
});
for (const [args, message] of wrongCalls) {
  test(`called with ${args.map((arg) => arg.replace(folder, '')).join(' ') || 'nothing'} it sends no request and exits 2`, async () => {
    const { code, stdout, stderr } = await scenarios(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toContain('Usage: bun test/bench/scenarios.ts');
  });
}
