/** The service behind a proxy that adds the path of LEI_BASE_URL. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { startTestService, type TestService } from '../../support/service.ts';

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

test('every link, style sheet and form of every page leads to an existing address', async () => {
  const pages = ['/', '/docs', '/problems', '/problems/not-found', '/signup'];
  const dead: string[] = [];
  for (const page of pages) {
    const html = await (await fetch(`${base}${page}`)).text();
    const targets = Array.from(html.matchAll(/(?:href|src|action)="([^"#]+)"/g), (match) => match[1] ?? '');
    expect([page, targets.length > 0]).toEqual([page, true]);
    for (const target of targets) {
      const { status } = await fetch(new URL(target, `${base}${page}`));
      if (status !== 200) dead.push(`${page} → ${target}: ${status}`);
    }
  }
  expect(dead).toEqual([]);
});

test('a problem’s type leads to its page', async () => {
  const { type } = JSON.parse(await (await fetch(`${base}/api/v1/lei/123`)).text());
  expect(type).toBe(`${base}/problems/invalid-identifier`);
  expect((await fetch(type)).status).toBe(200);
});
