import { afterAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import type { QuotaState } from '../../src/ports/ledger.ts';
import { rawRequest } from '../support/raw-socket.ts';
import { company, firstId, found, startInMemory } from './app-in-memory.ts';

const service = startInMemory();
afterAll(() => service.stop());
const ask = (path: string, init?: RequestInit) => fetch(`${service.baseUrl}${path}`, init);

const knownPaths = [
  company.path,
  `${company.path}/relationships`,
  `${company.path}/changes`,
  '/api/v1/search?q=bank',
  '/api/v1/bic/DEUTDEFF',
  '/api/v1/isin/DE0005140008',
  '/api/v1/mic/XETR',
  '/api/v1/gem/E100000001096',
  '/api/v1/qcc/QGBC4N1Y8V',
  '/api/v1/status',
];

describe('methods', () => {
  test('other than GET, HEAD and OPTIONS get 405 with Allow on every known path', async () => {
    for (const path of knownPaths) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const response = await ask(path, { method });
        expect([path, method, response.status]).toEqual([path, method, 405]);
        expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
        expect(response.headers.get('content-type')).toBe('application/problem+json');
      }
    }
  });

  test('that are rare get 405 too', async () => {
    for (const method of ['TRACE', 'PROPFIND', 'LOCK', 'SEARCH', 'PURGE']) {
      expect((await rawRequest(service.port, method, company.path)).status).toBe(405);
    }
  });

  test('on an unknown path get 404', async () => {
    expect((await ask('/api/v1/companies', { method: 'POST' })).status).toBe(404);
    expect((await ask('/api/v2/lei/213800E5Z6QRDSMZMK84')).status).toBe(404);
  });

  test('with a body are answered without parsing the body', async () => {
    const response = await ask(company.path, {
      method: 'POST',
      body: '{"broken',
      headers: { 'Content-Type': 'application/json' },
    });
    expect(response.status).toBe(405);
  });

  test('with a body of any size get a problem before the body has arrived', async () => {
    const body = 'x'.repeat(3 * 1024 * 1024);
    for (const path of [...knownPaths, '/docs']) {
      const response = await ask(path, { method: 'POST', body });
      expect([path, response.status]).toEqual([path, 405]);
      expect(await response.json()).toMatchObject({ status: 405, title: 'Method not allowed' });
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
    }
    const announced = `Host: x\r\nContent-Length: ${2 ** 40}`;
    const socket = connect(service.port, '127.0.0.1');
    const first = new Promise((resolve) => socket.once('data', (piece) => resolve(String(piece))));
    socket.write(`POST ${company.path} HTTP/1.1\r\n${announced}\r\n\r\nx`);
    expect(await first).toStartWith('HTTP/1.1 405 ');
    socket.destroy();
  });
});

describe('OPTIONS', () => {
  test('gets 204 on every path, with preflight headers', async () => {
    for (const path of [...knownPaths, '/api/v1/companies']) {
      const response = await ask(path, {
        method: 'OPTIONS',
        headers: {
          Origin: 'https://app.example',
          'Access-Control-Request-Method': 'GET',
          'Access-Control-Request-Headers': 'authorization',
        },
      });
      expect([path, response.status]).toEqual([path, 204]);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-allow-methods')).toBe('GET, HEAD');
      expect(response.headers.get('access-control-allow-headers')).toBe(
        'Authorization, If-None-Match, If-Modified-Since',
      );
      expect(response.headers.get('access-control-max-age')).toBe('7200');
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
      expect(await response.text()).toBe('');
    }
  });
});

