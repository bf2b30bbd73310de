import { afterEach, beforeEach, expect, jest, mock, spyOn, test } from 'bun:test';
import { join } from 'node:path';
import { latestPublish } from '../../../../src/loader/command/fetch/publishers.ts';
import { ask, askForDate, askForJson } from '../../../../src/loader/command/fetch/transport.ts';
import { type Publisher, startPublisher } from '../../../support/publisher.ts';
import { testTransport } from './support.ts';

let publisher: Publisher;
beforeEach(async () => {
  publisher = await startPublisher();
});
afterEach(() => publisher.stop());

/** Key and certificate of a machine that nobody vouches for; good until 2100. */
const selfSigned = Bun.file(join(import.meta.dir, '../../../fixtures/self-signed.pem'));

test('an address that leads to itself is told and not asked anew', async () => {
  publisher.redirect('/latest', '/latest');
  const { transport, said } = testTransport();
  await expect(askForJson(transport, `${publisher.url}/latest`)).rejects.toMatchObject({
    code: 'refused',
    message: `${publisher.url}/latest only leads on to further addresses, without end.`,
  });
  expect(said).toEqual([]);
});

test('an answer nested without end is told as one that is no JSON of the publisher', async () => {
  const deep = 100_000;
  publisher.serve('/latest', { body: `{"data":${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}}` });
  const { transport } = testTransport();
  const limits = { ...transport.limits, fetchAnswerBytesMax: deep * 10 };
  const asked = latestPublish({ ...transport, limits }, publisher.url);
  await expect(asked).rejects.toMatchObject({ code: 'unexpected-answer' });
});

test('a certificate that nobody has signed is told at once, with the setting that names who has', async () => {
  const server = Bun.serve({
    port: 0,
    tls: { key: selfSigned, cert: selfSigned },
    fetch: () => Response.json({}),
  });
  const url = `https://localhost:${server.port}/latest`;
  const { transport, said } = testTransport();
  const asked = askForJson(transport, url);
  await expect(asked).rejects.toMatchObject({
    code: 'refused',
    message: `${url} shows a certificate that no authority known here has signed; NODE_EXTRA_CA_CERTS can name a file with one more.`,
  });
  expect(said).toEqual([]);
  await server.stop(true);
});

test('a publisher that gave up waiting is asked once more', async () => {
  publisher.serve('/latest', { body: '{"data":1}' });
  publisher.mishaps('/latest', { status: 408 });
  const { transport, said } = testTransport();
  expect(await askForJson(transport, `${publisher.url}/latest`)).toEqual({ data: 1 });
  expect(said).toHaveLength(1);
});

test('an address that is dated with what is no date is told, and taken for none', async () => {
  publisher.serve('/file', { body: '', lastModified: 'yesterday' });
  const { transport } = testTransport();
  await expect(askForDate(transport, `${publisher.url}/file`)).rejects.toMatchObject({
    code: 'unexpected-answer',
    message: `${publisher.url}/file does not say when it was last modified.`,
  });
});

test('whoever is heard is not silent, however long it takes, and nobody is waited for after the answer', async () => {
  const server = Bun.serve({ port: 0, fetch: () => Response.json({}) });
  // As nothing else that this process may be doing sets a timer for.
  const silentMs = 20_001;
  const { transport } = testTransport({ silentMs });
  jest.useFakeTimers();
  const [set, cleared] = [spyOn(globalThis, 'setTimeout'), spyOn(globalThis, 'clearTimeout')];
  try {
    const { response, heard, close } = await ask(transport, `${server.url}`, {});
    for (let waited = 0; waited < 3; waited++) {
      jest.advanceTimersByTime(15_000);
      heard();
    }
    expect(await response.json()).toEqual({});
    close();
    await askForJson(transport, `${server.url}`);
    const timers = set.mock.results.filter((_, index) => set.mock.calls[index]?.[1] === silentMs);
    expect(timers.length).toBeGreaterThan(2);
    const ended = new Set<unknown>(cleared.mock.calls.map(([timer]) => timer));
    expect(timers.filter(({ value }) => !ended.has(value))).toEqual([]);
  } finally {
    mock.restore();
    jest.useRealTimers();
    await server.stop(true);
  }
});
