/** Tests the limits of page visits. */
import { afterEach, describe, expect, test } from 'bun:test';
import { startTestService, type TestService } from '../support/service.ts';

const running: TestService[] = [];
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
});

async function start(environment: Readonly<Record<string, string>>): Promise<TestService> {
  const service = await startTestService({ environment: { LEI_LIMITS: 'enforce', ...environment } });
  running.push(service);
  return service;
}

const statusesOf = async (service: TestService, paths: readonly string[], headers = {}) => {
  const statuses: number[] = [];
  for (const path of paths)
    statuses.push((await service.fetch(path, { redirect: 'manual', headers })).status);
  return statuses;
};
const searches = (count: number) => Array.from({ length: count }, (_, i) => `/?q=bank${i}`);

const company = '/company/7LTWFZYICNSX8D621K86';

describe('LEI_PAGES_DAILY', () => {
  test('bounds what a client reads on pages in a day: whole records weigh more than lists', async () => {
    const service = await start({ LEI_PAGES_DAILY: '14' });
    // 5 for the record, 5 for 100 children, 2 for the history, 2 for the picture.
    const paths = [company, `${company}/children`, `${company}/history`, `${company}/ownership`];
    expect(await statusesOf(service, paths)).toEqual([200, 200, 200, 200]);
    expect(await statusesOf(service, ['/?q=bank', '/suggest?q=bank'])).toEqual([429, 429]);
    const refused = await service.fetch('/?q=bank');
    expect(await refused.text()).toContain('Please come back after midnight UTC.');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // Signing in shows no data of others, so it stays possible.
    const signIn = { method: 'POST', body: new URLSearchParams({ action: 'sign-in', key: 'x' }) };
    expect((await service.fetch('/account', signIn)).status).toBe(401);
    expect(await statusesOf(service, ['/', '/api/v1/search?q=bank'])).toEqual([200, 200]);
  });

  test('below the weight of a page still allows one', async () => {
    const service = await start({ LEI_PAGES_DAILY: '3', LEI_PAGES_BURST: '4' });
    expect(await statusesOf(service, [company, company])).toEqual([200, 429]);
  });
});

describe('LEI_PAGES_BURST', () => {
  test('bounds a client’s pages with data and suggestions together', async () => {
    const service = await start({ LEI_PAGES_BURST: '3' });
    const paths = ['/?q=bank', '/suggest?q=bank', '/?q=allianz', '/?q=siemens', '/suggest?q=siemens'];
    expect(await statusesOf(service, paths)).toEqual([200, 200, 200, 429, 429]);
  });

  test('once reached gives a page that says when to come back and is never cached', async () => {
    const service = await start({ LEI_PAGES_BURST: '0' });
    const response = await service.fetch('/?q=bank');
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const page = await response.text();
    expect(page).toContain('Too many pages at once');
    expect(page).toMatch(/Please try again in \d+ seconds\./);
  });

  test('and the API’s quotas do not affect each other', async () => {
    const service = await start({ LEI_PAGES_BURST: '2', LEI_BURST_SEARCH: '3' });
    expect(await statusesOf(service, searches(3))).toEqual([200, 200, 429]);
    const api = await service.fetch('/api/v1/search?q=bank');
    expect([api.status, api.headers.get('x-ratelimit-remaining')]).toEqual([200, '2']);
    const statuses = await statusesOf(service, Array(3).fill('/api/v1/search?q=bank'));
    expect(statuses).toEqual([200, 200, 429]);
    expect(await statusesOf(service, ['/'])).toEqual([200]);
  });

  test('counts each client separately, behind a proxy too', async () => {
    const service = await start({ LEI_PAGES_BURST: '1', LEI_TRUSTED_PROXIES: '127.0.0.1' });
    for (const client of ['203.0.113.1', '203.0.113.2']) {
      const statuses = await statusesOf(service, searches(2), { 'X-Forwarded-For': client });
      expect([client, statuses]).toEqual([client, [200, 429]]);
    }
  });

  test('does not affect pages without data, even when it is used up', async () => {
    const service = await start({ LEI_PAGES_BURST: '0' });
    const paths = [
      '/',
      '/docs',
      '/signup',
      '/problems',
      '/problems/rate-limited',
      '/robots.txt',
      '/?q=',
      '/?q=a',
    ];
    expect(await statusesOf(service, paths)).toEqual([200, 200, 200, 200, 200, 200, 200, 400]);
    expect(await statusesOf(service, ['/?q=7LTWFZYICNSX8D621K86'])).toEqual([303]);
  });

  test('is exact across several fronts', async () => {
    const service = await start({ LEI_PAGES_BURST: '10', LEI_FRONTS: '2' });
    const paths = searches(40);
    const statuses = await Promise.all(
      paths.map(async (path) => (await service.fetch(path, { headers: { Connection: 'close' } })).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
  });

  test.each(['shadow', 'off'])('refuses nobody with LEI_LIMITS=%s', async (mode) => {
    const service = await start({ LEI_PAGES_BURST: '1', LEI_LIMITS: mode });
    expect(await statusesOf(service, searches(3))).toEqual([200, 200, 200]);
  });
});
