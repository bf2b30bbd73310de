/** Tests pages that ask query threads, with parts around them that the test controls. */
import { afterAll, expect, test } from 'bun:test';
import { Html } from '../../src/html/html.ts';
import { textOfPage } from '../../src/html/made-page.ts';
import type { Answer } from '../../src/protocol/questions.ts';
import {
  admittedPage,
  firstId,
  found,
  manifest,
  quotaState,
  secondId,
  startInMemory,
} from './app-in-memory.ts';

const service = startInMemory();
afterAll(() => service.stop());

const ask = (path: string, init: BunFetchRequestInit = {}) =>
  fetch(`${service.baseUrl}${path}`, { redirect: 'manual', ...init });
const hits: Answer = found({ query: {}, total: 0, items: [] });

test('everything that needs no data is answered at once while no query thread answers', async () => {
  service.scene.answer = () => new Promise<Answer>(() => {});
  const waiting = new AbortController();
  const search = ask('/?q=a+bank', { signal: waiting.signal }).catch(() => 'given up');
  const loaded = (await (await ask('/')).text()).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g);
  const assets = Array.from(loaded, ([, address = '']) => address);
  expect(assets.length).toBeGreaterThan(3);
  for (const path of ['/', '/?q=a', '/docs', '/problems', '/robots.txt', ...assets]) {
    expect([path, (await ask(path)).ok || path === '/?q=a']).toEqual([path, true]);
  }
  waiting.abort();
  expect(await search).toBe('given up');
});

test('the home page asks no question, and a search no more than it needs', async () => {
  service.scene.answer = () => hits;
  const before = service.questions.length;
  await ask('/');
  await ask('/?q=213800E5Z6QRDSMZMK84');
  expect(service.questions.length).toBe(before);
  await ask('/?q=deutsche+bank');
  await ask('/?q=deutsche+bank&country=de');
  const q = 'deutsche bank';
  const isGerman = { is: 'value', field: 'country', values: ['DE'], isExcluded: false } as const;
  expect(service.questions.slice(before)).toEqual([
    { kind: 'search', q, country: null, status: null, after: null, limit: 20 },
    { kind: 'list', q, conditions: [isGerman], order: [], skip: 0, limit: 20 },
  ]);
});

test('the page of a company asks one question, and shows what the query thread made of it', async () => {
  const lei = '213800E5Z6QRDSMZMK84';
  const content = '<h1>MAXRETS &amp; VENTURES</h1>';
  const made = textOfPage({ title: 'MAXRETS & VENTURES', content: new Html(content) });
  service.scene.answer = () => ({ ...hits, data: Buffer.from(made) });
  const before = service.questions.length;
  const page = await (await ask(`/company/${lei}`)).text();
  expect(page).toContain('<title>MAXRETS &amp; VENTURES</title>');
  expect(page).toContain(content);
  const { baseUrl } = service;
  expect(service.questions.slice(before)).toEqual([{ kind: 'company-page', lei, basePath: '', baseUrl }]);
});

test('a page that gets no data is a 503 page, and its visit is refunded', async () => {
  let refunds = 0;
  const refund = () => {
    refunds++;
    return null;
  };
  service.scene.admitPage = () => ({ ...admittedPage, refund });
  for (const reason of ['queue-full', 'timeout', 'failed'] as const) {
    service.scene.answer = () => ({ outcome: 'unavailable', reason });
    const response = await ask('/?q=a+bank');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toContain('Please try again');
  }
  expect(refunds).toBe(3);
  expect(service.failures).toEqual(['page:1 search']);
});

test('a malformed answer gives a 503 page without a stack trace, and an error in the log', async () => {
  service.scene.answer = () => found('nonsense');
  const before = service.errorLog.length;
  const response = await ask('/?q=a+bank');
  expect(response.status).toBe(503);
  expect(await response.text()).not.toContain('TypeError');
  expect(service.errorLog.slice(before).map(({ message }) => message)).toEqual([
    'A request failed unexpectedly.',
  ]);
});

test('without a publication, the home page says so and a search is a 503 page', async () => {
  service.scene.active = null;
  expect(await (await ask('/')).text()).toContain('No data is loaded yet.');
  expect((await ask('/?q=a+bank')).status).toBe(503);
});

test('a page whose publication has just been deleted is made from the active one, whatever it asks at once', async () => {
  const asked: string[] = [];
  service.scene.answer = ({ kind }, id) => {
    asked.push(id);
    if (id === secondId) return kind === 'search' ? hits : { outcome: 'not-found' };
    service.scene.active = { manifest: manifest(secondId), activatedAt: '2024-05-06T01:02:03Z' };
    return { outcome: 'unavailable', reason: 'publication-gone' };
  };
  // Four letters may be a market (MIC) too.
  expect((await ask('/?q=bank')).status).toBe(200);
  expect(asked).toEqual([firstId, firstId, secondId, secondId]);
});

test('a list of names whose publication has just been deleted is matched again by the active one', async () => {
  const asked: string[] = [];
  service.scene.answer = (question, id) => {
    asked.push(`${question.kind === 'match' ? question.name : question.kind} ${id}`);
    if (id === secondId) return found({ verdict: 'none', candidates: [] });
    service.scene.active = { manifest: manifest(secondId), activatedAt: '2024-05-06T01:02:03Z' };
    return { outcome: 'unavailable', reason: 'publication-gone' };
  };
  const body = new URLSearchParams({ names: 'Allianz\nSiemens; Germany' });
  const response = await ask('/match', { method: 'POST', body });
  expect([response.status, (await response.text()).includes('2 names: 2 without a match.')]).toEqual([
    200,
    true,
  ]);
  expect(asked).toEqual([firstId, secondId].flatMap((id) => [`Allianz ${id}`, `Siemens ${id}`]));
});

