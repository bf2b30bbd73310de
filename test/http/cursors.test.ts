import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createCursorSeal } from '../../src/http/cursor.ts';
import type { HeldPublication } from '../../src/http/publication-texts.ts';
import type { Answer, Question } from '../../src/protocol/questions.ts';
import {
  company,
  firstId,
  found,
  type MemoryService,
  manifest,
  secondId,
  startInMemory,
} from './app-in-memory.ts';

/** The rows of a query thread's answer: `rows` of them, different in each publication. */
const rows = 57;
function pageOf(question: Question, publicationId: string): Answer {
  if (question.kind !== 'search' && question.kind !== 'changes') return { outcome: 'not-found' };
  const start = question.after === null ? 0 : Number(question.after);
  const end = Math.min(rows, start + question.limit);
  const items = Array.from({ length: end - start }, (_, index) => `${publicationId} ${start + index}`);
  return found({ items, total: rows }, end < rows ? String(end) : null);
}

const service = startInMemory();
afterAll(() => service.stop());
const { scene } = service;
const defaults = { ...scene, answer: pageOf };
beforeEach(() => void Object.assign(scene, defaults));

const firstPublication = scene.active;
const second: HeldPublication = { manifest: manifest(secondId), activatedAt: '2024-05-06T01:00:00Z' };

interface Page {
  readonly status: number;
  readonly items: readonly string[];
  readonly next: string | undefined;
  readonly version: string;
  readonly self: string;
  readonly response: Response;
}

async function page(path: string, from: MemoryService = service): Promise<Page> {
  const response = await fetch(`${from.baseUrl}${path}`);
  const body = JSON.parse(await response.text());
  return {
    status: response.status,
    items: body.data?.items,
    next: body.links?.next,
    version: body.meta?.datasetVersion,
    self: body.links?.self,
    response,
  };
}

async function problem(path: string, from: MemoryService = service) {
  const response = await fetch(`${from.baseUrl}${path}`);
  const body: { type: string; errors: unknown } = JSON.parse(await response.text());
  return { status: response.status, name: body.type.split('/').at(-1), errors: body.errors };
}

const search = '/api/v1/search?q=bank';
const changes = `${company.path}/changes`;
const withCursor = (path: string, cursor: string) =>
  `${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`;

describe('a traversal', () => {
  test('with any sequence of limits returns exactly the rows of one list, in order (property)', async () => {
    const limits = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(search, `${changes}?`), limits, async (path, sequence) => {
        const collected: string[] = [];
        let cursor: string | undefined;
        for (let step = 0; step === 0 || cursor !== undefined; step++) {
          const limit = sequence[step % sequence.length];
          const next = cursor === undefined ? '' : `&cursor=${cursor}`;
          const { items, next: after } = await page(`${path}&limit=${limit}${next}`);
          collected.push(...items);
          cursor = after;
        }
        expect(collected).toEqual(Array.from({ length: rows }, (_, index) => `${firstId} ${index}`));
      }),
      { numRuns: 25 },
    );
  });

  test('stays in its publication when another becomes active, and names it', async () => {
    const first = await page(search);
    Object.assign(scene, { active: second, kept: [firstPublication] });
    const next = await page(withCursor(search, first.next ?? ''));
    expect(next.items[0]).toBe(`${firstId} 20`);
    expect(next.version).toBe(firstId);
    expect(next.response.headers.get('last-modified')).toBe('Sun, 05 May 2024 01:02:03 GMT');
    expect((await page(search)).version).toBe(secondId);
  });

  test('shows each page’s own address, with exactly the parameters that were sent', async () => {
    const first = await page(changes);
    const next = await page(`${changes}?cursor=${first.next}`);
    expect([first.self, next.self]).toEqual([changes, `${changes}?cursor=${first.next}`]);
    expect((await page(search)).self).toBe(search);
  });

  test('has a separate entity tag for each page, valid as long as the publication is kept', async () => {
    const first = await page(search);
    const path = withCursor(search, first.next ?? '');
    const tag = (await page(path)).response.headers.get('etag') ?? '';
    Object.assign(scene, { active: second, kept: [firstPublication] });
    const again = await fetch(`${service.baseUrl}${path}`, { headers: { 'If-None-Match': tag } });
    expect(again.status).toBe(304);
    expect(tag).not.toBe(first.response.headers.get('etag'));
  });

  test('may continue after a restart, because the key is kept', async () => {
    const { next } = await page(search);
    const restarted = startInMemory();
    restarted.scene.answer = pageOf;
    const following = await page(withCursor(search, next ?? ''), restarted);
    await restarted.stop();
    expect(following.items[0]).toBe(`${firstId} 20`);
  });

  test('may continue on another node with the same LEI_CURSOR_SECRET, and not on one with another', async () => {
    const environment = { LEI_CURSOR_SECRET: 'a secret of at least thirty-two characters' };
    const nodes = [startInMemory(environment), startInMemory(environment)] as const;
    for (const node of nodes) node.scene.answer = pageOf;
    const { next } = await page(search, nodes[0]);
    const path = withCursor(search, next ?? '');
    expect((await page(path, nodes[1])).items[0]).toBe(`${firstId} 20`);
    expect((await problem(path)).name).toBe('invalid-cursor');
    await Promise.all(nodes.map((node) => node.stop()));
  });
});

