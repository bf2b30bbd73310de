/** Tests getChildren, getOwnership and suggestCompanies over a real service: pages, cursors, costs and refusals. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type DescribedService, searchesLeft, startDescribed } from './described.ts';

const bank = '/ext/v1/lei/7LTWFZYICNSX8D621K86';
let described: DescribedService;
beforeAll(async () => {
  described = await startDescribed({ LEI_LIMITS: 'shadow' });
});
afterAll(() => described.service.stop());

test('the pages of the children equal the list that the relationships contain, from one dataset version', async () => {
  const { ask, service } = described;
  const { data } = JSON.parse(
    await (await service.fetch('/api/v1/lei/7LTWFZYICNSX8D621K86/relationships')).text(),
  );
  for (const [kind, list] of [
    ['direct', data.directChildren],
    ['ultimate', data.ultimateChildren],
  ]) {
    const items: unknown[] = [];
    const path = `${bank}/children?kind=${kind}&limit=2`;
    for (let cursor = ''; ; ) {
      const { body, headers } = await ask(path + cursor);
      expect(body.data.total).toBe(list.total);
      items.push(...body.data.items);
      if (body.links.next === undefined) break;
      cursor = `&cursor=${body.links.next}`;
      expect(headers.get('link')).toBe(`<${path}${cursor}>; rel="next"`);
    }
    expect(items).toEqual(list.items);
  }
});

test('a cursor is valid only for its own question', async () => {
  const { body } = await described.ask(`${bank}/children?kind=direct&limit=1`);
  const cursor = body.links.next;
  expect((await described.ask(`${bank}/children?kind=direct&limit=3&cursor=${cursor}`)).status).toBe(200);
  for (const path of [
    `${bank}/children?kind=ultimate&cursor=${cursor}`,
    `${bank}/children?cursor=${cursor}`,
  ]) {
    const refused = await described.ask(path);
    expect([refused.status, refused.body.type.split('/').at(-1)]).toEqual([400, 'invalid-cursor']);
  }
});

test.each([
  [`${bank}/children?kind=all`, 'kind must be one of direct, ultimate, fund, branch.'],
  [`${bank}/ownership?depth=0`, 'depth must be a whole number from 1 to 10.'],
  [`${bank}/ownership?depth=11`, 'depth must be a whole number from 1 to 10.'],
  [`${bank}/ownership?direction=sideways`, 'direction must be up, down, or up,down.'],
  [`${bank}/ownership?direction=up,up`, 'direction must be up, down, or up,down.'],
  [
    `${bank}/ownership?limit=5`,
    'limit is not a parameter of this endpoint; its parameters are direction, depth.',
  ],
])('%s is refused', async (path, detail) => {
  const { status, body } = await described.ask(path);
  expect([status, body.detail]).toEqual([400, detail]);
});

test('each request costs one search; an unknown company gets 404, a mistyped one 400', async () => {
  for (const what of ['children', 'ownership']) {
    const first = await described.ask(`${bank}/${what}`);
    const missing = await described.ask(`/ext/v1/lei/00000000000000000098/${what}`);
    expect([missing.status, searchesLeft(missing)]).toEqual([404, searchesLeft(first) - 1]);
    const mistyped = await described.ask(`/ext/v1/lei/7LTWFZYICNSX8D621K87/${what}`);
    expect([mistyped.status, searchesLeft(mistyped)]).toEqual([400, searchesLeft(first) - 2]);
  }
});

test('suggestions complete a text that is begun, or else correct a mistyped one; a text without a letter gets none', async () => {
  const names = async (q: string) => {
    const { body } = await described.ask(`/ext/v1/suggest?q=${encodeURIComponent(q)}`);
    return body.data.items.map(({ name }: { name: string }) => name);
  };
  expect(await names('deutsche ba')).toContain('DEUTSCHE BANK AKTIENGESELLSCHAFT');
  expect((await names('deut'))[0]).toBe('DEUTSCHE BANK AKTIENGESELLSCHAFT');
  expect(await names('deutshe bank')).toContain('DEUTSCHE BANK AKTIENGESELLSCHAFT');
  expect((await names('de')).length).toBe(10);
  expect(await names('---')).toEqual([]);
  for (const query of ['', '?q=a']) {
    expect([query, (await described.ask(`/ext/v1/suggest${query}`)).status]).toEqual([query, 400]);
  }
});

test('a record as of a date is the one at the end of that day; a history that starts later says when it starts', async () => {
  const today = await described.ask('/ext/v1/lei/7LTWFZYICNSX8D621K86/as-of/2026-01-23');
  const { data } = JSON.parse(
    await (await described.service.fetch('/api/v1/lei/7LTWFZYICNSX8D621K86')).text(),
  );
  const { lei, entity, registration, validation } = data;
  const knownSince = '2026-01-23T08:00:00Z';
  const at = '2026-01-23T23:59:59Z';
  expect(today.body.data).toEqual({ lei, at, knownSince, entity, registration, validation });
  expect(today.body.links.self).toBe('/ext/v1/lei/7LTWFZYICNSX8D621K86/as-of/2026-01-23');
  const encoded = await described.ask(`${bank}/as-of/2026-01-23T08%3A00%3A00Z`);
  expect(encoded.body.links.self).toBe(`${bank}/as-of/2026-01-23T08:00:00Z`);
  for (const moment of [
    '2026-01-23T08:00:00.000Z',
    '2026-01-23T09:30:00+01:30',
    '2026-01-23T09%3A30%3A00%2B01:30',
  ])
    expect((await described.ask(`${bank}/as-of/${moment}`)).body.data.at).toBe('2026-01-23T08:00:00Z');
  const precise = await described.ask(`${bank}/as-of/2026-01-23T08:00:00.554Z`);
  expect([precise.body.data.at, precise.body.data.knownSince]).toEqual([
    '2026-01-23T08:00:00.554Z',
    knownSince,
  ]);
  const early = await described.ask(`${bank}/as-of/2026-01-23T07:59:59Z`);
  expect([early.status, early.body.detail]).toEqual([
    404,
    `LEI ${lei} was not found as of 2026-01-23T07:59:59Z in dataset version ${precise.body.meta.datasetVersion}: it has a history that reaches back to ${knownSince}.`,
  ]);
  for (const moment of [
    '2026-02-30',
    '2026-1-1',
    'yesterday',
    '2026-01-23T08:00:00',
    '2026-01-23T24:00:01Z',
    '2026-01-23T08:00:00.Z',
    '2026-01-23T08:00:00+25:00',
    '2026-01-23T08:00Z',
    '2999-01-01',
  ]) {
    const refused = await described.ask(`${bank}/as-of/${moment}`);
    expect([refused.status, refused.body.errors[0].parameter]).toEqual([400, 'moment']);
  }
});