describe('HEAD', () => {
  /** An answer without the parts that differ between any two requests. */
  const comparable = (answer: Awaited<ReturnType<typeof rawRequest>>) => {
    const headers = new Map(answer.headers);
    const date = headers.get('date');
    headers.set('date', date === undefined ? 'missing' : 'present');
    return { status: answer.status, headers: Object.fromEntries([...headers].sort()) };
  };
  const id = 'X-Request-Id: same';

  test('has the status and the headers of GET, Content-Length included, and no body', async () => {
    service.scene.now = () => 0;
    const paths = [
      ...knownPaths,
      '/api/v1/lei/123',
      '/api/v1/search',
      '/api/v1/companies',
      '/docs',
      '/openapi.json',
      '/robots.txt',
      '/problems/not-found',
      '/nowhere',
    ];
    for (const path of paths) {
      const get = await rawRequest(service.port, 'GET', path, [id]);
      const head = await rawRequest(service.port, 'HEAD', path, [id]);
      expect(comparable(head)).toEqual(comparable(get));
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.body)));
      expect(head.body).toBe('');
    }
  });

  test('gets 304 whenever GET does, with the same headers', async () => {
    const get = await rawRequest(service.port, 'GET', company.path, [id, 'If-None-Match: *']);
    const head = await rawRequest(service.port, 'HEAD', company.path, [id, 'If-None-Match: *']);
    expect(get.status).toBe(304);
    expect(comparable(head)).toEqual(comparable(get));
  });

  test('has the length in bytes, not in characters', async () => {
    service.scene.answer = () => found({ name: 'Łódź 株式会社' });
    const get = await rawRequest(service.port, 'GET', company.path);
    const head = await rawRequest(service.port, 'HEAD', company.path);
    expect(Number(head.headers.get('content-length'))).toBe(Buffer.byteLength(get.body));
  });

  test('sends one Date, like GET', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { headerNames } = await rawRequest(service.port, method, company.path);
      expect(headerNames.filter((name) => name.toLowerCase() === 'date')).toHaveLength(1);
    }
  });
});

describe('every answer', () => {
  test('forbids browsers to guess its media type', async () => {
    const paths = [...knownPaths, '/api/v1/lei/123', '/api/v1/nothing', '/docs', '/openapi.json', '/nowhere'];
    for (const path of paths) {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE']) {
        const { headers } = await ask(path, { method });
        expect([path, method, headers.get('x-content-type-options')]).toEqual([path, method, 'nosniff']);
      }
    }
    const current = await ask(company.path, { headers: { 'If-None-Match': '*' } });
    expect([current.status, current.headers.get('x-content-type-options')]).toEqual([304, 'nosniff']);
  });

  test('is readable by scripts of any origin, errors too, and varies only by Accept-Encoding', async () => {
    const answers = [
      await ask(company.path),
      await ask(company.path, { headers: { 'If-None-Match': '*' } }),
      await ask('/api/v1/lei/123'),
      await ask('/api/v1/companies'),
      await ask(company.path, { method: 'DELETE' }),
      await ask('/api/v1/status'),
      await ask('/openapi.json'),
      await ask('/docs'),
      await ask('/nowhere'),
    ];
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-expose-headers')).toBe(
        'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, Server-Timing, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id',
      );
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('vary')).toBe('Accept-Encoding');
    }
  });

  test('repeats the client’s request id in its header, in the problem and to the observer', async () => {
    const response = await ask('/api/v1/lei/123', { headers: { 'X-Request-Id': 'My.own_id-1' } });
    expect(response.headers.get('x-request-id')).toBe('My.own_id-1');
    expect(await response.json()).toMatchObject({ instance: 'urn:request:My.own_id-1' });
    expect(service.requestsSeen.at(-1)).toMatchObject({ requestId: 'My.own_id-1', status: 400 });
  });

  test('is reported to the observer with caller, publication, route without the identifier, and duration', async () => {
    const { requestsSeen, scene } = service;
    scene.now = () => 1_790_000_000_123;
    await ask(`${company.path}?key=secret`);
    await ask(`${company.path}/changes`);
    await ask('/problems/not-found?key=secret');
    await ask('/api/v1/lei_live_secret');
    const common = { time: scene.now(), method: 'GET' };
    expect(requestsSeen.slice(-4)).toMatchObject([
      { ...common, route: '/api/v1/lei/{lei}', status: 400, caller: 'anonymous-1', datasetVersion: null },
      { ...common, route: '/api/v1/lei/{lei}/changes', status: 200, datasetVersion: firstId },
      { ...common, route: 'page', status: 200, caller: null, datasetVersion: null },
      { ...common, route: 'unknown', status: 404, caller: null, datasetVersion: null },
    ]);
    for (const { durationMs } of requestsSeen.slice(-4)) expect(durationMs).toBeGreaterThan(0);
  });

  test('has a new request id if the client sent none or an unsafe one', async () => {
    const ids = new Set<string>();
    const given = [undefined, '', 'a'.repeat(129), 'two words', 'a/b', 'semi;colon', 'é', '"x"'];
    for (const id of given) {
      const response = await ask(company.path, id === undefined ? {} : { headers: { 'X-Request-Id': id } });
      const own = response.headers.get('x-request-id') ?? '';
      expect(own).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
      ids.add(own);
    }
    expect(ids.size).toBe(given.length);
    expect(
      (await ask(company.path, { headers: { 'X-Request-Id': 'a'.repeat(128) } })).headers.get('x-request-id'),
    ).toBe('a'.repeat(128));
  });

  test('links problems under LEI_BASE_URL, never under the Host header', async () => {
    const behindProxy = startInMemory({ LEI_BASE_URL: 'https://lei.example/' });
    const response = await fetch(`${behindProxy.baseUrl}/api/v1/lei/123`, {
      headers: { Host: 'evil.example' },
    });
    const problem: unknown = await response.json();
    await behindProxy.stop();
    expect(problem).toMatchObject({ type: 'https://lei.example/problems/invalid-identifier' });
  });
});

