import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { refuseForeignHost } from '../../../../src/loader/command/fetch/addresses.ts';
import { askForDate, askForJson } from '../../../../src/loader/command/fetch/answers.ts';
import { latestPublish } from '../../../../src/loader/command/fetch/publishers.ts';
import { openResponse } from '../../../../src/loader/command/fetch/transport.ts';
import { type Publisher, startPublisher } from '../../../support/publisher.ts';
import { testTransport } from './support.ts';

let publisher: Publisher;
beforeEach(async () => {
  publisher = await startPublisher();
});
afterEach(() => publisher.stop());

/** Key and certificate that no authority has signed; valid until 2100. */
const selfSigned = Bun.file(join(import.meta.dir, '../../../fixtures/self-signed.pem'));

test('an address that redirects to itself is refused without a retry', async () => {
  publisher.redirect('/latest', '/latest');
  const { transport, said } = testTransport();
  await expect(askForJson(transport, `${publisher.url}/latest`)).rejects.toMatchObject({
    code: 'refused',
    message: `${publisher.url}/latest redirects too often.`,
  });
  expect(said).toEqual([]);
});

test("an endlessly nested answer is refused as not the publisher's JSON", async () => {
  const deep = 100_000;
  publisher.serve('/latest', { body: `{"data":${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}}` });
  const { transport } = testTransport();
  const limits = { ...transport.limits, answerBytesMax: deep * 10 };
  const asked = latestPublish({ ...transport, limits }, publisher.url);
  await expect(asked).rejects.toMatchObject({ code: 'unexpected-answer' });
});

test('an untrusted certificate is refused at once, and the message names NODE_EXTRA_CA_CERTS', async () => {
  const server = Bun.serve({
    port: 0,
    tls: { key: selfSigned, cert: selfSigned },
    fetch: () => Response.json({}),
  });
  const url = `https://127.0.0.1:${server.port}/latest`;
  const { transport, said } = testTransport();
  const asked = askForJson(transport, url);
  await expect(asked).rejects.toMatchObject({
    code: 'refused',
    message: `${url} has a certificate that no known authority has signed; to trust another authority, name its certificate file in NODE_EXTRA_CA_CERTS.`,
  });
  expect(said).toEqual([]);
  await server.stop(true);
});

test('an address that cannot be reached is given up, and the message tells of proxy and mirror', async () => {
  await expect(askForJson(testTransport().transport, 'http://127.0.0.1:1/latest')).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringMatching(
      /^http:\/\/127\.0\.0\.1:1\/latest: .+ \(4 attempts in a row\)\. If this network needs a proxy, name it in HTTPS_PROXY; /,
    ),
  });
});

test('a publisher that answers 408 is asked once more', async () => {
  publisher.serve('/latest', { body: '{"data":1}' });
  publisher.mishaps('/latest', { status: 408 });
  const { transport, said } = testTransport();
  expect(await askForJson(transport, `${publisher.url}/latest`)).toEqual({ data: 1 });
  expect(said).toHaveLength(1);
});

test('an address whose Last-Modified is not a date is refused', async () => {
  publisher.serve('/file', { body: '', lastModified: 'yesterday' });
  const { transport } = testTransport();
  await expect(askForDate(transport, `${publisher.url}/file`)).rejects.toMatchObject({
    code: 'unexpected-answer',
    message: `${publisher.url}/file has no valid Last-Modified header.`,
  });
});

test('an address whose headers do not arrive in time is asked again', async () => {
  const release = Promise.withResolvers<void>();
  let asked = 0;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async () => {
      if (asked++ === 0) await release.promise;
      return Response.json({ data: 1 });
    },
  });
  const { transport, said } = testTransport({ silentMs: 300 });
  expect(await askForJson(transport, server.url.href)).toEqual({ data: 1 });
  expect(said).toEqual([`${server.url.href}: it sent nothing for 0.3 s; trying again in 1.0 s.`]);
  release.resolve();
  await server.stop(true);
});

test('a body that brings less than 1 KiB a second over a window ends the try', async () => {
  const { transport, said, windows } = testTransport();
  publisher.serve('/latest', { body: `{"data":"${'x'.repeat(20_000)}"}` });
  publisher.mishaps('/latest', { silentAfter: 10 });
  const asking = askForJson(transport, `${publisher.url}/latest`);
  while (windows.length === 0) await Bun.sleep(1);
  const [endOfWindow] = windows;
  // The first window may have brought enough; the second has brought nothing.
  endOfWindow?.();
  endOfWindow?.();
  expect(await asking).toHaveProperty('data');
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(/: sent \d+ bytes in 10 s, less than 1024 a second; trying again in 1\.0 s\.$/);
  expect(windows).toEqual([]);
});

