import { afterAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { matchesTag, readHttpDate, readTagCondition } from '../../src/http/conditional.ts';
import type { HeldPublication } from '../../src/http/publication-texts.ts';
import { company, found, manifest, secondId, startInMemory } from './app-in-memory.ts';

const service = startInMemory();
afterAll(() => service.stop());
const { scene, questions } = service;
const defaults = { ...scene };

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.baseUrl}${path}`, { headers });
const tagOf = async (path: string, headers: Record<string, string> = {}) =>
  (await ask(path, headers)).headers.get('etag') ?? '';
const second: HeldPublication = { manifest: manifest(secondId), activatedAt: '2024-05-06T01:00:00Z' };

describe('an entity tag', () => {
  test('is strong, the same for the same address, and different for another', async () => {
    const tag = await tagOf(company.path);
    expect(tag).toMatch(/^"[\x21\x23-\x7e]{16,}"$/);
    expect(await tagOf(company.path)).toBe(tag);
    expect(await tagOf(`${company.path}/relationships`)).not.toBe(tag);
  });

  test('of a search belongs to its canonical address, so filters, limit and page change it', async () => {
    const tags = [
      await tagOf('/api/v1/search?q=bank'),
      await tagOf('/api/v1/search?q=bank&country=DE'),
      await tagOf('/api/v1/search?q=bank&status=ISSUED'),
      await tagOf('/api/v1/search?q=bank&limit=5'),
      await tagOf('/api/v1/search?q=banks'),
    ];
    expect(new Set(tags).size).toBe(tags.length);
  });

  test('changes with the publication, base URL, notice and source, and cannot be computed without the key', async () => {
    const tag = await tagOf(company.path);
    scene.active = second;
    expect(await tagOf(company.path)).not.toBe(tag);
    const settings = [
      { LEI_BASE_URL: 'https://a.example' },
      { LEI_BASE_URL: 'https://a.example', LEI_LICENSE_NOTICE: 'Other words.' },
      { LEI_BASE_URL: 'https://a.example', LEI_SOURCE_URL: 'https://mirror.example' },
    ];
    const tags = await Promise.all(
      settings.map(async (environment) => {
        const other = startInMemory(environment);
        const response = await fetch(`${other.baseUrl}${company.path}`);
        await other.stop();
        return response.headers.get('etag');
      }),
    );
    expect(new Set([...tags, tag]).size).toBe(settings.length + 1);
  });

  test('of a page changes with the cursor secret, since a 304 lets the client keep the old cursor', async () => {
    const nodes = ['', 'one secret of thirty-two characters!', 'another one of thirty-two characters'].map(
      (secret) => startInMemory({ LEI_BASE_URL: 'https://a.example', LEI_CURSOR_SECRET: secret }),
    );
    const tags = await Promise.all(
      nodes.map(async (node) => {
        node.scene.answer = () => found({ items: [] }, '20');
        return (await fetch(`${node.baseUrl}/api/v1/search?q=bank`)).headers.get('etag');
      }),
    );
    await Promise.all(nodes.map((node) => node.stop()));
    expect(new Set(tags).size).toBe(nodes.length);
  });

  test('is valid again after a rollback, since the old bytes are served again', async () => {
    const tag = await tagOf(company.path);
    scene.active = second;
    await ask(company.path);
    scene.active = { manifest: manifest('20240505T000000Z-3f9a1c2b'), activatedAt: '2024-05-07T00:00:00Z' };
    const response = await ask(company.path, { 'If-None-Match': tag });
    expect(response.status).toBe(304);
  });
});

describe('If-None-Match', () => {
  test('with a current tag is answered by the front alone, without a question to the pool', async () => {
    const tag = await tagOf(company.path);
    questions.length = 0;
    const response = await ask(company.path, { 'If-None-Match': tag });
    expect(response.status).toBe(304);
    expect(await response.text()).toBe('');
    expect(response.headers.get('etag')).toBe(tag);
    expect(questions).toEqual([]);
  });

  test('matches in every form: weak, in a list, among others, with odd spaces, over several lines', async () => {
    const tag = await tagOf(company.path);
    questions.length = 0;
    const forms = [
      `W/${tag}`,
      `"other", ${tag}`,
      `${tag},"other"`,
      `W/"a,b" ,  ${tag}  , "c"`,
      `"", ${tag}`,
      `nonsense, ${tag}`,
    ];
    for (const form of forms) {
      const response = await ask(company.path, { 'If-None-Match': form });
      expect([form, response.status]).toEqual([form, 304]);
    }
    expect(questions).toEqual([]);
  });

  test('with the tag of another address or publication, or a made-up one, gets the whole answer', async () => {
    const others = [await tagOf('/api/v1/mic/XETR'), '"made-up"', 'W/"made-up"', 'unquoted', '""', '', '"*"'];
    for (const tag of others) {
      const response = await ask(company.path, { 'If-None-Match': tag });
      expect([tag, response.status]).toEqual([tag, 200]);
    }
  });

  test('with "*" matches everything that exists, which only a query thread knows', async () => {
    expect((await ask(company.path, { 'If-None-Match': '*' })).status).toBe(304);
    expect(questions).toHaveLength(1);
    scene.answer = () => ({ outcome: 'not-found' });
    expect((await ask(company.path, { 'If-None-Match': '*' })).status).toBe(404);
  });

  test('overrides If-Modified-Since', async () => {
    const response = await ask(company.path, {
      'If-None-Match': '"other"',
      'If-Modified-Since': 'Fri, 31 Dec 2100 00:00:00 GMT',
    });
    expect(response.status).toBe(200);
  });

  test('matches exactly the tags in its list (property)', () => {
    const opaque = fc.stringMatching(/^[!#-+\--~]{0,12}$/).map((text) => `"${text}"`);
    fc.assert(
      fc.property(fc.array(fc.tuple(opaque, fc.boolean()), { minLength: 1 }), opaque, (list, other) => {
        const header = list.map(([tag, weak]) => (weak ? `W/${tag}` : tag)).join(', ');
        const condition = readTagCondition(header);
        const tags = list.map(([tag]) => tag);
        expect(tags.every((tag) => matchesTag(condition, tag))).toBe(true);
        expect(matchesTag(condition, other)).toBe(tags.includes(other));
      }),
    );
  });
});

describe('If-Modified-Since', () => {
  const lastModified = 'Sun, 05 May 2024 01:02:03 GMT';

  test('matches at and after the time of activation, not before', async () => {
    expect((await ask(company.path)).headers.get('last-modified')).toBe(lastModified);
    const statusSince = async (date: string) =>
      (await ask(company.path, { 'If-Modified-Since': date })).status;
    expect(await statusSince(lastModified)).toBe(304);
    expect(await statusSince('Sun, 05 May 2024 01:02:04 GMT')).toBe(304);
    expect(await statusSince('Sun, 05 May 2024 01:02:02 GMT')).toBe(200);
  });

  test('is read in all three forms of an HTTP date', async () => {
    for (const date of [lastModified, 'Sunday, 05-May-24 01:02:03 GMT', 'Sun May  5 01:02:03 2024']) {
      expect((await ask(company.path, { 'If-Modified-Since': date })).status).toBe(304);
    }
  });

  test('is ignored when it is not an HTTP date', async () => {
    const odd = [
      '2100-01-01T00:00:00Z',
      'Fri, 31 Dec 2100 00:00:00 CET',
      'Fri, 32 Dec 2100 00:00:00 GMT',
      'Fri, 31 Dec 2100 25:00:00 GMT',
      'Fri, 31 Dec 2100 10:60:00 GMT',
      'Fri, 31 Dec 2100 10:00:61 GMT',
      'tomorrow',
      '4102444800',
    ];
    for (const date of odd) {
      expect([date, (await ask(company.path, { 'If-Modified-Since': date })).status]).toEqual([date, 200]);
    }
  });

  test('may be a leap second, which counts as the first second of the next day', () => {
    expect(readHttpDate('Sat, 31 Dec 2016 23:59:60 GMT', 0)).toBe(Date.UTC(2017, 0, 1));
  });

  test('never matches after a rollback, because a rollback is an activation', async () => {
    expect((await ask(company.path)).headers.get('last-modified')).toBe(lastModified);
    scene.active = { manifest: manifest('20240505T000000Z-3f9a1c2b'), activatedAt: '2024-05-07T00:00:00Z' };
    const response = await ask(company.path, { 'If-Modified-Since': lastModified });
    expect(response.status).toBe(200);
    expect(response.headers.get('last-modified')).toBe('Tue, 07 May 2024 00:00:00 GMT');
    const again = await ask(company.path, { 'If-Modified-Since': 'Mon, 06 May 2024 00:00:00 GMT' });
    expect(again.headers.get('last-modified')).toBe('Tue, 07 May 2024 00:00:00 GMT');
    scene.active = defaults.active;
    expect((await ask(company.path)).headers.get('last-modified')).toBe(lastModified);
  });

  test('gets 404 for a missing resource', async () => {
    scene.answer = () => ({ outcome: 'not-found' });
    expect((await ask(company.path, { 'If-Modified-Since': lastModified })).status).toBe(404);
  });

  test('in any date format is read to the exact second (property)', () => {
    const now = Date.UTC(2026, 10, 21);
    const seconds = fc.integer({ min: 0, max: 4_000_000_000 });
    fc.assert(
      fc.property(seconds, (second) => {
        const date = new Date(second * 1000);
        expect(readHttpDate(date.toUTCString(), now)).toBe(second * 1000);
      }),
    );
  });

  test('with a two-digit year means a year at most fifty years ahead', () => {
    const now = Date.UTC(2026, 10, 21);
    expect(readHttpDate('Sunday, 06-Nov-94 08:49:37 GMT', now)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
    expect(readHttpDate('Friday, 06-Nov-76 08:49:37 GMT', now)).toBe(Date.UTC(2076, 10, 6, 8, 49, 37));
    expect(readHttpDate('Friday, 06-Nov-77 08:49:37 GMT', now)).toBe(Date.UTC(1977, 10, 6, 8, 49, 37));
  });
});

describe('a 304', () => {
  test('has no body and carries ETag, Cache-Control, Vary, Date, CORS and the rate-limit headers', async () => {
    const tag = await tagOf(company.path);
    for (const headers of [{ 'If-None-Match': tag }, { 'If-None-Match': '*' }]) {
      const response = await ask(company.path, headers);
      expect(response.status).toBe(304);
      expect(await response.text()).toBe('');
      expect(response.headers.get('etag')).toBe(tag);
      expect(response.headers.get('cache-control')).toBe('private, no-cache');
      expect(response.headers.get('vary')).toBe('Accept-Encoding');
      expect(response.headers.get('date')).not.toBeNull();
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('ratelimit')).not.toBeNull();
      expect(response.headers.get('content-type')).toBeNull();
    }
  });

  test('to a page has no Link header, unlike the 200', async () => {
    scene.answer = () => found({ items: [] }, 'position');
    const path = `${company.path}/changes`;
    expect((await ask(path)).headers.get('link')).not.toBeNull();
    expect((await ask(path, { 'If-None-Match': await tagOf(path) })).headers.get('link')).toBeNull();
  });
});
