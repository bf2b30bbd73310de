/**
 * Tests getCompanies and getIdentifiers: many look-ups in one request, each equal to a single one and charged as one.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type DescribedService, startDescribed } from './described.ts';

const [maxrets, bank] = ['213800E5Z6QRDSMZMK84', '7LTWFZYICNSX8D621K86'] as const;
/** Well-formed, but nobody's. */
const unknown = '00000000000000000098';

let free: DescribedService;
let limited: DescribedService;
beforeAll(async () => {
  free = await startDescribed();
  limited = await startDescribed({
    LEI_LIMITS: 'enforce',
    LEI_ANONYMOUS_DAILY: '20',
    LEI_BURST_LOOKUP: '12',
  });
});
afterAll(async () => {
  await free.service.stop();
  await limited.service.stop();
});

describe('getCompanies', () => {
  test('answers in the order asked, repetitions included, each item equal to a single look-up', async () => {
    const { status, body } = await free.ask(`/ext/v1/companies?lei=${bank},${maxrets.toLowerCase()},${bank}`);
    expect(status).toBe(200);
    const alone = async (lei: string) =>
      JSON.parse(await (await free.service.fetch(`/api/v1/lei/${lei}`)).text());
    const companies = [await alone(bank), await alone(maxrets), await alone(bank)];
    expect(body.data.items).toEqual(
      companies.map(({ data }) => ({ lei: data.lei, company: data, problem: null })),
    );
    expect(body.links).toEqual({ self: `/ext/v1/companies?lei=${bank},${maxrets},${bank}` });
    expect(body.meta.licenseNotice).toBe(companies[0].meta.licenseNotice);
  });

  test('reports an error only for the item whose LEI is mistyped, empty or unknown', async () => {
    const { body } = await free.ask(`/ext/v1/companies?lei=${maxrets},no%22lei,,${unknown}`);
    const { baseUrl } = free.service;
    const [found, mistyped, empty, missing] = body.data.items;
    expect([found.lei, found.problem]).toEqual([maxrets, null]);
    const type = `${baseUrl}/problems/invalid-identifier`;
    expect(mistyped).toMatchObject({ lei: 'no"lei', company: null, problem: { type, status: 400 } });
    expect(mistyped.problem.errors).toEqual([{ parameter: 'lei', detail: mistyped.problem.detail }]);
    expect(empty).toMatchObject({ lei: '', company: null, problem: { type, status: 400 } });
    expect(missing).toEqual({
      lei: unknown,
      company: null,
      problem: {
        type: `${baseUrl}/problems/not-found`,
        title: 'Not found',
        status: 404,
        detail: `LEI ${unknown} was not found in dataset version ${body.meta.datasetVersion}.`,
      },
    });
  });

  test('reads an encoded comma as a separator', async () => {
    const address = new URL('/ext/v1/companies', free.service.baseUrl);
    address.searchParams.set('lei', [maxrets, bank].join());
    const body = JSON.parse(await (await fetch(address)).text());
    expect(body.data.items.map(({ lei }: { lei: string }) => lei)).toEqual([maxrets, bank]);
  });

  test('takes up to 100, and states this limit when there are more', async () => {
    const hundred = Array.from({ length: 100 }, () => maxrets).join();
    const { status, body } = await free.ask(`/ext/v1/companies?lei=${hundred}`);
    expect([status, body.data.items.length]).toEqual([200, 100]);
    const refused = await free.ask(`/ext/v1/companies?lei=${hundred},${bank}`);
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toEqual([
      { parameter: 'lei', detail: 'must hold at most 100 values, the maximum of one request; it holds 101' },
    ]);
  });

  test('sends a large answer in parts, with the same bytes as in one piece', async () => {
    const path = `/ext/v1/companies?lei=${Array.from({ length: 50 }, () => `${bank},${maxrets}`).join()}`;
    const ask = (init: RequestInit, coding: string) =>
      free.service.fetch(path, { ...init, headers: { 'Accept-Encoding': coding } });
    const parted = await ask({}, 'identity');
    expect(parted.headers.get('content-length')).toBeNull();
    const text = await parted.text();
    expect(await (await ask({}, 'gzip')).text()).toBe(text);
    const head = await ask({ method: 'HEAD' }, 'identity');
    expect(head.headers.get('etag')).toBe(parted.headers.get('etag'));
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
  });

  test.each([
    ['', 'lei is required: LEIs, separated by commas.'],
    ['?lei=', 'lei must not be empty.'],
    [
      `?lei=${bank}&lei=${bank}`,
      'lei must be given only once: its values go into one, separated by commas, as in lei=A,B.',
    ],
    [`?lei=${bank}&limit=1`, 'limit is not a parameter of this endpoint; its parameters are lei.'],
  ])('refuses %p', async (query, detail) => {
    const { status, body } = await free.ask(`/ext/v1/companies${query}`);
    expect([status, body.detail]).toEqual([400, detail]);
  });

  test('answers HEAD, answers 304 to a current tag, and refuses other methods', async () => {
    const path = `/ext/v1/companies?lei=${bank}`;
    const plain = { headers: { 'Accept-Encoding': 'identity' } };
    const got = await free.service.fetch(path, plain);
    const head = await free.service.fetch(path, { ...plain, method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([
      200,
      String((await got.arrayBuffer()).byteLength),
    ]);
    const tag = got.headers.get('etag') ?? '';
    const again = await free.service.fetch(path, { headers: { ...plain.headers, 'If-None-Match': tag } });
    expect(again.status).toBe(304);
    const posted = await free.service.fetch(path, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    const preflight = await free.service.fetch(path, { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET, HEAD',
    ]);
  });
});

describe('getIdentifiers', () => {
  test('answers each kind as its own operation does', async () => {
    const asked = {
      bic: 'DEUTDEFF',
      isin: 'DE0005140008',
      mic: 'XETR',
      gem: 'E100000001096',
      qcc: 'QSGM6KFM4H',
    };
    for (const [kind, value] of Object.entries(asked)) {
      const { body } = await free.ask(`/ext/v1/identifiers?${kind}=${value.toLowerCase()},x`);
      const alone = JSON.parse(await (await free.service.fetch(`/api/v1/${kind}/${value}`)).text());
      expect(body.data.items[0]).toEqual({ [kind]: value, answer: alone.data, problem: null });
      expect(body.data.items[1]).toMatchObject({ [kind]: 'x', answer: null, problem: { status: 400 } });
      expect(body.meta.licenseNotice).toBe(alone.meta.licenseNotice);
    }
  });

  test('finds the companies of OpenCorporates ids, in either case', async () => {
    const { body } = await free.ask(
      `/ext/v1/identifiers?ocid=SG/199403865n,gb/00000000,gb,${encodeURIComponent('gb/"{value}\\')}`,
    );
    expect(body.data.items).toMatchObject([
      {
        ocid: 'sg/199403865n',
        answer: { ocid: 'sg/199403865n', entities: [{ lei: '2138001KPMR6PD83HC08' }] },
        problem: null,
      },
      { ocid: 'gb/00000000', answer: null, problem: { status: 404 } },
      { ocid: 'gb', answer: null, problem: { status: 400 } },
      { ocid: 'gb/"{value}\\', answer: null, problem: { status: 404 } },
    ]);
    expect(body.data.items[3].problem.detail).toStartWith('OCID gb/"{value}\\ was not found');
  });

  test.each([
    ['', 'isin is required, or another one of bic, isin, mic, gem, qcc, ocid.'],
    [
      '?bic=DEUTDEFF&isin=DE0005140008',
      'isin must be the only one: a request takes exactly one of bic, isin, mic, gem, qcc, ocid.',
    ],
    [
      '?lei=7LTWFZYICNSX8D621K86',
      'lei is not a parameter of this endpoint; its parameters are bic, isin, mic, gem, qcc, ocid.',
    ],
  ])('refuses %p', async (query, detail) => {
    const { status, body } = await free.ask(`/ext/v1/identifiers${query}`);
    expect(status).toBe(400);
    expect(body.detail).toStartWith(detail.slice(0, -1));
  });
});

describe('a batch', () => {
  const left = ({ headers }: { headers: Headers }) => headers.get('ratelimit')?.replace(/;t=\d+/g, '');
  const batch = (size: number) => `/ext/v1/companies?lei=${Array.from({ length: size }, () => bank).join()}`;

  test('costs one look-up per item of the day and of the burst, mistyped ones included', async () => {
    expect(left(await limited.ask(`${batch(3)},x`))).toBe('"daily";r=16, "lookup";r=8');
  });

  test('is refused as a whole if it would exceed a limit, while a smaller one still fits', async () => {
    const refused = await limited.ask(batch(9));
    expect([refused.status, refused.body.violatedPolicies]).toEqual([429, ['lookup']]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(left(refused)).toBe('"daily";r=16, "lookup";r=8');
    expect(left(await limited.ask(batch(2)))).toBe('"daily";r=14, "lookup";r=6');
  });

  test('costs one if it is larger than the limits can ever allow, or is faulty as a whole', async () => {
    const refused = await limited.ask(batch(13));
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [
        {
          parameter: 'lei',
          detail: 'must hold at most 12 values, the maximum that your limits allow; it holds 13',
        },
      ],
    ]);
    expect(left(refused)).toBe('"daily";r=13, "lookup";r=5');
    expect(left(await limited.ask(`${batch(3)}&limit=3`))).toBe('"daily";r=12, "lookup";r=4');
  });

  test('that is more than what is left of the day says how much is left', async () => {
    for (let n = 0; n < 10; n++) await limited.ask('/ext/v1/suggest?q=bank');
    const { status, body } = await limited.ask(batch(3));
    expect([status, body.violatedPolicies]).toEqual([429, ['daily']]);
    expect(body.detail).toStartWith(
      'Of the daily quota of 20 requests 2 are left, and this request counts as more. It',
    );
  });
});
