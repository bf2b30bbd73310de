/**
 * Tests when a request is counted whose body or answer takes long. Units taken at the time of its arrival would rewind the
 * windows of the caller: everything taken meanwhile would come back too early.
 */
import { afterAll, beforeEach, expect, test } from 'bun:test';
import { admitted, admittedPage, startInMemory } from './app-in-memory.ts';

const service = startInMemory();
afterAll(() => service.stop());

const { scene } = service;
const noon = Date.UTC(2026, 10, 28, 12);
const bodySeconds = 10;
/** Seconds since noon. */
let now = 0;
/** Units, and when they were counted. */
let counted: (readonly [units: number, seconds: number])[] = [];

/** The body arrives once the client is known, which costs nothing. */
function count(request: { readonly units: number; readonly now: number }): void {
  counted.push([request.units, (request.now - noon) / 1_000]);
  if (request.units === 0) now += bodySeconds;
}

beforeEach(() => {
  now = 0;
  counted = [];
  scene.answer = () => ({ outcome: 'unavailable', reason: 'queue-full' });
  scene.now = () => noon + now * 1_000;
  scene.admit = (request) => {
    count(request);
    return admitted();
  };
  scene.admitPage = (request) => {
    count(request);
    return admittedPage;
  };
});

const send = (path: string, fields: Readonly<Record<string, string>>) =>
  fetch(`${service.baseUrl}${path}`, { method: 'POST', body: new URLSearchParams(fields) });

test('A batch in a body is counted once the body is there, and is logged with the time of its arrival', async () => {
  await send('/reconcile', { queries: '{"q":{"query":"a bank"}}' });
  expect(counted).toEqual([
    [0, 0],
    [1, bodySeconds],
  ]);
  expect(service.requestsSeen.at(-1)?.time).toBe(noon);
});

test('A list of names in a body is counted once the body is there', async () => {
  await send('/match', { names: 'a bank\nanother bank' });
  expect(counted).toEqual([
    [0, 0],
    [2, bodySeconds],
  ]);
});

test('A failure of the service is counted when it happens', async () => {
  const took = 15;
  scene.answer = () => {
    now += took;
    return { outcome: 'unavailable', reason: 'failed' };
  };
  await fetch(`${service.baseUrl}/api/v1/search?q=a+bank`);
  expect(service.failedAt).toEqual([noon + took * 1_000]);
});
