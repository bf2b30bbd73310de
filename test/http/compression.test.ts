import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import zlib from 'node:zlib';
import fc from 'fast-check';
import { negotiateCoding } from '../../src/http/headers.ts';
import type { Answer, Coding, Question } from '../../src/protocol/questions.ts';
import { decoders } from '../support/decoders.ts';
import { rawRequest } from '../support/raw-socket.ts';
import { company, found, startInMemory } from './app-in-memory.ts';

const compress: Readonly<Record<Coding, (bytes: Buffer) => Buffer>> = {
  zstd: (bytes) => zlib.zstdCompressSync(bytes),
  br: (bytes) => zlib.brotliCompressSync(bytes),
  gzip: (bytes) => zlib.gzipSync(bytes),
};
const large = { text: 'Gesellschaft mit beschränkter Haftung, '.repeat(200) };
const small = { text: 'GmbH' };

let data: unknown = large;
function answer(question: Question): Answer {
  if (question.kind !== 'compress') return found(data);
  return {
    outcome: 'compressed',
    bytes: new Uint8Array(compress[question.coding](Buffer.from(question.body))),
  };
}

const service = startInMemory();
beforeEach(() => {
  service.scene.answer = answer;
});
const plain = startInMemory({ LEI_COMPRESSION: 'off' });
beforeEach(() => {
  plain.scene.answer = answer;
});
afterAll(() => Promise.all([service.stop(), plain.stop()]));

/** Leaves the body coded. */
const ask = (acceptEncoding: string | null, headers: Record<string, string> = {}, from = service) =>
  fetch(`${from.baseUrl}${company.path}`, {
    decompress: false,
    headers: { 'Accept-Encoding': acceptEncoding ?? 'identity', ...headers },
  });

