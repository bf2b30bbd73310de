/** Tests the reconciliation service over the bundled sample: every answer matches the specification. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { startTestService, type TestService } from '../support/service.ts';
import { askOf, form } from './asking.ts';

const bank = '7LTWFZYICNSX8D621K86';
const registered = '213800E5Z6QRDSMZMK84';
const unknown = '529900T8BM49AURSDO55';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

type Query = Readonly<Record<string, unknown>>;

/** The results of a batch, as sent by POST. */
async function results(queries: Readonly<Record<string, unknown>>) {
  const { status, body } = await askOf(service, 'results', '/reconcile', form({ queries }));
  expect(status).toBe(200);
  return body;
}

async function resultOf(query: Query) {
  return (await results({ only: query })).only;
}

describe('the manifest', () => {
  test('says the limits', async () => {
    expect(await (await service.fetch('/reconcile')).json()).toMatchObject({
      limits: { queriesPerBatch: 50, idsPerExtension: 100, candidatesPerQuery: 10, searchesPerMinute: null },
    });
  });

  test('is not the answer to the single query of version 0.1, which is told what to send', async () => {
    const response = await service.fetch('/reconcile?query=deutsche+bank');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      detail: expect.stringContaining('queries={"q0":{"query":"…"}}'),
    });
  });

  test('states the version, the type of every entity, and addresses that all exist', async () => {
    const { body } = await askOf(service, 'manifest', '/reconcile');
    expect(body).toMatchObject({ versions: ['0.2'], defaultTypes: [{ id: 'LegalEntity' }], batchSize: 50 });
    expect(body.view.url).toBe(`${service.baseUrl}/company/{{id}}`);
    const get = (url: string) => service.fetch(url.slice(service.baseUrl.length));
    expect((await get(body.preview.url.replace('{{id}}', bank))).status).toBe(200);
    for (const [of, id] of [
      ['entity', bank],
      ['property', 'country'],
      ['type', 'LegalEntity'],
    ] as const) {
      const { service_url, service_path, flyout_service_url, flyout_service_path } = body.suggest[of];
      expect((await get(`${service_url}${service_path}?prefix=deu`)).status).toBe(200);
      const flyout = flyout_service_url + flyout_service_path.replace(`\${id}`, id);
      expect((await get(flyout)).status).toBe(200);
    }
    const { service_url, service_path } = body.extend.propose_properties;
    expect((await get(`${service_url}${service_path}?type=LegalEntity`)).status).toBe(200);
  });

  test('answers at an address with a trailing slash, and nothing else exists below it but what it names', async () => {
    expect((await service.fetch('/reconcile/')).status).toBe(200);
    expect((await service.fetch('/reconcile/suggest/nothing')).status).toBe(404);
    expect((await service.fetch('/reconcile/preview/more')).status).toBe(404);
  });
});

