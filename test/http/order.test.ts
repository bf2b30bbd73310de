import { afterAll, describe, expect, test } from 'bun:test';
import type { Answer, Unavailability } from '../../src/protocol/questions.ts';
import { admitted, company, found, quotaState, type Scene, startInMemory } from './app-in-memory.ts';

const service = startInMemory();
afterAll(() => service.stop());
const { scene, questions } = service;
const defaults = { ...scene };

const ask = (path: string, init?: RequestInit) => fetch(`${service.baseUrl}${path}`, init);
const unauthorized = () => ({ outcome: 'unauthorized', quota: null, caller: 'c' }) as const;
const exhausted = () =>
  ({
    outcome: 'exhausted',
    quota: quotaState,
    caller: 'c',
    violatedPolicies: ['lookup'],
    returnsAt: quotaState.now + 11_001,
  }) as const;
const badPath = '/api/v1/lei/123?limit=5';

describe('a request with several faults is refused for the first of them', () => {
  test('method before key: 405, without consulting access', async () => {
    let asked = 0;
    scene.admit = () => {
      asked++;
      return unauthorized();
    };
    const response = await ask(badPath, { method: 'DELETE' });
    expect(response.status).toBe(405);
    expect(asked).toBe(0);
  });

  test('key before address: 401', async () => {
    scene.admit = unauthorized;
    expect((await ask(badPath)).status).toBe(401);
  });

  test('quota before address: 429', async () => {
    scene.admit = exhausted;
    expect((await ask(badPath)).status).toBe(429);
  });

  test('address before the state of the service: 400 even without a publication', async () => {
    scene.active = null;
    expect((await ask(badPath)).status).toBe(400);
    expect((await ask(company.path)).status).toBe(503);
  });

  test('existence before the condition: a missing company is 404 although If-None-Match is "*"', async () => {
    scene.answer = () => ({ outcome: 'not-found' });
    expect((await ask(company.path, { headers: { 'If-None-Match': '*' } })).status).toBe(404);
    scene.answer = () => found({});
    expect((await ask(company.path, { headers: { 'If-None-Match': '*' } })).status).toBe(304);
  });

  test('a refused request does not reach the query threads', async () => {
    scene.admit = unauthorized;
    await ask(company.path);
    scene.admit = exhausted;
    await ask(company.path);
    scene.admit = () => admitted();
    await ask(badPath);
    await ask(company.path, { method: 'POST' });
    await ask(company.path, { method: 'OPTIONS' });
    expect(questions).toEqual([]);
  });
});

describe('401', () => {
  test('explains how to authenticate, is not cached, and shows no account', async () => {
    scene.admit = unauthorized;
    const response = await ask(company.path);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="lei", error="invalid_token"');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('ratelimit')).toBeNull();
    expect(await response.json()).toMatchObject({
      type: `${service.baseUrl}/problems/unauthorized`,
      title: 'Unauthorized',
      status: 401,
    });
  });
});

describe('429', () => {
  test('names the exceeded policy and has Retry-After in whole seconds', async () => {
    scene.admit = exhausted;
    const response = await ask(company.path);
    expect(response.headers.get('retry-after')).toBe('12');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('ratelimit')).toBe('"daily";r=99;t=100, "lookup";r=299;t=60');
    expect(await response.json()).toMatchObject({
      type: `${service.baseUrl}/problems/rate-limited`,
      detail: expect.stringContaining(
        'No more than 300 identifier look-ups are allowed in 60 seconds. Try again in 12 s.',
      ),
      violatedPolicies: ['lookup'],
    });
  });

  const detailOf = async (answer: Promise<Response>): Promise<string> =>
    JSON.parse(await (await answer).text()).detail;

  test('names the sign-up page to callers without a key, and so does its problem page', async () => {
    scene.admit = exhausted;
    const advice = `A free account, made at ${service.baseUrl}/signup, has 1000 requests a day of its own.`;
    expect(await detailOf(ask(company.path))).toEndWith(` Try again in 12 s. ${advice}`);
    const headers = { Authorization: 'Bearer lei_live_x' };
    expect(await detailOf(ask(company.path, { headers }))).toEndWith(' Try again in 12 s.');
    expect(await (await ask('/problems/rate-limited')).text()).toContain(
      'a <a href="/signup">free account</a>',
    );
    expect(await (await ask('/problems/unauthorized')).text()).not.toContain('free account');
  });

  test('names no sign-up page if LEI_SIGNUP is off', async () => {
    const closed = startInMemory({ LEI_SIGNUP: 'off' });
    try {
      closed.scene.admit = exhausted;
      expect(await detailOf(fetch(`${closed.baseUrl}${company.path}`))).toEndWith(' Try again in 12 s.');
      expect(await (await fetch(`${closed.baseUrl}/problems/rate-limited`)).text()).not.toContain('/signup');
    } finally {
      await closed.stop();
    }
  });
});

