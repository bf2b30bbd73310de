import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { download } from '../../../../src/loader/command/fetch/download.ts';
import type { PublishedFile } from '../../../../src/loader/command/fetch/publishers.ts';
import { temporaryFolder } from '../../../support/folders.ts';
import { type Publisher, startPublisher } from '../../../support/publisher.ts';
import { smallDisk } from '../../../support/small-disk.ts';
import { testTransport } from './support.ts';

const name = '20261004-1600-gleif-goldencopy-rr-intra-day.xml.zip';
const body = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(50_000, 'relationship ')]);
const etag = '"5f1c"';

let publisher: Publisher;
let folder: string;

beforeEach(async () => {
  publisher = await startPublisher();
  publisher.serve('/file', { body, etag, type: 'application/zip' });
  folder = temporaryFolder('download');
});

afterEach(async () => {
  await publisher.stop();
});

const wanted = (changes: Partial<PublishedFile> = {}): PublishedFile => ({
  url: `${publisher.url}/file`,
  name,
  bytes: body.length,
  records: 12,
  ...changes,
});

/** Makes the next downloads break off once so many bytes have arrived. Returns the callback for arriving bytes. */
function breakOffAt(...positions: number[]): (bytes: number) => void {
  publisher.mishaps(
    '/file',
    ...positions.map((position, index) => ({
      silentAfter: position - (positions[index - 1] ?? 0),
    })),
  );
  return (bytes) => {
    if (positions.includes(bytes)) publisher.dropLines();
  };
}

test('a file arrives complete under its own name, and nothing else is left', async () => {
  const seen: number[] = [];
  const { transport } = testTransport();
  const done = await download(transport, wanted(), folder, (bytes) => void seen.push(bytes));
  expect(done).toEqual({ path: join(folder, name), bytes: body.length, fetched: true });
  expect(readFileSync(done.path).equals(body)).toBe(true);
  expect(readdirSync(folder)).toEqual([name]);
  expect(seen.at(-1)).toBe(body.length);
});

test('a download accepts any media type and asks for no compression', async () => {
  await download(testTransport().transport, wanted(), folder, () => {});
  expect(publisher.heard[0]?.headers).toMatchObject({
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': 'lei-service/test',
  });
});

test('a file that is already there is not downloaded again', async () => {
  const { transport } = testTransport();
  await download(transport, wanted(), folder, () => {});
  const again = await download(transport, wanted(), folder, () => {});
  expect(again).toEqual({ path: join(folder, name), bytes: body.length, fetched: false });
  expect(publisher.heard).toHaveLength(1);
});

test('a file of that name with another size is downloaded again', async () => {
  writeFileSync(join(folder, name), 'PK too short');
  await download(testTransport().transport, wanted(), folder, () => {});
  expect(statSync(join(folder, name)).size).toBe(body.length);
});

test('a download that broke off is resumed', async () => {
  const arrived = breakOffAt(20_000);
  const { transport, pauses, said } = testTransport();
  const done = await download(transport, wanted(), folder, arrived);
  expect(readFileSync(done.path).equals(body)).toBe(true);
  expect(publisher.heard).toHaveLength(2);
  const resumed = publisher.heard[1]?.headers;
  expect(resumed).toMatchObject({ range: 'bytes=20000-', 'if-range': etag });
  expect(pauses).toEqual([1_000]);
  expect(said).toHaveLength(1);
  expect(said[0]).toStartWith(`${publisher.url}/file: `);
  expect(said[0]).toEndWith('trying again in 1.0 s.');
});

test('the file arrives byte for byte, wherever the download breaks off', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 1, max: body.length - 1 }), { maxLength: 3 }),
      async (cuts) => {
        const arrived = breakOffAt(...cuts.sort((a, b) => a - b));
        const done = await download(testTransport().transport, wanted(), folder, arrived);
        expect(readFileSync(done.path).equals(body)).toBe(true);
        await rm(done.path);
      },
    ),
    { numRuns: 40 },
  );
});

