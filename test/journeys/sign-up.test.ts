import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startTestService, type TestService } from '../support/service.ts';
import { secretPattern } from '../support/signed-in.ts';

const applicant = { email: 'ada@example.com', company: 'Analytical Engines', use: 'Supplier checks' };

describe('signing up on a running service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ environment: { LEI_LIMITS: 'enforce' } });
  });
  afterAll(() => service.stop());

  test('gives a key that works in the next request, with the quota of an account', async () => {
    const form = await (await service.fetch('/signup')).text();
    const name = /name="form" value="([^"]+)"/.exec(form)?.[1] ?? '';
    const body = new URLSearchParams({ ...applicant, form: name });
    const headers = { Origin: service.baseUrl };
    const made = await service.fetch('/signup', { method: 'POST', body, headers });
    expect(made.status).toBe(200);
    expect(made.headers.get('cache-control')).toBe('no-store');
    const page = await made.text();
    const secret = secretPattern.exec(page)?.[0] ?? '';
    // The system chooses the port, and no setting shows it.
    expect(page).toContain(`${service.baseUrl}/api/v1/search?q=bank`);
    const answer = await service.fetch('/api/v1/search?q=bank', {
      headers: { Authorization: `Bearer ${secret}` },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('ratelimit')).toStartWith('"daily";r=999;');
    const again = await service.fetch('/signup', { method: 'POST', body, headers });
    expect(again.status).toBe(409);
    expect(await again.text()).not.toMatch(secretPattern);
    expect(await service.logText()).not.toContain('lei_live_');
  });

  test('cannot be done or read by a script of another site', async () => {
    const form = await service.fetch('/signup', { headers: { Origin: 'https://elsewhere.example' } });
    expect(form.headers.has('access-control-allow-origin')).toBe(false);
    const made = await service.fetch('/signup', {
      method: 'POST',
      body: new URLSearchParams({ ...applicant, email: 'eve@example.com' }),
      headers: { Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' },
    });
    expect(made.status).toBe(403);
    expect(made.headers.has('access-control-allow-origin')).toBe(false);
  });

  test('with a form that is far too long gets a page that says so', async () => {
    const body = new URLSearchParams({ ...applicant, use: 'x'.repeat(3 * 1024 * 1024) });
    const headers = { Origin: service.baseUrl };
    const response = await service.fetch('/signup', { method: 'POST', body, headers });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      413,
      'text/html; charset=utf-8',
    ]);
  });

  test('needs no key and is never counted', async () => {
    const response = await service.fetch('/signup', { headers: { Authorization: 'Bearer nonsense' } });
    expect(response.status).toBe(200);
    expect(response.headers.has('ratelimit')).toBe(false);
  });
});

test('a service with LEI_SIGNUP=off has no sign-up page', async () => {
  const service = await startTestService({ environment: { LEI_SIGNUP: 'off' } });
  try {
    expect((await service.fetch('/signup')).status).toBe(404);
    const body = new URLSearchParams(applicant);
    expect((await service.fetch('/signup', { method: 'POST', body })).status).toBe(404);
  } finally {
    await service.stop();
  }
});