describe('a body over 4 KiB', () => {
  test('is sent in each coding that the client accepts, with its own tag and length, and decodes to the same bytes', async () => {
    data = large;
    const identity = await ask(null);
    const text = await identity.text();
    const tags = new Set([identity.headers.get('etag')]);
    for (const coding of ['zstd', 'br', 'gzip'] as const) {
      const response = await ask(coding);
      expect(response.headers.get('content-encoding')).toBe(coding);
      expect(response.headers.get('vary')).toBe('Accept-Encoding');
      expect(response.headers.get('content-type')).toBe('application/json');
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect(response.headers.get('content-length')).toBe(String(bytes.length));
      expect(decoders[coding](bytes).toString()).toBe(text);
      tags.add(response.headers.get('etag'));
    }
    expect(tags.size).toBe(4);
  });

  test('has the Link to its next page in every coding', async () => {
    data = large;
    service.scene.answer = (question) =>
      question.kind === 'compress' ? answer(question) : found(large, 'further on');
    const path = `${service.baseUrl}/api/v1/search?q=bank`;
    for (const coding of ['identity', 'zstd', 'br', 'gzip']) {
      const response = await fetch(path, { headers: { 'Accept-Encoding': coding } });
      const { next } = JSON.parse(await response.text()).links;
      const link = `</api/v1/search?q=bank&cursor=${next}>; rel="next"`;
      expect([coding, response.headers.get('link')]).toEqual([coding, link]);
    }
  });

  test('is compressed by a query thread, never by the front', async () => {
    data = large;
    service.questions.length = 0;
    await ask('gzip');
    expect(service.questions.map(({ kind }) => kind)).toEqual(['company', 'compress']);
  });

  test('has a tag per coding: a gzip tag gives no 304 to a client that accepts br', async () => {
    data = large;
    const tag = (await ask('gzip')).headers.get('etag') ?? '';
    service.questions.length = 0;
    expect((await ask('gzip', { 'If-None-Match': tag })).status).toBe(304);
    expect(service.questions).toEqual([]);
    expect((await ask('br', { 'If-None-Match': tag })).status).toBe(200);
    expect((await ask(null, { 'If-None-Match': tag })).status).toBe(200);
  });

  test('is sent uncoded if no thread has time to compress it', async () => {
    data = large;
    service.scene.answer = (question) =>
      question.kind === 'compress' ? { outcome: 'unavailable', reason: 'queue-full' } : answer(question);
    // A full queue refuses at once.
    service.scene.atOnce = true;
    const response = await ask('gzip');
    service.scene.answer = answer;
    expect(response.status).toBe(200);
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(response.headers.get('etag')).toBe((await ask(null)).headers.get('etag'));
    expect(await response.json()).toMatchObject({ data: large });
  });

  test('has the length of the coded body on HEAD, too', async () => {
    data = large;
    const get = await rawRequest(service.port, 'GET', company.path, ['Accept-Encoding: br']);
    const head = await rawRequest(service.port, 'HEAD', company.path, ['Accept-Encoding: br']);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length') ?? '');
    expect(head.headers.get('content-encoding')).toBe('br');
  });

  test('is never coded with LEI_COMPRESSION=off', async () => {
    data = large;
    const response = await ask('zstd, br, gzip', {}, plain);
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    expect(plain.questions.map(({ kind }) => kind)).not.toContain('compress');
    const page = await fetch(`${plain.baseUrl}/openapi.json`, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(page.headers.get('content-encoding')).toBeNull();
  });
});

describe('a body up to 4 KiB', () => {
  test('is never coded, and its tag is valid for every Accept-Encoding', async () => {
    data = small;
    const response = await ask('zstd, br, gzip');
    expect(response.headers.get('content-encoding')).toBeNull();
    const tag = response.headers.get('etag') ?? '';
    service.questions.length = 0;
    for (const accepted of ['gzip', 'br', 'identity', '*;q=0.1']) {
      expect((await ask(accepted, { 'If-None-Match': tag })).status).toBe(304);
    }
    expect(service.questions).toEqual([]);
  });

  test('is coded for a client that refuses the uncoded form', async () => {
    data = small;
    const response = await ask('gzip, identity;q=0');
    expect(response.headers.get('content-encoding')).toBe('gzip');
    const tag = response.headers.get('etag') ?? '';
    expect((await ask('gzip, identity;q=0', { 'If-None-Match': tag })).status).toBe(304);
  });

  test('is measured in bytes: 1,500 characters of three bytes are over the limit', async () => {
    data = { text: '株'.repeat(1500) };
    expect((await ask('gzip')).headers.get('content-encoding')).toBe('gzip');
  });
});

describe('Accept-Encoding', () => {
  const cases: readonly (readonly [string | null, Coding | null, string])[] = [
    [null, null, 'absent'],
    ['', null, 'empty'],
    ['gzip', 'gzip', 'one coding'],
    ['gzip, br, zstd', 'zstd', 'no preference: the best of ours'],
    ['gzip, br', 'br', 'no preference: the best of ours'],
    ['gzip;q=1, br;q=0.5', 'gzip', 'a preference'],
    ['zstd;q=0, br;q=0, gzip', 'gzip', 'refusals'],
    ['*', 'gzip', 'anything: what everybody can decode'],
    ['br;q=0.5, *', 'gzip', 'anything rather than one'],
    ['gzip;q=0, *', null, 'anything but what everybody can decode'],
    ['*;q=0.5, gzip', 'gzip', 'anything, but one rather'],
    ['identity', null, 'uncoded only'],
    ['identity, gzip;q=0.5', null, 'uncoded rather'],
    ['identity;q=0.5, gzip;q=0.5', 'gzip', 'no preference between uncoded and coded'],
    ['GZIP', 'gzip', 'upper case'],
    ['x-gzip', 'gzip', 'its old name'],
    ['gzip;q=0', null, 'nothing left'],
    ['deflate, compress', null, 'only codings that we do not have'],
    ['gzip;q=2', null, 'a weight that is none'],
    [' gzip ; q=0.8 , br ; q=0.9 ', 'br', 'spaces'],
  ];
  for (const [header, coding, why] of cases) {
    test(`"${header ?? ''}" (${why}) is answered with ${coding ?? 'no coding'}`, () => {
      expect(negotiateCoding(header).coding).toBe(coding);
    });
  }

  test('forces a coding only if one is accepted and uncoded is refused', () => {
    expect(negotiateCoding('gzip, identity;q=0').forced).toBe(true);
    expect(negotiateCoding('gzip, *;q=0')).toEqual({ coding: 'gzip', forced: true });
    expect(negotiateCoding('*;q=0')).toEqual({ coding: null, forced: false });
    expect(negotiateCoding('gzip').forced).toBe(false);
  });

  test('of any bytes never fails and never selects a coding that it does not name (property)', () => {
    const piece = fc.constantFrom('gzip', 'br', 'zstd', 'identity', '*', ';q=', '0', '1', '0.5', ',', ' ');
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 12 }), (pieces) => {
        const header = pieces.join('');
        const { coding } = negotiateCoding(header);
        if (coding !== null) expect(header.toLowerCase().includes(coding) || header.includes('*')).toBe(true);
      }),
    );
  });
});