test('a file that has changed meanwhile is downloaded from its beginning', async () => {
  const arrived = breakOffAt(20_000);
  const changed = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(50_000, 'another one! ')]);
  const { transport } = testTransport();
  const replaceIt = {
    ...transport,
    pause: async () => publisher.serve('/file', { body: changed, etag: '"5f1d"' }),
  };
  const done = await download(replaceIt, wanted(), folder, arrived);
  expect(readFileSync(done.path).equals(changed)).toBe(true);
});

test('a publisher that ignores Range sends the file from its beginning', async () => {
  const arrived = breakOffAt(20_000);
  publisher.mishaps('/file', { silentAfter: 20_000 }, { whole: true });
  const done = await download(testTransport().transport, wanted(), folder, arrived);
  expect(readFileSync(done.path).equals(body)).toBe(true);
});

test('a partial file without a validator is never resumed', async () => {
  publisher.serve('/file', { body });
  const arrived = breakOffAt(20_000);
  const done = await download(testTransport().transport, wanted(), folder, arrived);
  expect(readFileSync(done.path).equals(body)).toBe(true);
  expect(publisher.heard.map(({ headers }) => headers.range)).toEqual([undefined, undefined]);
});

test('Last-Modified is a validator, a weak tag is not', async () => {
  const lastModified = 'Sun, 04 Oct 2026 16:00:00 GMT';
  publisher.serve('/file', { body, etag: 'W/"5f1c"', lastModified });
  const arrived = breakOffAt(20_000);
  await download(testTransport().transport, wanted(), folder, arrived);
  expect(publisher.heard[1]?.headers['if-range']).toBe(lastModified);
});

test('a partial file that cannot be resumed (416) is discarded and the file downloaded again', async () => {
  writeFileSync(join(folder, `${name}.part`), Buffer.alloc(body.length + 10));
  writeFileSync(
    join(folder, `${name}.part.json`),
    JSON.stringify({ url: `${publisher.url}/file`, validator: etag }),
  );
  const done = await download(testTransport().transport, wanted(), folder, () => {});
  expect(readFileSync(done.path).equals(body)).toBe(true);
  expect(publisher.heard).toHaveLength(2);
});

test('a damaged note about a partial file does no harm', async () => {
  writeFileSync(join(folder, `${name}.part`), 'half');
  writeFileSync(join(folder, `${name}.part.json`), '{"url":');
  const done = await download(testTransport().transport, wanted(), folder, () => {});
  expect(readFileSync(done.path).equals(body)).toBe(true);
});

test('a publisher that falls silent is asked again for the rest', async () => {
  publisher.mishaps('/file', { silentAfter: 30_000 });
  const { transport, said, windows } = testTransport();
  const done = await download(transport, wanted(), folder, (bytes) => {
    if (bytes !== 30_000) return;
    const [endOfWindow] = windows;
    endOfWindow?.();
    endOfWindow?.();
  });
  expect(readFileSync(done.path).equals(body)).toBe(true);
  expect(said).toHaveLength(1);
  expect(said[0]).toContain('sent 0 bytes in 10 s');
  expect(publisher.heard[1]?.headers.range).toBe('bytes=30000-');
});

test("a publisher's errors are retried with growing pauses, or after its Retry-After", async () => {
  publisher.mishaps(
    '/file',
    { status: 500 },
    { status: 429, headers: { 'retry-after': '2' } },
    { status: 503 },
  );
  const { transport, pauses } = testTransport();
  await download(transport, wanted(), folder, () => {});
  expect(pauses).toEqual([1_000, 2_000, 3_000]);
});