test('a list of names costs a unit for each, all of which are refunded if there is no answer', async () => {
  const units: number[] = [];
  let refunds = 0;
  const refund = () => {
    refunds++;
    return null;
  };
  service.scene.admitPage = (request) => {
    units.push(request.units);
    return { ...admittedPage, refund };
  };
  service.scene.answer = () => ({ outcome: 'unavailable', reason: 'queue-full' });
  const body = new URLSearchParams({ names: 'Allianz\nSiemens\nx' });
  const response = await ask('/match', { method: 'POST', body });
  expect([response.status, units, refunds]).toEqual([503, [0, 2], 1]);
});

test('the next page comes from the first page’s publication while that is kept', async () => {
  service.scene.answer = () => found({ query: {}, total: 99, items: [] }, 'position');
  const first = await (await ask('/?q=a+bank')).text();
  const next = /rel="next" href="([^"]+)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const { active } = service.scene;
  service.scene.active = { manifest: manifest(secondId), activatedAt: '2024-05-06T01:02:03Z' };
  expect((await ask(next)).status).toBe(400);
  service.scene.kept = active === null ? [] : [active];
  const asked: string[] = [];
  service.scene.answer = (_, id) => {
    asked.push(id);
    return hits;
  };
  expect((await ask(next)).status).toBe(200);
  expect(asked).toEqual([firstId]);
  expect(service.questions.at(-1)).toMatchObject({ after: 'position' });
});

test('a visit is reported to the observer with its bucket, its publication and, over the limit, the policy "pages"', async () => {
  service.scene.answer = () => hits;
  const seen = () => service.requestsSeen.at(-1);
  await ask('/?q=a+bank');
  expect(seen()).toMatchObject({ operation: 'page', status: 200, caller: 'page:1', datasetVersion: firstId });
  expect(seen()?.violatedPolicies).toEqual([]);
  const { now } = quotaState;
  const returnsAt = now + 1_500;
  const exhausted = { outcome: 'exhausted', quota: quotaState, violatedPolicies: ['search'] } as const;
  service.scene.admitPage = () => ({ ...exhausted, caller: 'page:1', returnsAt });
  const refused = await ask('/?q=a+bank');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
  expect(seen()?.violatedPolicies).toEqual(['pages']);
});

test('scripts and styles are cached indefinitely at their addresses, and never under the digest of another version', async () => {
  const page = await (await ask('/')).text();
  const address = /href="(\/assets\/[^"]+\/style\.css)"/.exec(page)?.[1] ?? '';
  const response = await ask(address);
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  const tag = response.headers.get('etag') ?? '';
  expect((await ask(address, { headers: { 'If-None-Match': tag } })).status).toBe(304);
  const earlier = await ask(address.replace(/assets\/[^/]+/, 'assets/0000000000000000'));
  expect([earlier.status, earlier.headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
  for (const path of [
    '/assets/',
    '/assets/x',
    `${address}/x`,
    '/assets/x/../../table.ts',
    '/assets/x/tsconfig.json',
  ]) {
    expect([path, (await ask(path)).status]).toEqual([path, 404]);
  }
});

test('a browser gets a page for an unknown path, and a program a problem', async () => {
  const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  for (const [path, headers, type] of [
    ['/nothing', browser, 'text/html; charset=utf-8'],
    ['/nothing', {}, 'application/problem+json'],
    ['/api/v1/nothing', browser, 'application/problem+json'],
  ] as const) {
    const response = await ask(path, { headers: { ...headers } });
    expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 404, type]);
  }
  const page = await ask('/nothing', { headers: browser });
  // No cache keeps it, so that Accept need not be named.
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.headers.get('vary')).toBe('Accept-Encoding');
  expect(await page.text()).toContain('Page not found');
});

test('a browser is led from an unknown path with a slash at its end to the path without, on this host', async () => {
  const seen = async (path: string, accept: string) => {
    const { status, headers } = await ask(path, { headers: { Accept: accept }, redirect: 'manual' });
    return [status, headers.get('location')];
  };
  expect(await seen('/docs/?x=1', 'text/html')).toEqual([308, '/docs?x=1']);
  expect(await seen('/company/7LTWFZYICNSX8D621K86//', 'text/html')).toEqual([
    308,
    '/company/7LTWFZYICNSX8D621K86',
  ]);
  expect(await seen('//evil.example/', 'text/html')).toEqual([308, '/evil.example']);
  expect(await seen('/docs/', '*/*')).toEqual([404, null]);
  expect(await seen('/api/v1/status/', 'text/html')).toEqual([404, null]);
});

test('pages answer GET and HEAD, and list these methods', async () => {
  for (const path of ['/', '/suggest', '/problems']) {
    const response = await ask(path, { method: 'POST', body: 'q=bank' });
    expect([path, response.status, response.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD, OPTIONS']);
  }
  expect((await ask('/', { method: 'OPTIONS' })).status).toBe(204);
});
