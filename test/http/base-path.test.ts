/** Tests the service behind a proxy that adds the path of LEI_BASE_URL. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { company, operator, lei as testLei } from '../loader/publishing.ts';
import { recover } from '../loader/recovering.ts';
import { startTestService, type TestService } from '../support/service.ts';

const path = '/data/lei';
let service: TestService;
let proxy: ReturnType<typeof Bun.serve>;
let base: string;

beforeAll(async () => {
  proxy = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname, search } = new URL(request.url);
      if (!pathname.startsWith(`${path}/`)) return new Response('Nothing of ours.', { status: 404 });
      return service.fetch(`${pathname.slice(path.length)}${search}`, { method: request.method });
    },
  });
  base = `http://127.0.0.1:${proxy.port}${path}`;
  service = await startTestService({ environment: { LEI_BASE_URL: base, LEI_COMPRESSION: 'off' } });
});
afterAll(async () => {
  await proxy.stop(true);
  await service.stop();
});

test('a client that follows Link headers reaches the last page', async () => {
  let address = `${base}/api/v1/search?q=bank&limit=100`;
  let total = 0;
  const leis: string[] = [];
  for (let more = true; more; ) {
    const response = await fetch(address);
    const { data } = JSON.parse(await response.text());
    total = data.total;
    for (const { lei } of data.items) leis.push(lei);
    const target = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
    more = target !== undefined;
    address = new URL(target ?? '', address).href;
  }
  expect(leis.length).toBeGreaterThan(100);
  expect(leis.length).toBe(total);
});

/** Every text below a member called `links`. */
function linksIn(value: unknown, below = false): string[] {
  if (typeof value === 'string') return below ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => linksIn(inner, below || name === 'links'));
}

const lei = '7LTWFZYICNSX8D621K86';

test('every link of every answer, in the envelope and inside data, leads to an existing address', async () => {
  const paths = [
    ...['', '/relationships', '/changes'].map((part) => `/lei/${lei}${part}`),
    ...['/bic/DEUTDEFF', '/isin/DE0005140008', '/mic/XETR', '/gem/E100000001096'],
    ...['/search?q=deutsche+bank&limit=5&country=de', '/status'],
  ];
  const found = new Set<string>();
  for (const asked of paths) {
    const { data, links } = JSON.parse(await (await fetch(`${base}/api/v1${asked}`)).text());
    // `links.next` is the value of a cursor.
    for (const link of linksIn({ data, links: links.self })) found.add(link);
  }
  const statuses = await Promise.all(
    [...found].map(async (link) => `${link} ${(await fetch(new URL(link, base))).status}`),
  );
  const unknown = [...found].filter((link) => !link.startsWith(`${path}/api/v1/`));
  expect(unknown).toEqual([]);
  expect(found).toContain(`${path}/api/v1/lei/${lei}/changes`);
  expect(found).toContain(`${path}/api/v1/search?q=deutsche+bank&country=DE&limit=5`);
  // Companies that the sample only mentions have no record.
  expect(statuses.filter((status) => !/ 200$/.test(status) && !/\/lei\/\w{20} 404$/.test(status))).toEqual(
    [],
  );
});

test('a snapshot recovered from older files has links below the base path too', async () => {
  const someone = operator();
  await someone.load({ at: '2024-01-02T00:00:00Z', companies: [company(1)] });
  await recover(someone, [
    {
      at: '2023-01-02T00:00:00Z',
      companies: [company(1, { city: 'LEEDS', updated: '2022-01-01T00:00:00Z' })],
    },
  ]);
  const snapshots = await startTestService({ dataDir: someone.dataDir, environment: { LEI_BASE_URL: base } });
  try {
    const { data } = JSON.parse(await (await snapshots.fetch(`/api/v1/lei/${testLei(1)}/changes`)).text());
    expect(data.items[0].record.links.self).toBe(`${path}/api/v1/lei/${testLei(1)}`);
  } finally {
    await snapshots.stop();
  }
});

test('the catalogue states its own address', async () => {
  const { headers } = await fetch(`${base}/.well-known/api-catalog`);
  expect(headers.get('link')).toBe(`<${path}/.well-known/api-catalog>; rel="api-catalog"`);
});

test('every link, style sheet and form of every page leads to an existing address', async () => {
  const pages = ['/', '/docs', '/problems', '/problems/not-found', '/signup'];
  const dead: string[] = [];
  for (const page of pages) {
    const html = await (await fetch(`${base}${page}`)).text();
    const targets = Array.from(html.matchAll(/(?:href|src|action)="([^"#]+)"/g), (match) => match[1] ?? '');
    expect([page, targets.length > 0]).toEqual([page, true]);
    // Links to GLEIF lead to another site.
    for (const target of targets.filter((address) => !address.startsWith('https:'))) {
      const { status } = await fetch(new URL(target, `${base}${page}`));
      if (status !== 200) dead.push(`${page} → ${target}: ${status}`);
    }
  }
  expect(dead).toEqual([]);
});

test('the answer to an unknown path names a page that exists', async () => {
  for (const missing of ['/nowhere', '/api/v1/lei/.%2e']) {
    const { detail } = JSON.parse(await (await fetch(`${base}${missing}`)).text());
    const shown = /\. (\S+) shows what there is\.$/.exec(detail)?.[1] ?? '';
    expect([missing, shown]).toEqual([missing, `${path}/docs`]);
    expect((await fetch(new URL(shown, base))).status).toBe(200);
  }
});

test('a problem’s type links to its page', async () => {
  const { type } = JSON.parse(await (await fetch(`${base}/api/v1/lei/123`)).text());
  expect(type).toBe(`${base}/problems/invalid-identifier`);
  expect((await fetch(type)).status).toBe(200);
});