describe('503', () => {
  const unavailable = (reason: Unavailability) => ({
    answer: (): Answer => ({ outcome: 'unavailable', reason }),
  });
  const states: readonly (readonly [string, Partial<Scene>])[] = [
    ['while no publication is active', { active: null }],
    ['while the service shuts down', { accepting: false }],
    ['when the queue is full', { ...unavailable('queue-full'), atOnce: true }],
    ['when the answer takes too long', unavailable('timeout')],
    ['when the query thread failed', unavailable('failed')],
  ];

  for (const [when, change] of states) {
    test(`${when} has Retry-After, is not cached and costs the caller nothing`, async () => {
      Object.assign(scene, change);
      const response = await ask(company.path);
      expect(response.status).toBe(503);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(response.headers.get('cache-control')).toBe('no-store');
      // The value after a `refund` of the test's admission.
      expect(response.headers.get('x-ratelimit-remaining')).toBe('100');
    });
  }

  test('is logged with its request: our fault as an error, a temporary state as a warning, a status request not at all', async () => {
    const logging = startInMemory();
    try {
      const headers = { 'X-Request-Id': 'told-1' };
      for (const [, change] of states) {
        Object.assign(logging.scene, { ...defaults, ...change });
        await fetch(`${logging.baseUrl}${company.path}`, { headers });
      }
      Object.assign(logging.scene, { ...defaults, active: null });
      expect((await fetch(`${logging.baseUrl}/api/v1/status`)).status).toBe(503);
      expect(logging.errorLog).toEqual([
        {
          message: 'Answered 503: The service failed to produce the answer. Its log says why.',
          fields: { requestId: 'told-1', traceId: null },
        },
      ]);
      expect(logging.warnings).toEqual([
        'Answered 503: No publication is active yet.',
        'Answered 503: The service is overloaded.',
        'Answered 503: The answer took too long.',
      ]);
    } finally {
      await logging.stop();
    }
  });

  test('answers an unforeseen error, with the stack trace in the log only', async () => {
    scene.answer = () => {
      throw new TypeError('secret detail of the code');
    };
    const response = await ask(company.path, { headers: { 'X-Request-Id': 'bug-1' } });
    const text = await response.text();
    expect(response.status).toBe(503);
    expect(JSON.parse(text)).toMatchObject({
      type: `${service.baseUrl}/problems/internal`,
      instance: 'urn:request:bug-1',
    });
    expect(text).not.toContain('secret detail');
    const logged = service.errorLog.at(-1);
    expect(logged?.fields).toMatchObject({ requestId: 'bug-1', error: expect.any(TypeError) });
    expect(response.headers.get('x-ratelimit-remaining')).toBe('100');
  });

  test('answers an unforeseen error before the request has begun, whatever its method', async () => {
    scene.now = () => {
      throw new TypeError('secret detail of the code');
    };
    for (const method of ['GET', 'POST', 'SEARCH']) {
      const response = await ask(company.path, { method });
      expect([method, response.status]).toEqual([method, 503]);
      expect(await response.json()).toMatchObject({ type: `${service.baseUrl}/problems/internal` });
    }
  });

  test('answers an unforeseen error after a query thread’s answer too', async () => {
    scene.answer = () => ({ outcome: 'compressed', bytes: new Uint8Array(1) });
    const response = await ask(company.path);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ type: `${service.baseUrl}/problems/internal` });
    expect(service.errorLog.at(-1)?.fields).toMatchObject({ error: expect.any(Error) });
    expect(response.headers.get('x-ratelimit-remaining')).toBe('100');
    expect(service.failures).not.toEqual([]);
  });

  test('answers an unforeseen error in access too', async () => {
    scene.admit = () => {
      throw new Error('the state is gone');
    };
    const response = await ask(company.path);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ type: `${service.baseUrl}/problems/internal` });
  });
});

