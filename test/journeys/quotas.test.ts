import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { parseList } from 'structured-headers';
import { newSecret } from '../../src/accounts/state/key.ts';
import { counted, withinMinute } from '../support/counted.ts';
import { createAccount, leiJson } from '../support/lei-here.ts';
import { startTestService, type TestService } from '../support/service.ts';

const connections = 64;
/** DEUTSCHE BANK AKTIENGESELLSCHAFT. */
const lookUp = '/api/v1/lei/7LTWFZYICNSX8D621K86';
/** Well-formed, but nobody's. */
const unknown = '/api/v1/lei/00000000000000000098';
const search = '/api/v1/search?q=bank';

const withKey = (secret: string) => ({ headers: { Authorization: `Bearer ${secret}` } });

/** Sends so many requests over 64 connections at once; counts the statuses. */
const hammer = (service: TestService, path: string, times: number, init: RequestInit) =>
  counted(times, connections, async () => {
    const response = await service.fetch(path, init);
    await response.arrayBuffer();
    return response.status;
  });

for (const workers of [1, 2]) {
  describe(`quotas under 64 connections, with ${workers} query threads`, () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startTestService({
        environment: { LEI_LIMITS: 'enforce', LEI_WORKERS: String(workers) },
      });
    });
    afterAll(() => service.stop());

    test('allow one key exactly its minute', async () => {
      const statuses = await withinMinute(async (attempt) => {
        const email = `burst-${attempt}@example.com`;
        const { secret } = await createAccount(service.dataDir, email, '--burst-search', '137');
        return hammer(service, search, 400, withKey(secret));
      });
      expect(statuses).toEqual({ 200: 137, 429: 263 });
    });

    test('allow one key exactly its day', async () => {
      const own = ['--daily', '434', '--burst-lookup', '100000'];
      const { secret } = await createAccount(service.dataDir, 'daily@example.com', ...own);
      const statuses = await hammer(service, lookUp, 1_000, withKey(secret));
      expect(statuses).toEqual({ 200: 434, 429: 1_000 - 434 });
    });

    test('allow an address without a key exactly its day', async () => {
      expect(await hammer(service, lookUp, 200, {})).toEqual({ 200: 100, 429: 100 });
    });
  });
}