describe('answers in flight at the same time', () => {
  test('never share a header value', async () => {
    let seen = 0;
    service.scene.admit = () => {
      seen++;
      const quota: QuotaState = {
        now: (seen - 1) * 1_000,
        policy: { daily: seen, lookup: seen, search: seen },
        window: 'lookup',
        dailyLeft: seen,
        burstLeft: seen,
        dailyReturnsAt: seen * 1_000,
        burstReturnsAt: seen * 1_000,
      };
      return { outcome: 'admitted', quota, policy: quota.policy, caller: 'c', refund: () => quota };
    };
    // Every answer waits for all requests to arrive, so all are made in one tick.
    const all = Promise.withResolvers<void>();
    let waiting = 0;
    const together = 60;
    service.scene.answer = async (question) => {
      waiting++;
      if (waiting === together) all.resolve();
      await all.promise;
      return found(question);
    };
    const answers = await Promise.all(
      Array.from({ length: together }, async (_, index) => {
        const mic = index.toString(36).padStart(4, 'A').toUpperCase();
        const response = await ask(`/api/v1/mic/${mic}`, { headers: { 'X-Request-Id': `id-${index}` } });
        const body: unknown = await response.json();
        expect(response.headers.get('x-request-id')).toBe(`id-${index}`);
        expect(body).toMatchObject({ data: { value: mic }, links: { self: `/api/v1/mic/${mic}` } });
        const remaining = response.headers.get('x-ratelimit-remaining') ?? '';
        const left = `"daily";r=${remaining};t=1, "lookup";r=${remaining};t=1`;
        expect(response.headers.get('ratelimit')).toBe(left);
        const policy = `"daily";q=${remaining};w=86400, "lookup";q=${remaining};w=60`;
        expect(response.headers.get('ratelimit-policy')).toBe(policy);
        expect(response.headers.get('x-ratelimit-limit')).toBe(remaining);
        expect(response.headers.get('x-ratelimit-reset')).toBe(remaining);
        return { etag: response.headers.get('etag'), remaining };
      }),
    );
    expect(new Set(answers.map(({ etag }) => etag)).size).toBe(together);
    expect(new Set(answers.map(({ remaining }) => remaining)).size).toBe(together);
  });
});
