/** Tests the reconciliation service in states that real parts rarely reach. */
import { afterAll, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { noNotices } from '../../src/lei/notices.ts';
import type { Answer, Question } from '../../src/protocol/questions.ts';
import { reconcileLimits } from '../../src/reconcile/task.ts';
import { admitted, company, quotaState, startInMemory } from '../http/app-in-memory.ts';
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

/** So many queries cross together, and a batch of two more takes two questions. */
const together = reconcileLimits.queriesTogetherMax;

/** The answer of a query thread to a few queries: no candidates. */
const none = (question: Question) => membersOf(question, []);

function membersOf(question: Question, result: readonly unknown[]): Answer {
  const queries = question.kind === 'reconcile' ? question.queries : [];
  const members = queries.map(({ name }) => `${JSON.stringify(name)}:${JSON.stringify({ result })}`).join();
  return { outcome: 'found', data: Buffer.from(members), next: null, notices: noNotices };
}

test('a batch is repeated on the new publication if the chosen one was just replaced', async () => {
  let asked = 0;
  scene.answer = (question) =>
    asked++ === 1 ? { outcome: 'unavailable', reason: 'publication-gone' } : none(question);
  const response = await ask(together + 2);
  expect([response.status, asked]).toEqual([200, 4]);
  scene.answer = () => ({ outcome: 'unavailable', reason: 'publication-gone' });
  expect((await ask(3)).status).toBe(503);
});

test('a batch with an unanswered query gets 503, pays for those that were computed, and says when to come back', async () => {
  let asked = 0;
  const computed: (number | undefined)[] = [];
  scene.admit = () => {
    const admission = admitted();
    if (admission.outcome !== 'admitted') return admission;
    const { refund } = admission;
    const refundRest = (units?: number) => {
      computed.push(units);
      return refund(units);
    };
    return { ...admission, refund: refundRest };
  };
  scene.answer = (question) =>
    asked++ === 1 ? { outcome: 'unavailable', reason: 'queue-full' } : none(question);
  const response = await ask(together + 2);
  scene.admit = () => admitted();
  expect(computed).toEqual([together]);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
  expect(response.headers.get('ratelimit')).toContain('"daily";r=100');
});

test('a batch for which there is no time gets 503 before any of it is asked, and costs nothing', async () => {
  const before = questions.length;
  scene.hasTime = false;
  const response = await ask(12);
  scene.hasTime = true;
  expect([response.status, questions.length]).toEqual([503, before]);
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
  const result = Array.from({ length: 10 }, (_, n) => ({
    id: company.lei,
    name: `Größe ${n} ${'x'.repeat(400)}`,
  }));
  scene.answer = (question) => {
    if (question.kind !== 'compress') return membersOf(question, result);
    return { outcome: 'compressed', bytes: new Uint8Array(gzipSync(question.body)) };
  };
  for (const coding of ['identity', 'gzip']) {
    const response = await ask(50, { 'Accept-Encoding': coding });
    const text = await response.text();
    expect(text.length).toBeGreaterThan(128 * 1024);
    const names = Array.from({ length: 50 }, (_, n) => `q${n}`);
    expect(JSON.parse(text)).toEqual(Object.fromEntries(names.map((name) => [name, { result }])));
  }
});

test('an unforeseen failure gets 503, and is logged', async () => {
  scene.answer = () => ({ outcome: 'not-found' });
  expect((await ask(1)).status).toBe(503);
  expect(service.errorLog.at(-1)?.message).toContain('unexpectedly');
  expect(service.failures).toHaveLength(1);
});
