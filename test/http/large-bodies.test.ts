import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import zlib from 'node:zlib';
import { bodyLimits } from '../../src/http/bodies/limits.ts';
import type { Question } from '../../src/protocol/questions.ts';
import { admitted, company, found, quotaState, startInMemory } from './app-in-memory.ts';

const service = startInMemory();
const sockets: Socket[] = [];
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await service.stop();
});

const path = `${company.path}/relationships`;
/** Random text, which compression does not shrink. */
const children = Array.from({ length: 400_000 }, (_, n) => Math.imul(n + 1, 0x9e3779b1) >>> 0);
const large = { children };

beforeEach(() => {
  service.scene.answer = (question: Question) =>
    question.kind === 'compress'
      ? { outcome: 'compressed', bytes: new Uint8Array(zlib.gzipSync(question.body)) }
      : found(large);
});

const ask = (coding: string, method = 'GET') =>
  fetch(`${service.baseUrl}${path}`, { method, headers: { 'Accept-Encoding': coding } });

describe('a body of several megabytes', () => {
  test('decodes to the same bytes in each coding, and has a tag per coding', async () => {
    const tags = new Set<string | null>();
    for (const coding of ['identity', 'gzip']) {
      const answer = await ask(coding);
      expect(await answer.json()).toMatchObject({ data: large });
      tags.add(answer.headers.get('etag'));
    }
    expect(tags.size).toBe(2);
  });

  test('has its tag and its length on HEAD, and no length on GET', async () => {
    for (const coding of ['identity', 'gzip']) {
      const get = await fetch(`${service.baseUrl}${path}`, {
        headers: { 'Accept-Encoding': coding },
        decompress: false,
      });
      const head = await ask(coding, 'HEAD');
      expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
      expect(head.headers.get('content-encoding')).toBe(get.headers.get('content-encoding'));
      expect(Number(head.headers.get('content-length'))).toBe((await get.arrayBuffer()).byteLength);
      // Bun sends a stream in chunks (decision 066).
      expect(get.headers.get('content-length')).toBeNull();
    }
  });

  test('is sent uncoded if no thread has time to compress it', async () => {
    service.scene.answer = (question) =>
      question.kind === 'compress' ? { outcome: 'unavailable', reason: 'queue-full' } : found(large);
    const answer = await ask('gzip');
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(await answer.json()).toMatchObject({ data: large });
  });

  test('leaves the connection open for the next request', async () => {
    const answer = await ask('identity');
    expect(answer.headers.get('connection')).not.toBe('close');
    await answer.arrayBuffer();
  });
});

test('a body below the size that is accounted for has a Content-Length', async () => {
  const text = 'x'.repeat(bodyLimits.weighedBytes - 2_000);
  service.scene.answer = () => found({ text });
  const answer = await ask('identity');
  const { byteLength } = await answer.arrayBuffer();
  expect(byteLength).toBeLessThanOrEqual(bodyLimits.weighedBytes);
  expect(answer.headers.get('content-length')).toBe(String(byteLength));
});

test('a client with its share of the budget in flight gets 503, pays nothing and occupies no thread; others are answered', async () => {
  const text = 'x'.repeat(bodyLimits.clientInFlightBytesMax);
  service.scene.answer = () => found({ text });
  const socket = connect(service.port, '127.0.0.1', () =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`),
  );
  sockets.push(socket);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  service.questions.length = 0;
  const refused = await ask('identity');
  expect(refused.status).toBe(503);
  expect(refused.headers.get('content-type')).toBe('application/problem+json');
  expect(refused.headers.get('cache-control')).toBe('no-store');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.headers.get('x-ratelimit-remaining')).toBe(String(quotaState.policy.daily));
  expect(await refused.json()).toMatchObject({
    status: 503,
    title: 'Service unavailable',
    detail: 'Too many large answers are being sent to this client, or it reads them too slowly.',
  });
  expect((await fetch(`${service.baseUrl}/gleif/api/v1/lei-records`)).status).toBe(503);
  expect(service.questions).toEqual([]);
  // Its other questions are answered, and so are other clients.
  expect((await fetch(`${service.baseUrl}${company.path.replace('/lei/', '/bic/')}`)).status).not.toBe(503);
  service.scene.answer = () => found({ text: 'small' });
  service.scene.admit = () => ({ ...admitted(), caller: 'another' });
  expect((await ask('identity')).status).toBe(200);
});

test('a large answer of a tool counts as one of the API', async () => {
  const text = 'x'.repeat(0.6 * bodyLimits.clientInFlightBytesMax);
  service.scene.answer = () => found({ text });
  const call = { name: 'ownership', arguments: { lei: company.lei } };
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
  const head = `POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${message.length}\r\n\r\n`;
  const socket = connect(service.port, '127.0.0.1', () => socket.write(head + message));
  sockets.push(socket);
  const [beginning] = await once(socket, 'data');
  socket.pause();
  expect(String(beginning)).toStartWith('HTTP/1.1 200 OK\r\n');
  expect((await ask('identity')).status).toBe(503);
});