test('a publisher that keeps failing ends the download, and the message names address, answer and tries', async () => {
  publisher.mishaps('/file', { status: 500 }, { status: 500 }, { status: 500 }, { status: 500 });
  const failing = download(testTransport().transport, wanted(), folder, () => {});
  await expect(failing).rejects.toMatchObject({
    code: 'unreachable',
    message: `${publisher.url}/file: answered 500 Internal Server Error (4 attempts in a row).`,
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('a missing file (404) is not asked for twice', async () => {
  const gone = download(
    testTransport().transport,
    wanted({ url: `${publisher.url}/gone` }),
    folder,
    () => {},
  );
  await expect(gone).rejects.toMatchObject({
    code: 'not-published',
    message: `${publisher.url}/gone answered 404 Not Found.`,
  });
  expect(publisher.heard).toHaveLength(1);
});

test('a file whose size differs from the announced one is refused and not kept', async () => {
  const odd = download(testTransport().transport, wanted({ bytes: body.length - 1 }), folder, () => {});
  await expect(odd).rejects.toMatchObject({
    code: 'wrong-size',
    message: `${publisher.url}/file has ${body.length} bytes, but the publisher announced ${body.length - 1}.`,
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('a web page in place of a zip file is refused and not kept', async () => {
  publisher.serve('/file', { body: '<html>Down for maintenance</html>' });
  const page = download(testTransport().transport, wanted({ bytes: null }), folder, () => {});
  await expect(page).rejects.toMatchObject({ code: 'unexpected-answer' });
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ['a web page', '\n<!DOCTYPE html><html>Down for maintenance</html>', 'did not send a csv file.'],
  ['nothing', '', 'did not send a csv file, but an empty answer.'],
])('%s in place of a table is refused and not kept', async (_what, body, words) => {
  publisher.serve('/file', { body });
  const table = download(
    testTransport().transport,
    wanted({ name: 'list.csv', bytes: null }),
    folder,
    () => {},
  );
  await expect(table).rejects.toMatchObject({
    code: 'unexpected-answer',
    message: `${publisher.url}/file ${words}`,
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('a file that comes in ranges is requested until it is complete, even without an announced size', async () => {
  publisher.mishaps('/file', { silentAfter: 20_000 }, { pieceOf: 10_000 }, { pieceOf: 10_000 });
  const { transport } = testTransport();
  const done = await download(transport, wanted({ bytes: null }), folder, (bytes) => {
    if (bytes === 20_000) publisher.dropLines();
  });
  expect(readFileSync(done.path).equals(body)).toBe(true);
  expect(publisher.heard.map(({ headers }) => headers.range)).toEqual([
    undefined,
    'bytes=20000-',
    'bytes=30000-',
    'bytes=40000-',
  ]);
});

test('a connection that breaks off often ends the download only if there is no progress', async () => {
  const long = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(6 * 1024 * 1024)]);
  const step = 1024 * 1024;
  publisher.serve('/file', { body: long, etag, type: 'application/zip' });
  const afterBreak = (transport: Parameters<typeof download>[0]) =>
    download(transport, wanted({ bytes: long.length }), folder, (bytes) => {
      if (bytes === 2 * step) publisher.dropLines();
    });
  const still = Array.from({ length: 6 }, () => ({ pieceOf: 1_000 }));
  publisher.mishaps('/file', { silentAfter: 2 * step }, ...still);
  await expect(afterBreak(testTransport().transport)).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('(4 attempts in a row)'),
  });
  await rm(folder, { recursive: true });
  publisher.mishaps('/file', { silentAfter: 2 * step }, ...Array(3).fill({ pieceOf: step }));
  const done = await afterBreak(testTransport().transport);
  expect(readFileSync(done.path).equals(long)).toBe(true);
});

/** Leaves the beginning of a file, as an earlier try would have. */
function leavePart(url: string, bytes: number): void {
  writeFileSync(join(folder, `${name}.part`), body.subarray(0, bytes));
  writeFileSync(join(folder, `${name}.part.json`), JSON.stringify({ url, validator: etag }));
}

test('a partial file from another address is not resumed', async () => {
  leavePart(`${publisher.url}/elsewhere`, 20_000);
  const done = await download(testTransport().transport, wanted(), folder, () => {});
  expect(publisher.heard.map(({ headers }) => headers.range)).toEqual([undefined]);
  expect(readFileSync(done.path).equals(body)).toBe(true);
});

test('a range that does not start where it was asked to is not appended', async () => {
  const asked: (string | null)[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ headers }) {
      asked.push(headers.get('range'));
      if (asked.length > 1) return new Response(body);
      const range = `bytes 10000-${body.length - 1}/${body.length}`;
      return new Response(body.subarray(10_000), { status: 206, headers: { 'content-range': range } });
    },
  });
  leavePart(`${server.url}file`, 20_000);
  const file = wanted({ url: `${server.url}file`, bytes: null });
  const done = await download(testTransport().transport, file, folder, () => {});
  await server.stop(true);
  expect(asked).toEqual(['bytes=20000-', null]);
  expect(readFileSync(done.path).equals(body)).toBe(true);
});

test('redirects are followed, for resumed downloads too', async () => {
  publisher.redirect('/latest.zip', '/file');
  const arrived = breakOffAt(20_000);
  const file = wanted({ url: `${publisher.url}/latest.zip` });
  const done = await download(testTransport().transport, file, folder, arrived);
  expect(readFileSync(done.path).equals(body)).toBe(true);
  expect(publisher.heard.map(({ path }) => path)).toEqual(['/latest.zip', '/file', '/latest.zip', '/file']);
  expect(publisher.heard[3]?.headers.range).toBe('bytes=20000-');
});

test('an interrupted download keeps its partial file, and the next one resumes it', async () => {
  publisher.mishaps('/file', { silentAfter: 30_000 });
  const interruption = new AbortController();
  const { transport } = testTransport({ signal: interruption.signal });
  const first = download(transport, wanted(), folder, (bytes) => {
    if (bytes >= 30_000) interruption.abort(new Error('interrupted'));
  });
  await expect(first).rejects.toThrow('interrupted');
  expect(existsSync(join(folder, name))).toBe(false);

  const done = await download(testTransport().transport, wanted(), folder, () => {});
  expect(readFileSync(done.path).equals(body)).toBe(true);
  expect(publisher.heard[1]?.headers.range).toBe('bytes=30000-');
});

test('a file that the server compressed unasked arrives complete and is never resumed', async () => {
  // Compressing compressed data makes it longer.
  const zipped = Buffer.concat([Buffer.from('PK\u0003\u0004'), randomBytes(50_000)]);
  publisher.serve('/file', { body: zipped, etag, packed: true });
  publisher.mishaps('/file', { silentAfter: 20_000 });
  const { transport } = testTransport();
  const done = await download(transport, wanted({ bytes: zipped.length }), folder, () =>
    publisher.dropLines(),
  );
  expect(readFileSync(done.path).equals(zipped)).toBe(true);
  expect(publisher.heard.map(({ headers }) => headers.range)).toEqual([undefined, undefined]);
});

test('a password in an address is sent but never shown', async () => {
  publisher.mishaps('/file', { status: 500 });
  publisher.serve('/file', { body: '<html>', etag });
  const { transport, said } = testTransport();
  const file = wanted({ url: `${publisher.url}/file`.replace('//', '//me:secret@'), bytes: null });
  const page = download(transport, file, folder, () => {});
  const told = `${publisher.url}/file`.replace('//', '//…@');
  await expect(page).rejects.toMatchObject({ message: `${told} did not send a zip file.` });
  expect(said).toEqual([`${told}: answered 500 Internal Server Error; trying again in 1.0 s.`]);
  expect(publisher.heard[0]?.headers.authorization).toBe(`Basic ${btoa('me:secret')}`);
});

test('a password in an address is not saved with the partial file, which can still be resumed', async () => {
  const arrived = breakOffAt(20_000);
  const { transport } = testTransport();
  let note = '';
  const readNote = {
    ...transport,
    pause: async () => {
      note = readFileSync(join(folder, `${name}.part.json`), 'utf8');
    },
  };
  const file = wanted({ url: `${publisher.url}/file`.replace('//', '//me:secret@') });
  await download(readNote, file, folder, arrived);
  expect(note).not.toContain('secret');
  expect(publisher.heard[1]?.headers.range).toBe('bytes=20000-');
});

test('a name from outside never leads out of the folder', async () => {
  const done = await download(testTransport().transport, wanted({ name: `../../${name}` }), folder, () => {});
  expect(done.path).toBe(join(folder, name));
});

/** A server that sends a body without its length. */
function chunkedServer(headers: Record<string, string>, pieces: () => Iterable<Uint8Array>) {
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => {
      const source = pieces()[Symbol.iterator]();
      const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
        const { value, done } = source.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      };
      return new Response(new ReadableStream({ pull }), { headers });
    },
  });
}

function* endless(first: Uint8Array): Iterable<Uint8Array> {
  yield first;
  for (;;) yield new Uint8Array(64 * 1024);
}

test('an endless body stops at the announced size, and nothing of it is kept', async () => {
  const server = chunkedServer({}, () => endless(body));
  let most = 0;
  const file = wanted({ url: `${server.url}file` });
  const endlessly = download(testTransport().transport, file, folder, (bytes) => {
    most = Math.max(most, bytes);
  });
  await expect(endlessly).rejects.toMatchObject({
    code: 'wrong-size',
    message: `${server.url}file sent more than the announced ${body.length} bytes.`,
  });
  expect(most).toBeLessThanOrEqual(body.length);
  expect(readdirSync(folder)).toEqual([]);
  await server.stop(true);
});

test('a body that decompresses to more than the announced size stops there', async () => {
  publisher.serve('/file', { body: Buffer.alloc(20_000_000), packed: true });
  let most = 0;
  const bomb = download(testTransport().transport, wanted(), folder, (bytes) => {
    most = Math.max(most, bytes);
  });
  await expect(bomb).rejects.toMatchObject({ code: 'wrong-size' });
  expect(most).toBeLessThanOrEqual(body.length);
  expect(readdirSync(folder)).toEqual([]);
});

test('a file whose size neither the list nor the answer states is refused unread', async () => {
  const server = chunkedServer({}, () => endless(body));
  const file = wanted({ url: `${server.url}file`, bytes: null });
  let most = 0;
  const unbounded = download(testTransport().transport, file, folder, (bytes) => {
    most = Math.max(most, bytes);
  });
  await expect(unbounded).rejects.toMatchObject({ code: 'no-size' });
  expect(most).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
  await server.stop(true);
});

test('a file that would leave less than the minimum of free disk space is refused unread', async () => {
  const { transport } = testTransport();
  const limits = { ...transport.limits, freeBytesMin: 2 ** 60 };
  const filling = download({ ...transport, limits }, wanted(), folder, () => {});
  await expect(filling).rejects.toMatchObject({
    code: 'no-space',
    message: expect.stringMatching(
      / has \d+ MB free\. The download needs 1 MB, and \d+ MB must stay free\. Make room: lei prune --keep 1 deletes /,
    ),
  });
  const huge = download(transport, wanted({ bytes: null, url: `${publisher.url}/file` }), folder, () => {});
  expect((await huge).bytes).toBe(body.length);
});

const disk = smallDisk(1);
afterAll(() => disk?.remove());

test.skipIf(disk === null)('a file whose last bytes find no room does not get its name', async () => {
  const small = disk?.folder ?? '';
  const full = Promise.withResolvers<void>();
  async function* inTwo() {
    yield body.subarray(0, 20_000);
    await full.promise;
    yield body.subarray(20_000);
  }
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(inTwo()) });
  const filling = download(testTransport().transport, wanted({ url: `${server.url}file` }), small, () => {
    disk?.fill();
    full.resolve();
  });
  await expect(filling).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(existsSync(join(small, name))).toBe(false);
  await server.stop(true);
});

test('a publisher that starts over each time cannot keep a download going for ever', async () => {
  const long = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(3 * 1024 * 1024)]);
  publisher.serve('/file', { body: long });
  publisher.mishaps('/file', ...Array.from({ length: 20 }, () => ({ silentAfter: 2 * 1024 * 1024 })));
  const looping = download(testTransport().transport, wanted({ bytes: long.length }), folder, (bytes) => {
    if (bytes === 2 * 1024 * 1024) publisher.dropLines();
  });
  await expect(looping).rejects.toMatchObject({ code: 'unreachable' });
  expect(publisher.heard.length).toBeLessThanOrEqual(5);
});
