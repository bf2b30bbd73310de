/** Tests getChangesSince over a real service: pages, cursors, watch lists, costs and refusals. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { company, lei, operator, relationship } from '../../loader/publishing.ts';
import { dayNumber } from '../../loader/worlds.ts';
import { type DescribedService, exampleOf, searchesLeft, startDescribed, steady } from './described.ts';

const versions: string[] = [];
let described: DescribedService;
beforeAll(async () => {
  const someone = operator();
  const numbers = Array.from({ length: 30 }, (_, index) => index + 1);
  const days = [
    { companies: numbers.map((n) => company(n)), relationships: { kept: [relationship(1, 2)] } },
    { companies: numbers.map((n) => company(n, { city: 'LEEDS' })), relationships: { kept: [] } },
    { companies: [...numbers, 31].map((n) => company(n, { city: 'LEEDS' })), relationships: { kept: [] } },
  ];
  for (const [index, day] of days.entries()) {
    const outcome = await someone.load({ at: dayNumber(index), ...day });
    versions.push(outcome.manifest.id);
  }
  const limits = { LEI_LIMITS: 'shadow', LEI_ANONYMOUS_DAILY: '10000', LEI_BURST_SEARCH: '1000' };
  described = await startDescribed(limits, someone.dataDir);
});
afterAll(() => described.service.stop());

const path = (query: string) => `/ext/v1/changes?${query}`;
const told = (items: readonly { lei: string; kind: string }[]) => items.map((item) => [item.lei, item.kind]);

test('the pages of all changes since a dataset version contain each once, oldest first, equal to each company’s history', async () => {
  const { ask, service } = described;
  const seen: { lei: string; name: string | null; kind: string; at: string; datasetVersion: string }[] = [];
  const first = path(`since=${versions[0]}&limit=10`);
  for (let cursor = ''; ; ) {
    const { body, headers } = await ask(first + cursor);
    expect(body.data.since).toBe(versions[0]);
    expect(body.meta.datasetVersion).toBe(versions[2]);
    seen.push(...body.data.items);
    if (body.links.next === undefined) break;
    cursor = `&cursor=${body.links.next}`;
    expect(headers.get('link')).toBe(`<${first}${cursor}>; rel="next"`);
  }
  expect(seen).toHaveLength(30 + 2 + 1);
  expect(seen.at(-1)).toEqual({
    lei: lei(31),
    name: 'Company Number 31 Limited',
    kind: 'created',
    at: dayNumber(2),
    datasetVersion: versions[2] ?? '',
  });
  for (const n of [1, 2, 17]) {
    const own = JSON.parse(await (await service.fetch(`/api/v1/lei/${lei(n)}/changes`)).text());
    const ours = seen.filter((item) => item.lei === lei(n)).map(({ lei: _, name: __, ...item }) => item);
    expect<unknown>(ours.toReversed()).toEqual(own.data.items);
  }
});

test('the example in the description is the real answer', async () => {
  const { ask, description, service } = described;
  const operation = description.paths['/ext/v1/changes']?.get;
  if (operation === undefined) throw new Error('The description lacks /ext/v1/changes.');
  const example = exampleOf(operation);
  expect(example.links.self).toBe(path(`since=${encodeURIComponent(dayNumber(0))}&lei=${lei(2)},${lei(31)}`));
  const { body } = await ask(example.links.self);
  expect(told(body.data.items).map(([, kind]) => kind)).toEqual([
    'relationship-removed',
    'change',
    'created',
  ]);
  expect(steady(example, service.baseUrl)).toEqual(steady(body, service.baseUrl));
});

test('a watch list, a list of kinds and a time in place of a version all filter the changes', async () => {
  const { ask } = described;
  const watched = await ask(path(`since=${versions[0]}&lei=${lei(31)},${lei(2).toLowerCase()},${lei(2)}`));
  expect(told(watched.body.data.items)).toEqual([
    [lei(2), 'relationship-removed'],
    [lei(2), 'change'],
    [lei(31), 'created'],
  ]);
  expect(watched.body.links.self).toContain(`lei=${lei(31)},${lei(2)}`);
  const kinds = await ask(path(`since=2024-05-04&kind=removed,relationship-removed&limit=100`));
  expect(kinds.body.data.since).toBe(versions[0]);
  expect(told(kinds.body.data.items)).toEqual([
    [lei(1), 'relationship-removed'],
    [lei(2), 'relationship-removed'],
  ]);
  for (const zone of ['.554Z', '+00:00']) {
    const time = encodeURIComponent(dayNumber(1).replace('Z', zone));
    expect((await ask(path(`since=${time}`))).body.data.since).toBe(versions[1]);
  }
  const nothing = await ask(path(`since=${versions[2]}`));
  expect(nothing.body.data).toEqual({ since: versions[2], items: [] });
  expect(nothing.body.links.next).toBeUndefined();
});

test('a cursor is valid only for its own since, companies and kinds', async () => {
  const { ask } = described;
  const own = path(`since=${versions[0]}&kind=change`);
  const cursor = (await ask(`${own}&limit=1`)).body.links.next;
  expect((await ask(`${own}&limit=3&cursor=${cursor}`)).status).toBe(200);
  for (const other of [
    `since=${versions[1]}&kind=change`,
    `since=${versions[0]}`,
    `since=${versions[0]}&kind=change&lei=${lei(1)}`,
  ]) {
    const { status, body } = await ask(path(`${other}&cursor=${cursor}`));
    expect([status, body.type.split('/').at(-1)]).toEqual([400, 'invalid-cursor']);
  }
});

const reach = () =>
  `the changes reach back to ${versions[0]}, of ${dayNumber(0)}, which is the oldest possible since.`;
const leis = (count: number) => Array.from({ length: count }, (_, index) => lei(index + 1)).join();

test.each([
  ['', () => 'since is required: a dataset version, or a time.'],
  ['since=2024-05-03', () => `since is too old: ${reach()}`],
  [
    'since=20240504T000000Z-00000000',
    () => `since must be a dataset version that led to ${versions[2]}, or a time; ${reach()}`,
  ],
  [
    'since=yesterday',
    () =>
      'since must be a dataset version from meta.datasetVersion of an earlier answer, a time in UTC such as 2026-01-31T16:00:00Z, or a date.',
  ],
  [
    'since=2024-05-04&kind=snapshot',
    () =>
      'kind must be one or more of change, relationship-change, relationship-removed, created, removed, separated by commas.',
  ],
  [
    `since=2024-05-04&lei=${lei(1)},${lei(2).slice(0, 19)}`,
    () =>
      'lei must hold LEIs only, but value 2 is not one: An LEI has 20 characters: 18 letters or digits, then two check digits. This one has 19.',
  ],
  [`since=2024-05-04&lei=${leis(101)}`, () => 'lei must hold at most 100 LEIs; it holds 101.'],
  [
    'since=2024-05-04&country=DE',
    () => 'country is not a parameter of this endpoint; its parameters are since, lei, kind, cursor, limit.',
  ],
])('%s is refused', async (query, detail) => {
  const { status, body } = await described.ask(path(query));
  expect([status, body.detail]).toEqual([400, detail()]);
});

test('a page costs one search, for a watch list of 100 companies and for a refused request too', async () => {
  const first = await described.ask(path(`since=${versions[0]}&lei=${leis(100)}&limit=100`));
  expect(first.body.data.items).toHaveLength(33);
  const refused = await described.ask(path('since=2024-05-03'));
  expect([refused.status, searchesLeft(refused)]).toEqual([400, searchesLeft(first) - 1]);
});