describe('a query', () => {
  test('gets matchCompany’s answer: the verdict match makes the first candidate a match', async () => {
    const names = [
      'deutsche bnak ag',
      'Bank',
      'Kohlenhandel Zwickau',
      'Apple',
      'MAXRETS VENTURES',
      'Société',
    ];
    const batch = await results(Object.fromEntries(names.map((query) => [query, { query }])));
    expect(Object.keys(batch)).toEqual(names);
    for (const name of names) {
      const { data } = JSON.parse(
        await (await service.fetch(`/ext/v1/match?${new URLSearchParams({ name })}`)).text(),
      );
      const { result } = batch[name];
      expect(result.map(({ id, score }: { id: string; score: number }) => [id, score])).toEqual(
        data.candidates.map(({ lei, score }: { lei: string; score: number }) => [
          lei,
          Math.round(score * 1000) / 10,
        ]),
      );
      expect(result.map(({ match }: { match: boolean }) => match)).toEqual(
        data.candidates.map((_: unknown, at: number) => at === 0 && data.verdict === 'match'),
      );
    }
  });

  test('by GET gets the same answer as by POST', async () => {
    const queries = { q0: { query: 'deutsche bank', limit: 1 } };
    const got = await askOf(
      service,
      'results',
      `/reconcile?queries=${encodeURIComponent(JSON.stringify(queries))}`,
    );
    expect(got.body).toEqual(await results(queries));
  });

  test('by POST is answered in full whatever condition comes with it; by GET it may be answered 304', async () => {
    const queries = { q: { query: 'bank' } };
    const tag = (await askOf(service, 'results', '/reconcile', form({ queries }))).headers.get('etag') ?? '';
    for (const condition of ['*', tag]) {
      const headers = { 'If-None-Match': condition };
      expect((await askOf(service, 'results', '/reconcile', form({ queries }, headers))).status).toBe(200);
      const path = `/reconcile?queries=${encodeURIComponent(JSON.stringify(queries))}`;
      expect((await service.fetch(path, { headers })).status).toBe(304);
    }
  });

  test('whose text is an LEI finds that company', async () => {
    const { result } = await resultOf({ query: bank.toLowerCase() });
    expect(result[0]).toMatchObject({ id: bank, score: 100, match: true, description: 'Germany' });
  });

  test('uses country, city, registration number and LEI, in the forms that clients send', async () => {
    const scoreWith = async (...properties: readonly Query[]) => {
      const { result } = await resultOf({ query: 'Deutsche Bank', properties });
      return result.find(({ id }: { id: string }) => id === bank)?.score ?? 0;
    };
    const alone = await scoreWith();
    const inGermany = await scoreWith({ pid: 'country', v: 'DE' });
    expect(inGermany).toBeGreaterThan(alone);
    for (const v of ['germany', [' ', 'Germany'], { id: 'DE', name: 'Deutschland' }, 'de\n']) {
      expect(await scoreWith({ pid: 'country', v })).toBe(inGermany);
    }
    expect(await scoreWith({ pid: 'city', v: 'Frankfurt am Main' })).toBeGreaterThan(alone);
    expect(await scoreWith({ pid: 'country', v: 'Japan' })).toBeLessThan(alone);
    // OpenRefine sends what its user types in place of an id, and offers the name of the country too.
    for (const pid of ['Country', ' COUNTRY', 'countryName', 'Country name']) {
      expect([pid, await scoreWith({ pid, v: 'Germany' })]).toEqual([pid, inGermany]);
    }
    // The query contains nothing that identifies a company.
    expect(await scoreWith({ pid: 'status', v: 'INACTIVE' })).toBe(alone);

    const byNumber = await resultOf({ properties: [{ pid: 'registrationNumber', v: 12237710 }] });
    expect(byNumber.result[0]).toMatchObject({ id: registered, match: true });
    const byLei = await resultOf({ properties: [{ pid: 'lei', v: registered }] });
    expect(byLei.result[0]).toMatchObject({ id: registered, match: true });
  });

  test('gets as many candidates as it asks for', async () => {
    expect((await resultOf({ query: 'bank', limit: 2 })).result.length).toBeLessThanOrEqual(2);
    expect((await resultOf({ query: 'bank', limit: 1_000 })).result.length).toBeLessThanOrEqual(10);
  });

  test('that is faulty gets an error in its own result only, which says what is wrong', async () => {
    const faulty: readonly (readonly [unknown, string])[] = [
      [{}, 'must hold a name'],
      [{ query: ' ' }, 'must hold a name'],
      [{ query: 'x' }, 'query must have 2 to 500 characters'],
      [{ query: 7 }, 'query must be a string'],
      [{ query: 'bank', limit: 0 }, 'limit must be a whole number'],
      [{ query: 'bank', properties: { pid: 'country' } }, 'properties must be a list'],
      [{ query: 'bank', properties: [{ v: 'DE' }] }, 'must have the members pid and v'],
      [{ query: 'bank', properties: [{ pid: 'colour', v: 'DE' }] }, 'There is no property "colour"'],
      [{ properties: [{ pid: 'lei', v: 'ABC' }] }, 'lei is not an LEI: '],
      [
        { query: 'bank', properties: Array.from({ length: 51 }, () => ({ pid: 'city', v: 'x' })) },
        'properties must hold at most 50',
      ],
      ['bank', 'A query must be an object'],
      [null, 'A query must be an object'],
    ];
    const queries = Object.fromEntries(faulty.map(([query], at) => [`q${at}`, query]));
    const batch = await results({ ...queries, good: { query: 'deutsche bank' } });
    for (const [at, [, error]] of faulty.entries()) {
      expect(batch[`q${at}`]).toEqual({ result: [], error: expect.stringContaining(error) });
    }
    expect(batch.good.result[0].id).toBe(bank);
  });

  test('leaves out a cell of another column that can’t be read, and says so beside the candidates', async () => {
    const cells: readonly (readonly [string, string, string])[] = [
      [
        'country',
        'N/A',
        'country must be a country, by a code such as DE or DEU or by its name; "N/A" is none.',
      ],
      ['country', 'QQ', 'country must be a country'],
      ['country', 'x'.repeat(300), 'country must have 1 to 200 characters.'],
      ['city', 'x'.repeat(300), 'city must have 1 to 200 characters.'],
      ['registrationNumber', 'n/a', 'registrationNumber must hold at least 3 letters and digits'],
      ['lei', 'none', 'lei is not an LEI: '],
    ];
    const alone = await resultOf({ query: 'deutsche bank' });
    expect(alone).not.toHaveProperty('warning');
    for (const [pid, v, words] of cells) {
      const told = await resultOf({ query: 'deutsche bank', properties: [{ pid, v }] });
      expect(told).toEqual({ ...alone, warning: expect.stringContaining(`Left out: ${words}`) });
    }
    const number = { pid: 'registrationNumber', v: 'n/a' };
    const two = await resultOf({ query: 'deutsche bank', properties: [{ pid: 'country', v: '-' }, number] });
    const both = expect.stringMatching(/registrationNumber must .* "-" is none\.$/);
    expect(two).toEqual({ ...alone, warning: both });
  });

  test('is read behind a byte order mark', async () => {
    const { status, body } = await askOf(service, 'results', '/reconcile', {
      method: 'POST',
      body: new URLSearchParams({ queries: `\ufeff${JSON.stringify({ only: { query: bank } })}` }),
    });
    expect([status, body.only.result[0].id]).toEqual([200, bank]);
  });

  test('keeps any name that the batch gives it', async () => {
    const batch = await results(
      JSON.parse('{"__proto__":{"query":"deutsche bank"},"ü \\u0000":{"query":"x"}}'),
    );
    expect(Object.keys(batch).sort()).toEqual(['__proto__', 'ü \u0000']);
  });
});

