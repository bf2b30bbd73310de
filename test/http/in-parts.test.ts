/** Tests the answer to a batch that is sent in parts while the rest is made. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { bodyLimits } from '../../src/http/bodies/limits.ts';
import { noNotices } from '../../src/lei/notices.ts';
import type { Answer } from '../../src/protocol/questions.ts';
import {
  admitted,
  company,
  firstId,
  found,
  manifest,
  quotaState,
  secondId,
  startInMemory,
} from './app-in-memory.ts';

const service = startInMemory();
const sockets: Socket[] = [];
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await service.stop();
});

const path = `/ext/v1/companies?lei=${company.lei}`;
const filling = 'x'.repeat(70_000);
const parts = [`{"items":["${filling}","`, `${filling}","`, `${filling}"`];
/** The answer with the last part. */
const ending = (text: string): Answer => ({
  outcome: 'found',
  data: Buffer.from(text),
  next: null,
  notices: noNotices,
});

let last: PromiseWithResolvers<Answer>;
beforeEach(() => {
  service.questions.length = 0;
  service.requestsSeen.length = 0;
  service.errorLog.length = 0;
  last = Promise.withResolvers<Answer>();
  service.scene.parts = parts;
  service.scene.answer = () => last.promise;
});

const ask = (headers: Record<string, string> = {}, method = 'GET') =>
  fetch(service.baseUrl + path, { method, headers: { 'Accept-Encoding': 'identity', ...headers } });

/** Reads a body to its end, and reports what has arrived so far. */
function reading(response: Response) {
  const so = { far: '' };
  const decoder = new TextDecoder();
  const whole = (async () => {
    for await (const piece of response.body ?? []) so.far += decoder.decode(piece, { stream: true });
    return so.far;
  })();
  return { so, whole };
}

describe('the answer to a batch', () => {
  test('starts arriving before the last part is made, and is one body in the end', async () => {
    const response = await ask();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBeNull();
    const { so, whole } = reading(response);
    while (so.far.length < 200_000) await Bun.sleep(1);
    expect(service.requestsSeen).toEqual([]);
    last.resolve(ending(',"end"]}'));
    const body = JSON.parse(await whole);
    expect(body.data).toEqual({ items: [filling, filling, filling, 'end'] });
    expect(body.meta.datasetVersion).toBe(firstId);
    expect(body.links).toEqual({ self: path });
    expect(service.requestsSeen.map(({ status, bytes }) => [status, bytes])).toEqual([
      [200, Buffer.byteLength(await whole)],
    ]);
    // The connection stays open.
    service.scene.answer = () => found({ items: [] });
    service.scene.parts = [];
    expect(await (await ask()).json()).toMatchObject({ data: { items: [] } });
  });

  test('has the same tag as the answer in one piece', async () => {
    const response = await ask();
    last.resolve(ending(']}'));
    await response.text();
    service.scene.answer = () => ending(`${parts.join('')}]}`);
    const head = await ask({}, 'HEAD');
    expect(head.headers.get('etag')).toBe(response.headers.get('etag'));
    const again = await ask({ 'If-None-Match': response.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });

  test('comes from one publication, whichever becomes active meanwhile', async () => {
    const response = await ask();
    service.scene.active = { manifest: manifest(secondId), activatedAt: '2024-05-06T01:02:03Z' };
    last.resolve(ending(']}'));
    expect(await response.json()).toMatchObject({ meta: { datasetVersion: firstId } });
  });

  test.each([
    ['failed', 'Broke off an answer: The service failed to produce the answer. Its log says why.'],
    [
      'publication-gone',
      'Broke off an answer: Another publication became active while the request was answered.',
    ],
  ] as const)(
    'is broken off recognisably and refunded if the rest is unavailable (%s)',
    async (reason, message) => {
      let refunds = 0;
      service.scene.admit = () => {
        const admission = admitted();
        if (admission.outcome !== 'admitted') return admission;
        const refund = () => {
          refunds++;
          return admission.refund();
        };
        return { ...admission, refund };
      };
      const response = await ask();
      const { whole } = reading(response);
      const outcome = whole.then(
        () => 'whole',
        () => 'broken',
      );
      last.resolve({ outcome: 'unavailable', reason });
      expect(await outcome).toBe('broken');
      expect(refunds).toBe(1);
      expect(service.errorLog.map((each) => each.message)).toEqual([message]);
      expect(service.questions).toHaveLength(1);
    },
  );

  test.each([
    ['gzip', { 'Accept-Encoding': 'gzip' }, 'GET'],
    ['a condition', { 'If-None-Match': '*' }, 'GET'],
    ['a date', { 'If-Modified-Since': 'Sun, 05 May 2024 01:02:02 GMT' }, 'GET'],
    ['HEAD', {}, 'HEAD'],
  ])('is requested in one piece with %s', async (_, headers: Record<string, string>, method) => {
    service.scene.answer = (question) =>
      question.kind === 'compress' ? { outcome: 'unavailable', reason: 'queue-full' } : found({ items: [] });
    await (await ask(headers, method)).arrayBuffer();
    expect(service.questions[0]).toMatchObject({ kind: 'batch', inParts: false });
  });

  test('is refused at its first part if its client is already reading too much, and stays charged', async () => {
    const text = 'x'.repeat(bodyLimits.clientInFlightBytesMax);
    service.scene.answer = () => found({ text });
    const socket = connect(service.port, '127.0.0.1', () =>
      socket.write(`GET ${company.path}/relationships HTTP/1.1\r\nHost: x\r\n\r\n`),
    );
    sockets.push(socket);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    service.scene.answer = () => last.promise;
    const computed: (number | undefined)[] = [];
    service.scene.admit = () => {
      const refund = (units?: number) => {
        computed.push(units);
        return quotaState;
      };
      return Object.assign(admitted(), { refund });
    };
    const identity = { 'Accept-Encoding': 'identity' };
    const refused = await fetch(`${service.baseUrl}${path},${company.lei}`, { headers: identity });
    expect([refused.status, computed]).toEqual([503, [2]]);
    last.resolve(ending(']}'));
    await refused.arrayBuffer();
    expect(service.requestsSeen.map(({ status }) => status)).toContain(503);
    expect(service.errorLog).toEqual([]);
  });
});