describe('a running service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      environment: { LEI_LIMITS: 'enforce', LEI_TRUSTED_PROXIES: '127.0.0.1,::1' },
    });
  });
  afterAll(() => service.stop());

  /** Each test is another client, by the header that the trusted proxy (this test) sets. */
  const from = (client: string, more: Readonly<Record<string, string>> = {}) => ({
    headers: { 'X-Forwarded-For': client, ...more },
  });

  test('applies changes from the command line at once', async () => {
    const made = await createAccount(service.dataDir, 'live@example.com');
    const status = async (secret: string) => (await service.fetch(lookUp, withKey(secret))).status;
    expect(await status(made.secret)).toBe(200);
    const second = await leiJson(service.dataDir, 'keys', 'create', made.account.id);
    const secret = isIssued(second.json) ? second.json.secret : '';
    expect(await status(secret)).toBe(200);
    await leiJson(service.dataDir, 'keys', 'revoke', made.key.id);
    expect(await status(made.secret)).toBe(401);
    expect(await status(secret)).toBe(200);
    await leiJson(service.dataDir, 'accounts', 'limits', 'live@example.com', '--burst-lookup', '2');
    expect(await status(secret)).toBe(429);
    await leiJson(service.dataDir, 'accounts', 'limits', 'live@example.com', '--burst-lookup', 'default');
    expect(await status(secret)).toBe(200);
    await leiJson(service.dataDir, 'accounts', 'suspend', 'live@example.com');
    expect(await status(secret)).toBe(401);
    await leiJson(service.dataDir, 'accounts', 'resume', made.account.id);
    expect(await status(secret)).toBe(200);
    await leiJson(service.dataDir, 'accounts', 'delete', made.account.id);
    expect(await status(secret)).toBe(401);
  });

  test('sends the rate-limit headers with every status, GET and HEAD alike, and charges one each', async () => {
    const tag = (await service.fetch('/api/v1/search?q=bank', from('203.0.113.1'))).headers.get('etag') ?? '';
    const asked = [
      { path: '/api/v1/search?q=bank', headers: {}, status: 200 },
      { path: '/api/v1/search?q=bank', headers: { 'If-None-Match': tag }, status: 304 },
      { path: '/api/v1/search?q=b', headers: {}, status: 400 },
      { path: `${unknown}/relationships`, headers: {}, status: 404 },
    ];
    let left = 59;
    for (const method of ['GET', 'HEAD']) {
      for (const { path, headers, status } of asked) {
        const init = from('203.0.113.1', headers);
        const response = await service.fetch(path, { ...init, method });
        expect(response.status).toBe(status);
        left--;
        const state = new Map(parseList(response.headers.get('ratelimit') ?? ''));
        expect(state.get('search')?.get('r')).toBe(left);
        expect(state.get('daily')?.get('r')).toBe(left + 40);
        expect(parseList(response.headers.get('ratelimit-policy') ?? '').map(([name]) => name)).toEqual([
          'daily',
          'search',
        ]);
        expect(response.headers.get('x-ratelimit-remaining')).toBe(String(left));
        expect(response.headers.get('x-ratelimit-limit')).toBe('60');
        expect(Number(response.headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1_000 - 1);
      }
    }
  });

  test('answers 429 with when to come back, and 401 with how to authenticate, both with the headers', async () => {
    const burst = Array.from({ length: 61 }, () => service.fetch(search, from('203.0.113.2')));
    const refused = (await Promise.all(burst)).find(({ status }) => status === 429);
    expect(refused?.headers.get('content-type')).toBe('application/problem+json');
    const retryAfter = Number(refused?.headers.get('retry-after'));
    const state = new Map(parseList(refused?.headers.get('ratelimit') ?? ''));
    expect(state.get('search')?.get('r')).toBe(0);
    expect(retryAfter).toBeGreaterThanOrEqual(Number(state.get('search')?.get('t')));
    expect(await refused?.json()).toMatchObject({ status: 429, violatedPolicies: ['search'] });
    const init = from('203.0.113.3', { Authorization: `Bearer ${newSecret()}` });
    const unauthorized = await service.fetch(search, init);
    expect(unauthorized.status).toBe(401);
    expect(unauthorized.headers.get('www-authenticate')).toBe('Bearer realm="lei", error="invalid_token"');
    expect(unauthorized.headers.get('ratelimit')).toStartWith('"daily";r=100;');
  });

  test('refuses key guessers with 429 after a minute’s worth, without affecting their neighbours', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const init = from('203.0.113.4', { Authorization: `Bearer ${newSecret()}` });
        return (await service.fetch(search, init)).status;
      }),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40);
    expect((await service.fetch(search, from('203.0.113.5'))).status).toBe(200);
  });

  test('refuses huge headers and survives them', async () => {
    for (const size of [1_000, 8_000, 64_000, 512_000]) {
      const init = from('203.0.113.6', { Authorization: `Bearer ${'a'.repeat(size)}` });
      const status = await service.fetch(lookUp, init).then(
        (response) => response.status,
        () => 'closed' as const,
      );
      expect([401, 431, 'closed']).toContain(status);
    }
    const init = from(`${'203.0.113.9, '.repeat(500)}203.0.113.6`);
    expect((await service.fetch(lookUp, init)).status).toBe(200);
  });

  test('is not deceived by a forged address to the left of the one its proxy saw', async () => {
    for (let i = 0; i < 100; i++) await service.fetch(lookUp, from(`198.51.100.${i}, 203.0.113.7`));
    expect((await service.fetch(lookUp, from('192.0.2.200, 203.0.113.7'))).status).toBe(429);
    expect((await service.fetch(lookUp, from('203.0.113.8'))).status).toBe(200);
  });

  test('ignores a key in the URL, and never logs one', async () => {
    const { secret } = await createAccount(service.dataDir, 'url@example.com');
    const random = secret.slice('lei_live_'.length);
    const inQuery = await service.fetch(`${search}&key=${secret}`, from('203.0.113.10'));
    expect(inQuery.status).toBe(400);
    await service.fetch(`/api/v1/lei/${secret}`, from('203.0.113.10'));
    await service.fetch(`/${secret}`, from('203.0.113.10'));
    await service.fetch(search, from('203.0.113.10', { Authorization: `Bearer ${secret}x` }));
    await service.fetch(search, from(secret, { 'X-Request-Id': secret }));
    await service.fetch(search, withKey(secret));
    const log = await service.logText();
    expect(log).toContain('/api/v1/search');
    expect(log).not.toContain(random);
    expect(log).not.toContain('203.0.113');
  });

  test('keeps its counts across a restart', async () => {
    const dataDir = service.dataDir;
    expect(await hammer(service, lookUp, 60, from('203.0.113.11'))).toEqual({ 200: 60 });
    await service.stop();
    service = await startTestService({
      dataDir,
      environment: { LEI_LIMITS: 'enforce', LEI_TRUSTED_PROXIES: '127.0.0.1,::1' },
    });
    expect(await hammer(service, lookUp, 60, from('203.0.113.11'))).toEqual({ 200: 40, 429: 20 });
  });
});

function isIssued(value: unknown): value is { readonly secret: string } {
  return typeof value === 'object' && value !== null && 'secret' in value && typeof value.secret === 'string';
}