describe('a page', () => {
  test('has links.next and a Link header with the next address, which keeps all other parameters', async () => {
    const path = '/api/v1/search?limit=2&status=issued&country=de&q=%20deutsche%20%22bank%22%20';
    const { next, self, response } = await page(path);
    const kept = '/api/v1/search?q=deutsche+%22bank%22&country=DE&status=ISSUED&limit=2';
    expect(self).toBe(kept);
    expect(next).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(response.headers.get('link')).toBe(`<${kept}&cursor=${next}>; rel="next"`);
    const following = await page(`${kept}&cursor=${next}`);
    expect(following.self).toBe(`${kept}&cursor=${next}`);
    expect(following.items[0]).toBe(`${firstId} 2`);
  });

  test('has neither if it is the last', async () => {
    const { next, response } = await page(`${changes}?limit=100`);
    expect(next).toBeUndefined();
    expect(response.headers.get('link')).toBeNull();
  });
});

describe('a cursor', () => {
  test('of another endpoint, company, query or filter is invalid', async () => {
    const { next = '' } = await page(search);
    const others = [
      '/api/v1/search?q=banks',
      '/api/v1/search?q=bank&country=DE',
      '/api/v1/search?q=bank&status=ISSUED',
      changes,
      '/api/v1/lei/7LTWFZYICNSX8D621K86/changes',
    ];
    for (const path of others) {
      expect(await problem(withCursor(path, next))).toMatchObject({ status: 400, name: 'invalid-cursor' });
    }
    const ofChanges = (await page(changes)).next ?? '';
    const elsewhere = await problem(withCursor('/api/v1/lei/7LTWFZYICNSX8D621K86/changes', ofChanges));
    expect(elsewhere.name).toBe('invalid-cursor');
  });

  test('is the same for every spelling of a query, so the next page may use another spelling', async () => {
    const { next = '' } = await page('/api/v1/search?q=bank&country=DE');
    expect((await page(`/api/v1/search?country=de&q=%20bank&cursor=${next}`)).items[0]).toBe(`${firstId} 20`);
  });

  test('that was altered in any character, cut short or made up is invalid (property)', async () => {
    const { next = '' } = await page(search);
    const altered = fc
      .tuple(fc.nat({ max: next.length - 1 }), fc.constantFrom(...'AZaz09-_'))
      .map(([index, character]) => next.slice(0, index) + character + next.slice(index + 1));
    const cut = fc.nat({ max: next.length - 1 }).map((length) => next.slice(0, length));
    const madeUp = fc.stringMatching(/^[A-Za-z0-9_.~=-]{1,80}$/);
    await fc.assert(
      fc.asyncProperty(fc.oneof(altered, cut, madeUp), async (cursor) => {
        fc.pre(cursor !== next && cursor !== '');
        expect(await problem(withCursor(search, cursor))).toMatchObject({
          status: 400,
          name: 'invalid-cursor',
          errors: [{ parameter: 'cursor' }],
        });
      }),
      { numRuns: 60 },
    );
  });

  test('in another base64 spelling of the same bytes is invalid', async () => {
    const { next = '' } = await page(search);
    const spellings = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=%.')
      .flatMap((character) => [`${next.slice(0, -1)}${character}`, `${next}${character}`])
      .filter((spelling) => spelling !== next)
      .filter((spelling) => Buffer.from(spelling, 'base64url').equals(Buffer.from(next, 'base64url')));
    expect(spellings.length).toBeGreaterThan(3);
    for (const spelling of spellings) {
      const cursor = encodeURIComponent(spelling);
      expect(await problem(withCursor(search, cursor))).toMatchObject({
        status: 400,
        name: 'invalid-cursor',
      });
    }
  });

  test('has expired when its publication is deleted', async () => {
    const { next = '' } = await page(search);
    scene.active = second;
    expect(await problem(withCursor(search, next))).toMatchObject({ status: 400, name: 'expired-cursor' });
  });

  test('has expired if its publication is deleted while the question is asked', async () => {
    const { next = '' } = await page(search);
    scene.answer = () => ({ outcome: 'unavailable', reason: 'publication-gone' });
    expect(await problem(withCursor(search, next))).toMatchObject({ status: 400, name: 'expired-cursor' });
  });

  test('is never read in another publication, even if its own is deleted while it is asked', async () => {
    const { next = '' } = await page(search);
    scene.active = second;
    scene.kept = firstPublication === null ? [] : [firstPublication];
    scene.answer = (question, id) =>
      id === firstId ? { outcome: 'unavailable', reason: 'publication-gone' } : pageOf(question, id);
    expect(await problem(withCursor(search, next))).toMatchObject({ status: 400, name: 'expired-cursor' });
  });

  test('gets 503 while no publication is active, because it may become valid again', async () => {
    const { next = '' } = await page(search);
    scene.active = null;
    expect((await problem(withCursor(search, next))).status).toBe(503);
  });

  test('is invalid if a query thread refuses its position', async () => {
    const { next = '' } = await page(search);
    scene.answer = () => ({ outcome: 'invalid', parameter: 'cursor', detail: 'no such position' });
    expect((await problem(withCursor(search, next))).name).toBe('invalid-cursor');
  });

  test('decrypts to its content only for its scope and key (property)', () => {
    const [ours, theirs] = [
      createCursorSeal(new Uint8Array(32)),
      createCursorSeal(new Uint8Array(32).fill(9)),
    ];
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (position, scope, other) => {
        const value = ours.seal({ publicationId: firstId, position: position.toWellFormed() }, scope);
        expect(ours.open(value, scope)).toEqual({
          publicationId: firstId,
          position: position.toWellFormed(),
        });
        expect(theirs.open(value, scope)).toBeNull();
        if (other !== scope) expect(ours.open(value, other)).toBeNull();
      }),
    );
  });
});

describe('a swap between choosing a publication and asking it', () => {
  test('does not disturb the caller of a first page: the new publication answers', async () => {
    scene.answer = (question, publicationId) => {
      if (publicationId === secondId) return pageOf(question, publicationId);
      scene.active = second;
      return { outcome: 'unavailable', reason: 'publication-gone' };
    };
    const { status, version, items } = await page(search);
    expect({ status, version, first: items[0] }).toEqual({
      status: 200,
      version: secondId,
      first: `${secondId} 0`,
    });
  });
});