test('any JSON that a client sends gets results or 400', async () => {
  const query = fc.record(
    { query: fc.jsonValue(), limit: fc.jsonValue(), properties: fc.jsonValue(), type: fc.jsonValue() },
    { requiredKeys: [] },
  );
  const properties = fc.array(
    fc.record({
      pid: fc.constantFrom('country', 'city', 'lei', 'registrationNumber', 'x'),
      v: fc.jsonValue(),
    }),
  );
  const known = fc.record({ query: fc.string({ unit: 'binary' }), properties });
  const queries = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.string(), fc.oneof(query, known), { maxKeys: 4 }),
  );
  const extend = fc.oneof(fc.jsonValue(), fc.record({ ids: fc.jsonValue(), properties: fc.jsonValue() }));
  await fc.assert(
    fc.asyncProperty(queries, extend, async (asked, extended) => {
      const answers = await Promise.all([
        askOf(service, 'results', '/reconcile', form({ queries: asked })),
        askOf(service, 'extension', '/reconcile', form({ extend: extended })),
      ]);
      for (const { status } of answers) expect([200, 400]).toContain(status);
    }),
    { numRuns: 60 },
  );
});

describe('a request that is faulty as a whole', () => {
  test('is refused with a message that says what is allowed', async () => {
    const refused = async (init: BunFetchRequestInit, path = '/reconcile') => {
      const { status, headers, body } = await askOf(service, 'results', path, init);
      expect([status, headers.get('content-type')]).toEqual([400, 'application/problem+json']);
      return body.detail;
    };
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [n, { query: 'b' }]));
    const post = (body: string) => ({ method: 'POST', body: new URLSearchParams(body) });
    expect(await refused(form({ queries: many(51) }))).toContain('at most 50 queries; it holds 51');
    expect(await refused(form({ queries: {} }))).toContain('at least one query');
    expect(await refused(form({ queries: [] }))).toContain('must be a JSON object');
    expect(await refused(post('queries={'))).toContain('queries must be JSON');
    expect(await refused(post(`queries=${'['.repeat(20_000)}`))).toContain('nested at most 16 levels');
    expect(await refused(post('query=x'))).toContain('queries is required, or extend');
    expect(await refused(post('queries={}&queries={}'))).toContain('only once');
    expect(await refused(form({ queries: many(1), extend: {} }))).toContain(
      'must not be sent together with queries',
    );
    expect(await refused({ method: 'POST', body: '{}' })).toContain('application/x-www-form-urlencoded');
    expect(await refused(post(`queries=${'x'.repeat(300_000)}`))).toContain('at most 128 KiB');
    expect(await refused({}, '/reconcile?callback=f')).toContain('allows every origin by CORS');
    expect(await refused(form({ extend: { ids: 'x' } }))).toContain('the lists ids and properties');
    expect(await refused(form({ extend: { ids: [], properties: [{ id: 'colour' }] } }))).toContain(
      'legalName',
    );
    expect(await refused(post('a=&'.repeat(40)))).toContain('at most 32 fields');
    const many5001 = { queries: { q: { query: 'bank', other: Array.from({ length: 5_001 }, () => 0) } } };
    expect(await refused(form(many5001))).toContain('at most 5,000 values');
    const wide = Object.fromEntries(Array.from({ length: 257 }, (_, n) => [n, 0]));
    expect(await refused(form({ queries: { q: { query: 'bank', wide } } }))).toContain(
      'at most 256 members in an object',
    );
    expect(await refused(post(`queries=${']:'.repeat(20_000)}`))).toContain('queries must be JSON');
    const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    const deep = { queries: { q: { query: 'bank', properties: [{ pid: 'city', v: nested(30) }] } } };
    expect(await refused(form(deep))).toContain('nested at most 16 levels');
    const often = Array.from({ length: 51 }, () => ({ id: 'lei' }));
    expect(await refused(form({ extend: { ids: [bank], properties: often } }))).toContain(
      'at most 50 properties; it holds 51',
    );
    const ids = Array.from({ length: 101 }, () => bank);
    expect(await refused(form({ extend: { ids, properties: [] } }))).toContain('at most 100 ids');
    expect(await refused({}, '/reconcile/suggest/entity?prefix=ab&cursor=-1')).toContain('how many');
    expect(await refused({}, '/reconcile/flyout/property?id=colour')).toContain('of this service');
  });

  test('is refused for methods other than GET, HEAD and POST', async () => {
    for (const [method, path] of [
      ['PUT', '/reconcile'],
      ['DELETE', '/reconcile'],
      ['POST', '/reconcile/suggest/entity'],
      ['POST', '/reconcile/preview'],
    ]) {
      expect((await service.fetch(path ?? '', { method: method ?? '' })).status).toBe(405);
    }
    const head = await service.fetch('/reconcile', { method: 'HEAD' });
    const { length } = await (await service.fetch('/reconcile')).bytes();
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(length)]);
  });
});