test('a body that arrives fast enough may take any number of windows', async () => {
  const { transport, said, windows } = testTransport();
  const piece = 'x'.repeat(10 * 1024);
  const sender = { send: (_text: string | null): void => undefined };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () =>
      new Response(
        new ReadableStream({
          start(controller) {
            sender.send = (text) => (text === null ? controller.close() : controller.enqueue(text));
            sender.send('{"data":"');
          },
        }),
      ),
  });
  const { body, close } = await openResponse(transport, server.url.href);
  let bytes = 0;
  for await (const arrived of body()) {
    bytes += arrived.length;
    if (bytes > 5 * piece.length) sender.send(null);
    else if (bytes % piece.length < 10) sender.send(piece);
    // Everything that was sent has arrived: a window ends.
    if (bytes >= piece.length && bytes % piece.length < 10) windows[0]?.();
  }
  close();
  expect(bytes).toBeGreaterThan(5 * piece.length);
  expect({ said, windows }).toEqual({ said: [], windows: [] });
  await server.stop(true);
});

describe('a redirect', () => {
  test('to another host is refused at once, and the message names the setting that allows it', async () => {
    const elsewhere = publisher.url.replace('127.0.0.1', 'localhost');
    publisher.serve('/file', { body: '{"data":1}' });
    publisher.redirect('/latest', `${elsewhere}/file`);
    const { transport, said } = testTransport();
    await expect(askForJson(transport, `${publisher.url}/latest`)).rejects.toMatchObject({
      code: 'unsafe-address',
      message: `${elsewhere}/file is on localhost, which is neither a host of GLEIF nor one in the settings. To allow it, add it to LEI_DOWNLOAD_HOSTS.`,
    });
    expect(publisher.heard.map(({ path }) => path)).toEqual(['/latest']);
    expect(said).toEqual([]);
    const allowed = { ...transport, hosts: [...transport.hosts, 'localhost'] };
    expect(await askForJson(allowed, `${publisher.url}/latest`)).toEqual({ data: 1 });
  });

  test('from https to plain http is refused, even on the same host', async () => {
    publisher.serve('/file', { body: '{"data":1}' });
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      tls: { key: selfSigned, cert: selfSigned },
      fetch: () => Response.redirect(`${publisher.url}/file`, 302),
    });
    const program = `
      const { askForJson } = await import(${JSON.stringify(join(import.meta.dir, '../../../../src/loader/command/fetch/answers.ts'))});
      const { testTransport } = await import(${JSON.stringify(join(import.meta.dir, 'support.ts'))});
      await askForJson(testTransport().transport, 'https://127.0.0.1:${server.port}/latest')
        .catch(({ code }) => console.log(code));`;
    const env = { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const asking = Bun.spawn([process.execPath, '-e', program], { env, stdout: 'pipe', stderr: 'ignore' });
    expect(await new Response(asking.stdout).text()).toBe('unsafe-address\n');
    expect(publisher.heard).toEqual([]);
    await server.stop(true);
  });

  test('to an address other than http is refused', async () => {
    publisher.redirect('/latest', 'file:///etc/passwd');
    const { transport } = testTransport();
    await expect(askForJson(transport, `${publisher.url}/latest`)).rejects.toMatchObject({
      code: 'unexpected-answer',
    });
  });

  test('on the same server keeps the user name and password of the address', async () => {
    publisher.serve('/file', { body: '{"data":1}' });
    publisher.redirect('/latest', `${publisher.url}/file`);
    const { transport } = testTransport();
    await askForJson(transport, `${publisher.url}/latest`.replace('//', '//me:secret@'));
    expect(publisher.heard.map(({ headers }) => headers.authorization)).toEqual(
      Array(2).fill(`Basic ${btoa('me:secret')}`),
    );
  });
});

test.each([
  ['https://leidata-preview.gleif.org/storage/file.zip', true],
  ['https://gleif.org/file.zip', true],
  ['https://127.0.0.1:8443/file.zip', true],
  ['https://notgleif.org/file.zip', false],
  ['https://gleif.org.example/file.zip', false],
  ['https://gleif.org@mirror.example/file.zip', false],
])('%s may be asked: %p', (url, allowed) => {
  const asking = () => refuseForeignHost(url, ['127.0.0.1']);
  if (allowed) expect(asking).not.toThrow();
  else expect(asking).toThrow(expect.objectContaining({ code: 'unsafe-address' }));
});