describe('the burst window of a request', () => {
  const paths = {
    lookup: [
      company.path,
      '/api/v1/bic/DEUTDEFF',
      '/api/v1/isin/DE0005140008',
      '/api/v1/mic/XETR',
      '/api/v1/gem/E100000001096',
      '/api/v1/qcc/QGBC4N1Y8V',
    ],
    search: ['/api/v1/search?q=bank', `${company.path}/relationships`, `${company.path}/changes`],
  };

  for (const [window, counted] of Object.entries(paths)) {
    test(`is that of a ${window} for ${counted.length} operations`, async () => {
      const windows: string[] = [];
      scene.admit = (request) => {
        windows.push(request.window);
        return admitted();
      };
      for (const path of counted) expect([path, (await ask(path)).status]).toEqual([path, 200]);
      expect(windows).toEqual(counted.map(() => window));
    });
  }
});

describe('the rate-limit headers', () => {
  const names = [
    'ratelimit',
    'ratelimit-policy',
    'x-ratelimit-limit',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
  ];
  const present = (response: Response) => names.filter((name) => response.headers.has(name));

  test('are present on 200, 304, 400, 401, 404, 429 and 503 of a counted endpoint', async () => {
    expect(present(await ask(company.path))).toEqual(names);
    expect(present(await ask(company.path, { headers: { 'If-None-Match': '*' } }))).toEqual(names);
    expect(present(await ask(badPath))).toEqual(names);
    scene.answer = () => ({ outcome: 'not-found' });
    expect(present(await ask(company.path))).toEqual(names);
    scene.active = null;
    expect(present(await ask(company.path))).toEqual(names);
    scene.admit = exhausted;
    expect(present(await ask(company.path))).toEqual(names);
    scene.admit = () => ({ ...unauthorized(), quota: quotaState });
    expect(present(await ask(company.path))).toEqual(names);
  });

  test('are absent from 405, OPTIONS, the status endpoint and unknown paths', async () => {
    expect(present(await ask(company.path, { method: 'PUT' }))).toEqual([]);
    expect(present(await ask(company.path, { method: 'OPTIONS' }))).toEqual([]);
    expect(present(await ask('/api/v1/status'))).toEqual([]);
    expect(present(await ask('/api/v1/companies'))).toEqual([]);
  });

  test('are absent if access returns none (LEI_LIMITS=off), even after answers that had them', async () => {
    await ask(company.path);
    scene.admit = () => admitted(null);
    expect(present(await ask(company.path))).toEqual([]);
    expect(present(await ask(company.path, { headers: { 'If-None-Match': '*' } }))).toEqual([]);
    expect(present(await ask(badPath))).toEqual([]);
  });
});

describe('the status endpoint', () => {
  test('ignores query and Authorization', async () => {
    scene.admit = unauthorized;
    const response = await ask('/api/v1/status?limit=0&limit=x&%zz', {
      headers: { Authorization: 'Bearer nonsense' },
    });
    expect(response.status).toBe(200);
  });

  test('gets a 503 problem with Retry-After while there is no publication', async () => {
    scene.active = null;
    const response = await ask('/api/v1/status');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(response.headers.get('content-type')).toBe('application/problem+json');
  });

  test('gets a 503 problem while the service shuts down', async () => {
    scene.accepting = false;
    const response = await ask('/api/v1/status');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await response.json()).toMatchObject({ detail: 'The service is shutting down.' });
  });

  test('shows a running load', async () => {
    scene.loading = { phase: 'read', progress: 0.5, startedAt: '2024-05-05T02:00:00Z' };
    expect(await (await ask('/api/v1/status')).json()).toMatchObject({
      data: { status: 'loading', loading: { phase: 'read', progress: 0.5 } },
      links: { self: '/api/v1/status' },
    });
  });

  test('has an entity tag derived from its body', async () => {
    scene.now = () => 0;
    const first = (await ask('/api/v1/status')).headers.get('etag') ?? '';
    const again = await ask('/api/v1/status', { headers: { 'If-None-Match': first } });
    expect(again.status).toBe(304);
    expect(again.headers.get('etag')).toBe(first);
    scene.loading = { phase: 'read', progress: 0.5, startedAt: '2024-05-05T02:00:00Z' };
    const later = await ask('/api/v1/status', { headers: { 'If-None-Match': first } });
    expect(later.status).toBe(200);
    expect(later.headers.get('etag')).not.toBe(first);
  });

  test('ignores If-Modified-Since, because its body changes without a new publication', async () => {
    const response = await ask('/api/v1/status', {
      headers: { 'If-Modified-Since': 'Fri, 31 Dec 2100 00:00:00 GMT' },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('last-modified')).toBe('Sun, 05 May 2024 01:02:03 GMT');
  });
});
