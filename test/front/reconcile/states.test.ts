/** Tests the reconciliation service in states that real parts rarely reach. */
import { afterAll, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { admitted, company, found, quotaState, startInMemory } from '../http/app-in-memory.ts';
import { form } from './asking.ts';

const service = startInMemory();
const { scene, questions } = service;
afterAll(() => service.stop());

function ask(count: number, headers: Readonly<Record<string, string>> = {}) {
  const queries = Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`q${n}`, { query: `name ${n}` }]),
  );
  return fetch(`${service.baseUrl}/reconcile`, form({ queries }, headers));
}

const none = found({ verdict: 'none', candidates: [] });

test('a batch is repeated on the new publication if the chosen one was just replaced', async () => {
  let asked = 0;
  scene.answer = () => (asked++ === 1 ? { outcome: 'unavailable', reason: 'publication-gone' } : none);
  const response = await ask(3);
  expect([response.status, asked]).toEqual([200, 6]);
  scene.answer = () => ({ outcome: 'unavailable', reason: 'publication-gone' });
  expect((await ask(3)).status).toBe(503);
});

test('a batch with an unanswered query gets 503, is refunded, and says when to come back', async () => {
  let asked = 0;
  scene.answer = () => (asked++ === 2 ? { outcome: 'unavailable', reason: 'queue-full' } : none);
  const response = await ask(3);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
  expect(response.headers.get('ratelimit')).toContain('"daily";r=100');
});

test('a request gets 503 without a publication and while the service stops', async () => {
  scene.accepting = false;
  expect((await ask(1)).status).toBe(503);
  scene.accepting = true;
  scene.active = null;
  for (const path of ['/reconcile', `/reconcile/preview?id=${company.lei}`]) {
    expect((await fetch(service.baseUrl + path)).status).toBe(503);
  }
});

test('a refused batch asks no question', async () => {
  const before = questions.length;
  scene.admit = (request) =>
    request.units === 0
      ? admitted(null)
      : {
          outcome: 'exhausted',
          caller: 'a',
          quota: quotaState,
          violatedPolicies: ['daily'],
          returnsAt: quotaState.now + 7_000,
        };
  const response = await ask(2);
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7']);
  expect(questions.length).toBe(before);
});

test('a large answer arrives complete, coded or not', async () => {
  const features = { name: 1, legalForm: null, country: null, city: null, registrationNumber: null };
  const candidates = Array.from({ length: 10 }, (_, n) => ({
    lei: company.lei,
    name: `Größe ${n} ${'x'.repeat(400)}`,
    country: 'DE',
    score: 0.5,
    features,
  }));
  scene.answer = (question) => {
    if (question.kind !== 'compress') return found({ verdict: 'ambiguous', candidates });
    return { outcome: 'compressed', bytes: new Uint8Array(gzipSync(question.body)) };
  };
  for (const coding of ['identity', 'gzip']) {
    const response = await ask(50, { 'Accept-Encoding': coding });
    const text = await response.text();
    expect(text.length).toBeGreaterThan(128 * 1024);
    const results: Readonly<Record<string, { readonly result: unknown }>> = JSON.parse(text);
    expect(Object.keys(results)).toHaveLength(50);
    expect(results['q49']?.result).toMatchObject(candidates.map(({ name }) => ({ name, match: false })));
  }
});

test('an unforeseen failure gets 503, and is logged', async () => {
  scene.answer = () => found('no match at all');
  expect((await ask(1)).status).toBe(503);
  expect(service.errorLog.at(-1)?.message).toContain('unexpectedly');
});
