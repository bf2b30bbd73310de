/** Tests the whole service over the sample from outside. */
import { afterAll, beforeAll, describe, expect, setSystemTime, test } from 'bun:test';
import fc from 'fast-check';
import { controlClient } from '../../src/protocol/control-client.ts';
import { layout } from '../../src/publication/layout.ts';
import { decoders } from '../support/decoders.ts';
import { rawRequest } from '../support/raw-socket.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function json(path: string, init?: RequestInit) {
  return JSON.parse(await (await service.fetch(path, init)).text());
}

/** Rows of every page, with the limits taken in turn. */
async function traverse(query: string, limits: readonly number[]): Promise<readonly string[]> {
  const rows: string[] = [];
  let cursor: string | undefined;
  for (let step = 0; step === 0 || cursor !== undefined; step++) {
    const next = cursor === undefined ? '' : `&cursor=${cursor}`;
    const body = await json(`/api/v1/search?${query}&limit=${limits[step % limits.length]}${next}`);
    rows.push(...body.data.items.map(({ lei }: { lei: string }) => lei));
    cursor = body.links.next;
  }
  return rows;
}

describe('a traversal of a search', () => {
  test('returns the same rows in the same order with any limits, and as many as `total` says (property)', async () => {
    const queries = ['q=bank', 'q=fund&status=ISSUED', 'q=gmbh&country=DE', 'q=lim'];
    const whole = new Map<string, readonly string[]>();
    for (const query of queries) {
      const rows = await traverse(query, [100]);
      expect(rows).toHaveLength((await json(`/api/v1/search?${query}`)).data.total);
      expect(new Set(rows).size).toBe(rows.length);
      whole.set(query, rows);
    }
    const limits = fc.array(fc.integer({ min: 15, max: 100 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...queries), limits, async (query, sequence) => {
        expect(await traverse(query, sequence)).toEqual(whole.get(query) ?? []);
      }),
      { numRuns: 12 },
    );
  });
});

test('the uptime does not decrease when the clock is set back', async () => {
  setSystemTime(Date.now() - 86_400_000);
  try {
    expect((await json('/api/v1/status')).data.uptimeSeconds).toBeGreaterThanOrEqual(0);
    const told = await controlClient(layout(service.dataDir)).send({ op: 'status' });
    expect(JSON.stringify(told)).toMatch(/"uptimeSeconds":\d/);
  } finally {
    setSystemTime();
  }
});

describe('a large answer', () => {
  const path = '/api/v1/lei/213800USCE9Y111R4656/relationships';

  test('has the same body in every coding from the query threads', async () => {
    const plain = await service.fetch(path, { headers: { 'Accept-Encoding': 'identity' } });
    const body = await plain.text();
    expect(Buffer.byteLength(body)).toBeGreaterThan(4096);
    for (const [coding, decode] of Object.entries(decoders)) {
      const response = await service.fetch(path, {
        decompress: false,
        headers: { 'Accept-Encoding': coding },
      });
      expect(response.headers.get('content-encoding')).toBe(coding);
      expect(decode(await response.bytes()).toString()).toBe(body);
      const tag = response.headers.get('etag') ?? '';
      const again = await service.fetch(path, {
        headers: { 'Accept-Encoding': coding, 'If-None-Match': tag },
      });
      expect(again.status).toBe(304);
    }
  });
});

describe('an answer', () => {
  test('has the rate-limit headers of the real quota, one request less each time', async () => {
    const limited = await startTestService({
      environment: { LEI_LIMITS: 'enforce', LEI_ANONYMOUS_DAILY: '3' },
    });
    const statuses: (readonly [number, string | null])[] = [];
    for (let i = 0; i < 4; i++) {
      const response = await limited.fetch('/api/v1/lei/213800E5Z6QRDSMZMK84');
      statuses.push([response.status, response.headers.get('x-ratelimit-remaining')]);
    }
    await limited.stop();
    expect(statuses).toEqual([
      [200, '2'],
      [200, '1'],
      [200, '0'],
      [429, '0'],
    ]);
  });

  test('for an 8-character BIC equals the one for its 11-character form', async () => {
    const short = await json('/api/v1/bic/deutdeff');
    const long = await json('/api/v1/bic/DEUTDEFFXXX');
    expect(short.data).toEqual(long.data);
    expect(short.data.bic).toBe('DEUTDEFFXXX');
    expect(short.links.self).toBe('/api/v1/bic/DEUTDEFF');
    expect(short.meta.licenseNotice).toContain('SWIFT © and database rights 2026-01-30.');
  });

  test('for a search text of 2 to 500 signs that are no letters is empty', async () => {
    for (const q of ['!!', '\u{1f3e6}'.repeat(2), '\u{1f3e6}'.repeat(500)]) {
      const { data, links } = await json(`/api/v1/search?q=${encodeURIComponent(q)}`);
      expect(data).toEqual({ query: { q, country: null, status: null }, total: 0, items: [] });
      expect(links.next).toBeUndefined();
    }
  });

  test('for several LEIs in one search text has their companies with score 1, in order of LEI', async () => {
    const { data } = await json('/api/v1/search?q=7LTWFZYICNSX8D621K86+029200156B8S2G1I9C02');
    const found = data.items.map(({ lei, score }: { lei: string; score: number }) => [lei, score]);
    expect(found).toEqual([
      ['029200156B8S2G1I9C02', 1],
      ['7LTWFZYICNSX8D621K86', 1],
    ]);
  });

  test('in several scripts has the Content-Length of its bytes, on GET and HEAD', async () => {
    for (const lei of ['54930053HGCFWVHYZX42', '5493008JZL5CRK3VS565', '7LTWFZYICNSX8D621K86']) {
      const get = await rawRequest(service.port, 'GET', `/api/v1/lei/${lei}`);
      const head = await rawRequest(service.port, 'HEAD', `/api/v1/lei/${lei}`);
      expect(get.headers.get('content-length')).toBe(String(Buffer.byteLength(get.body)));
      expect(head.headers.get('content-length')).toBe(get.headers.get('content-length') ?? '');
      expect(JSON.parse(get.body).data.lei).toBe(lei);
    }
  });
});

/** Each test starts two services, which is slow on a busy machine. */
describe('a restart', () => {
  test('keeps cursors and Last-Modified valid', async () => {
    const before = await startTestService();
    const address = '/api/v1/search?q=bank&limit=5';
    const first = await before.fetch(address);
    const { links } = JSON.parse(await first.text());
    await before.stop();
    const after = await startTestService({ dataDir: before.dataDir });
    const next = await after.fetch(`${address}&cursor=${links.next}`);
    expect(next.status).toBe(200);
    const again = await after.fetch(address);
    expect(again.headers.get('last-modified')).toBe(first.headers.get('last-modified'));
    await after.stop();
  });

  test('with a fixed base URL keeps entity tags valid too', async () => {
    const environment = { LEI_BASE_URL: 'https://lei.example' };
    const before = await startTestService({ environment });
    const tag = (await before.fetch('/api/v1/mic/XETR')).headers.get('etag') ?? '';
    await before.stop();
    const after = await startTestService({ dataDir: before.dataDir, environment });
    const response = await after.fetch('/api/v1/mic/XETR', { headers: { 'If-None-Match': tag } });
    await after.stop();
    expect(response.status).toBe(304);
  });
});