describe('data extension', () => {
  test('returns the values of the requested properties, in order, and none for what is not a company', async () => {
    const properties = ['nextRenewalDate', 'status', 'country', 'legalName'].map((id) => ({ id }));
    const ids = [registered, 'nothing', unknown, bank];
    const { body } = await askOf(service, 'extension', '/reconcile', form({ extend: { ids, properties } }));
    expect(body.meta.map(({ id }: { id: string }) => id)).toEqual(properties.map(({ id }) => id));
    expect(Object.keys(body.rows)).toEqual(ids);
    expect(body.rows[registered]).toEqual({
      nextRenewalDate: [{ date: '2025-05-04T11:53:54Z' }],
      status: [{ str: 'ACTIVE' }],
      country: [{ str: 'GB' }],
      legalName: [{ str: 'MAXRETS VENTURES PLC' }],
    });
    const none = { nextRenewalDate: [], status: [], country: [], legalName: [] };
    expect([body.rows.nothing, body.rows[unknown]]).toEqual([none, none]);
  });

  test('answers a company and a property once, however often they are named', async () => {
    const extend = { ids: [bank, bank], properties: [{ id: 'lei' }, { id: 'country' }, { id: 'lei' }] };
    const { body } = await askOf(service, 'extension', '/reconcile', form({ extend }));
    expect(body).toEqual({
      meta: [
        { id: 'lei', name: 'LEI' },
        { id: 'country', name: 'Country' },
      ],
      rows: { [bank]: { lei: [{ str: bank }], country: [{ str: 'DE' }] } },
    });
  });

  test('returns a date as the day on which it was written', async () => {
    // Published as 1988-11-18T00:00:00+01:00.
    const extend = { ids: ['254900HVPT0ESVF6EP22'], properties: [{ id: 'creationDate' }] };
    const { body } = await askOf(service, 'extension', '/reconcile', form({ extend }));
    expect(body.rows).toEqual({
      '254900HVPT0ESVF6EP22': { creationDate: [{ date: '1988-11-18T00:00:00Z' }] },
    });
  });

  test('returns every property that it proposes', async () => {
    const proposal = await askOf(service, 'proposal', '/reconcile/properties?type=LegalEntity');
    const ids: readonly string[] = proposal.body.properties.map(({ id }: { id: string }) => id);
    const extend = { ids: [bank], properties: ids.map((id) => ({ id, settings: {} })) };
    const { body } = await askOf(service, 'extension', '/reconcile', form({ extend }));
    expect(Object.keys(body.rows[bank])).toEqual([...ids]);
    expect(body.rows[bank].legalAddress).toEqual([
      { str: 'Taunusanlage 12, 60325 Frankfurt am Main, DE-HE, DE' },
    ]);
    const few = await askOf(service, 'proposal', '/reconcile/properties?type=LegalEntity&limit=2');
    expect(few.body).toMatchObject({
      limit: 2,
      type: 'LegalEntity',
      properties: [{ id: 'country' }, { id: 'city' }],
    });
  });
});

