/** getChildren and getOwnership over a real service: pages, cursors, costs and refusals. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type DescribedService, startDescribed } from './described.ts';

const bank = '/ext/v1/lei/7LTWFZYICNSX8D621K86';
let described: DescribedService;
beforeAll(async () => {
  described = await startDescribed({ LEI_LIMITS: 'shadow' });
});
afterAll(() => described.service.stop());

test('the pages of the children are the list that the relationships hold, from one dataset version', async () => {
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

test('a cursor is good for its own question only', async () => {
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
    'limit is not a parameter of this endpoint; allowed here are direction, depth.',
  ],
])('%s is refused', async (path, detail) => {
  const { status, body } = await described.ask(path);
  expect([status, body.detail]).toEqual([400, detail]);
});

test('each costs one search; an unknown company is not found, a mistyped one is refused', async () => {
  const left = ({ headers }: { headers: Headers }) =>
    Number(/"search";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
  for (const what of ['children', 'ownership']) {
    const first = await described.ask(`${bank}/${what}`);
    const missing = await described.ask(`/ext/v1/lei/00000000000000000098/${what}`);
    expect([missing.status, left(missing)]).toEqual([404, left(first) - 1]);
    const mistyped = await described.ask(`/ext/v1/lei/7LTWFZYICNSX8D621K87/${what}`);
    expect([mistyped.status, left(mistyped)]).toEqual([400, left(first) - 2]);
  }
});
