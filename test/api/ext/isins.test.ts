/** Tests getCompanyIsins over a real service: a company with more ISINs than GLEIF lists, in pages. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { company, isin, lei, operator } from '../../loader/publishing.ts';
import { type DescribedService, searchesLeft, startDescribed } from './described.ts';

const many = Array.from({ length: 12_000 }, (_, index) => isin(7 * index));
let described: DescribedService;
beforeAll(async () => {
  const someone = operator();
  const isins = [...many.map((value) => [1, value] as const), [2, isin(7)] as const, [4, isin(1)] as const];
  await someone.load({ at: '2024-05-04T00:00:00Z', companies: [1, 2, 3].map((n) => company(n)), isins });
  described = await startDescribed(
    { LEI_LIMITS: 'shadow', LEI_ANONYMOUS_DAILY: '10000', LEI_BURST_SEARCH: '10000' },
    someone.dataDir,
  );
});
afterAll(() => described.service.stop());

const path = (n: number, query = '') => `/ext/v1/lei/${lei(n)}/isins${query}`;

test('all 12,000 ISINs of a company are returned in pages, ascending, each once', async () => {
  const { ask, service } = described;
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const { body, headers } = await ask(path(1, `?limit=100${cursor}`));
    expect(body.data).toMatchObject({ lei: lei(1), name: 'Company Number 1 Limited', total: many.length });
    seen.push(...body.data.items);
    if (body.links.next === undefined) break;
    cursor = `&cursor=${body.links.next}`;
    expect(headers.get('link')).toBe(`<${path(1, `?limit=100${cursor}`)}>; rel="next"`);
  }
  expect(seen).toEqual(many.toSorted());
  const record = JSON.parse(await (await service.fetch(`/api/v1/lei/${lei(1)}`)).text());
  expect(record.data.mappings.isin).toEqual({ count: seen.length, first: seen.slice(0, 20) });
});

test('a company with few ISINs has one page, one without ISINs an empty page', async () => {
  const few = await described.ask(path(2));
  expect(few.body.data).toMatchObject({ total: 1, items: [isin(7)] });
  expect(few.body.links.next).toBeUndefined();
  const none = await described.ask(path(3));
  expect(none.body.data).toMatchObject({ total: 0, items: [] });
});

test('a page costs one search; an unknown company and one without a record get 404, a faulty request 400', async () => {
  const first = await described.ask(path(1, '?limit=100'));
  for (const [index, n] of [9, 4].entries()) {
    const missing = await described.ask(path(n));
    expect([missing.status, searchesLeft(missing)]).toEqual([404, searchesLeft(first) - 1 - index]);
  }
  const cursor = first.body.links.next;
  for (const [asked, problem] of [
    [path(1, '?limit=101'), 'invalid-parameter'],
    [path(1, '?kind=isin'), 'invalid-parameter'],
    [path(2, `?cursor=${cursor}`), 'invalid-cursor'],
    [`/ext/v1/lei/${lei(1).replace('0000', '0001')}/isins`, 'invalid-identifier'],
  ] as const) {
    const refused = await described.ask(asked);
    expect([asked, refused.status, refused.body.type.split('/').at(-1)]).toEqual([asked, 400, problem]);
  }
});

test('HEAD has the headers of GET, and a current tag gets 304', async () => {
  const { ask } = described;
  const { headers } = await ask(path(1));
  const tag = headers.get('etag') ?? '';
  const head = await ask(path(1), { method: 'HEAD' });
  expect([head.status, head.headers.get('etag'), head.body]).toEqual([200, tag, null]);
  expect((await ask(path(1), { headers: { 'if-none-match': tag } })).status).toBe(304);
});