describe('suggestions', () => {
  test('of companies match what is typed, by name and by LEI', async () => {
    for (const prefix of ['deutsche b', bank]) {
      const { body } = await askOf(service, 'suggestions', `/reconcile/suggest/entity?prefix=${prefix}`);
      expect(body.result[0]).toMatchObject({ id: bank, description: `Germany · ${bank}` });
    }
    const first = await askOf(service, 'suggestions', '/reconcile/suggest/entity?prefix=d');
    expect(first.body).toEqual({ result: [] });
    const all = await askOf(service, 'suggestions', '/reconcile/suggest/entity?prefix=ba');
    const rest = await askOf(service, 'suggestions', '/reconcile/suggest/entity?prefix=ba&cursor=2');
    expect(rest.body.result).toEqual(all.body.result.slice(2));
  });

  test('of properties and types match the words of their names', async () => {
    const { body } = await askOf(service, 'suggestions', '/reconcile/suggest/property?prefix=NUM');
    expect(body.result).toEqual([expect.objectContaining({ id: 'registrationNumber' })]);
    const types = await askOf(service, 'suggestions', '/reconcile/suggest/type?prefix=');
    expect(types.body.result).toEqual([expect.objectContaining({ id: 'LegalEntity' })]);
  });
});

test('a flyout about no company is a problem, because a flyout is JSON', async () => {
  for (const [id, status, words] of [
    [unknown, 404, 'This service has no company with the LEI'],
    ['X', 400, 'id is not an LEI: An LEI has 20 characters'],
    ['', 400, 'id is not an LEI'],
  ] as const) {
    const response = await service.fetch(`/reconcile/flyout/entity?id=${id}`);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ status, detail: expect.stringContaining(words) });
  }
});

describe('the preview', () => {
  test('is a page that any client may frame, without scripts, links and external resources', async () => {
    const response = await service.fetch(`/reconcile/preview?id=${bank}`);
    const html = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    const style = /<style>(.*)<\/style>/s.exec(html)?.[1] ?? '';
    const digest = createHash('sha256').update(style).digest('base64');
    expect(policy).toStartWith(`default-src 'none'; style-src 'sha256-${digest}'; `);
    expect(policy).toContain('frame-ancestors *');
    expect(policy).not.toContain('unsafe');
    expect(response.headers.get('x-frame-options')).toBeNull();
    expect(html).toContain('Frankfurt am Main');
    expect(html).not.toMatch(/<(?:script|a|img|link|form)\b/);
  });

  test('says that there is no such company', async () => {
    for (const [id, status, words] of [
      [unknown, 404, 'This service has no company with the LEI'],
      ['<script>', 400, 'An LEI'],
    ] as const) {
      const response = await service.fetch(`/reconcile/preview?id=${encodeURIComponent(id)}`);
      expect(response.status).toBe(status);
      const html = await response.text();
      expect(html).toContain(words);
      expect(html).not.toContain('<script');
    }
  });
});

test('browsers of every origin may ask, by GET and by POST, and may read errors', async () => {
  const Origin = 'https://elsewhere.example';
  const preflight = await service.fetch('/reconcile', { method: 'OPTIONS', headers: { Origin } });
  expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
    204,
    'GET, HEAD, POST',
  ]);
  expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization');
  const foreign = { Origin, 'Sec-Fetch-Site': 'cross-site' };
  for (const [path, init] of [
    ['/reconcile', form({ queries: { q: { query: 'deutsche bank' } } }, foreign)],
    ['/reconcile', { headers: foreign }],
    ['/reconcile/nobody', { headers: foreign }],
    [`/reconcile/preview?id=${bank}`, { headers: foreign }],
    ['/reconcile', form({ queries: 1 }, foreign)],
  ] as const) {
    const response = await service.fetch(path, init);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  }
});

test('a large answer is compressed for clients that accept it', async () => {
  const queries = Object.fromEntries(
    Array.from({ length: 50 }, (_, n) => [`q${n}`, { query: 'deutsche bank' }]),
  );
  const init = form({ queries }, { 'Accept-Encoding': 'gzip' });
  const response = await service.fetch('/reconcile', { ...init, decompress: false });
  expect(response.headers.get('content-encoding')).toBe('gzip');
  const body = JSON.parse(gunzipSync(await response.bytes()).toString());
  expect(Object.keys(body)).toHaveLength(50);
});
