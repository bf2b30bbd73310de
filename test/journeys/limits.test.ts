/** Tests `lei limits` over a running service with several fronts. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { counted } from '../support/counted.ts';
import { createAccount, leiJson, runLei } from '../support/lei-here.ts';
import { startTestService, type TestService } from '../support/service.ts';

const lookUp = '/api/v1/mic/XFRA';
const connections = 16;
let dataDir: string;
let service: TestService;

beforeAll(async () => {
  const environment = {
    LEI_FRONTS: '2',
    LEI_LIMITS: 'enforce',
    LEI_ANONYMOUS_DAILY: '10',
    LEI_TRUSTED_PROXIES: '127.0.0.1',
  };
  service = await startTestService({ environment });
  ({ dataDir } = service);
});
afterAll(() => service.stop());

async function limits(...args: readonly string[]): Promise<unknown> {
  const { code, json, stderr } = await leiJson(dataDir, 'limits', ...args);
  expect([code, stderr]).toEqual([0, '']);
  return json;
}

/** The outcomes of so many requests at once, of one client of its own. */
function outcomes(times: number, client: string, path = lookUp) {
  return counted(times, connections, async () => {
    const response = await service.fetch(path, { headers: { 'X-Forwarded-For': client } });
    await response.arrayBuffer();
    return response.status;
  });
}

/** Every distinct result of many requests at once, which reach every front. */
async function allOf(read: () => Promise<string>): Promise<readonly string[]> {
  return [...new Set(await Promise.all(Array.from({ length: connections }, read)))];
}

test('lei limits shows the limits of the running service, not those of its own environment', async () => {
  expect(await limits()).toMatchObject({
    anonymousDaily: { configured: 10, changed: null },
    burstLookup: { configured: 300, changed: null },
  });
});

test('a changed limit applies on every front at once, to the unit, and --reset takes it back', async () => {
  expect(await limits('--anonymous-daily', '25')).toMatchObject({
    anonymousDaily: { configured: 10, changed: 25 },
  });
  expect(await outcomes(60, '203.0.113.1')).toEqual({ 200: 25, 429: 35 });
  // A caller whose day was used up goes on with what a higher limit leaves.
  await limits('--anonymous-daily', '31', '--burst-lookup', '5');
  expect(await outcomes(20, '203.0.113.4')).toEqual({ 200: 5, 429: 15 });
  await limits('--burst-lookup', 'default');
  expect(await outcomes(20, '203.0.113.1')).toEqual({ 200: 6, 429: 14 });
  const status = await runLei(dataDir, 'status');
  expect(status.stdout).toContain('changed by lei limits: anonymous-daily 31 instead of 10\n');
  expect(await limits('--reset')).toMatchObject({ anonymousDaily: { configured: 10, changed: null } });
  expect(await outcomes(20, '203.0.113.2')).toEqual({ 200: 10, 429: 10 });
});

test('accounts have the changed limits, except where they have their own', async () => {
  const plain = await createAccount(dataDir, 'plain@example.com');
  const own = await createAccount(dataDir, 'own@example.com', '--daily', '7');
  const policies = ({ secret }: { secret: string }) =>
    allOf(async () => {
      const response = await service.fetch(lookUp, { headers: { Authorization: `Bearer ${secret}` } });
      return response.headers.get('ratelimit-policy') ?? '';
    });
  expect(await policies(plain)).toEqual(['"daily";q=1000;w=86400, "lookup";q=300;w=60']);
  await limits('--account-daily', '500', '--burst-lookup', '200');
  expect(await policies(plain)).toEqual(['"daily";q=500;w=86400, "lookup";q=200;w=60']);
  expect(await policies(own)).toEqual(['"daily";q=7;w=86400, "lookup";q=200;w=60']);
  await limits('--reset');
});

test('the pages count by the changed limits, and every text shows them', async () => {
  const described = () =>
    allOf(async () => {
      const { info } = Object(await (await service.fetch('/openapi.json')).json());
      return /Without a key, (\d+) requests/.exec(info.description)?.[1] ?? '';
    });
  expect(await described()).toEqual(['10']);
  await limits('--anonymous-daily', '12', '--account-daily', '34', '--pages-daily', '3');
  expect(await described()).toEqual(['12']);
  expect(await (await service.fetch('/problems/rate-limited')).text()).toContain('34 requests a day');
  expect(await (await service.fetch('/signup')).text()).toContain('12 requests a day');
  const { limits: told } = Object(await (await service.fetch('/reconcile')).json());
  expect(told.unitsPerDay).toEqual({ withoutKey: 12, account: 34 });
  expect(await outcomes(9, '203.0.113.3', '/?q=bank')).toEqual({ 200: 3, 429: 6 });
  await limits('--reset');
});

test('lei limits refuses what is no limit', async () => {
  for (const args of [
    ['--pages-burst', 'many'],
    ['--burst-search', '-1'],
    ['--daily', '5'],
  ]) {
    expect((await runLei(dataDir, 'limits', ...args)).code).toBe(2);
  }
  expect(await limits()).toMatchObject({ pagesBurst: { configured: 240, changed: null } });
});
