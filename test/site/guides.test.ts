/** Tests the guides and the readable references below /docs, which come from the folder `docs` and the descriptions. */
import { afterAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderMarkdown } from '../../src/site/guides/markdown.ts';
import { startInMemory } from '../http/app-in-memory.ts';

const service = startInMemory();
afterAll(() => service.stop());

const get = (path: string) => fetch(`${service.baseUrl}${path}`, { redirect: 'manual' });
const textOf = async (path: string) => (await get(path)).text();

const guides = {
  'use-the-api': 'use-the-api.md',
  bulk: 'bulk.md',
  'coming-from-gleif': 'gleif-api.md',
  reconcile: 'reconcile.md',
  assistants: 'mcp.md',
  glossary: 'glossary.md',
} as const;
const slugs = Object.keys(guides);

const all = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, found = '']) => found);

describe('a guide', () => {
  test.each(slugs)('%s is a page in the layout of the others, with its headings as targets', async (slug) => {
    const response = await get(`/docs/${slug}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    const page = await response.text();
    expect(page).toContain('<header class="site">');
    expect(page.match(/<h1>/g)).toHaveLength(1);
    const ids = all(page, / id="([^"]+)"/g);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('says everything that its file says', async () => {
    for (const [slug, file] of Object.entries(guides)) {
      const source = readFileSync(join(import.meta.dir, '..', '..', 'docs', file), 'utf8');
      const page = (await textOf(`/docs/${slug}`)).replaceAll(/<[^>]+>/g, '');
      const plain = page
        .replaceAll(/&(lt|gt|quot|amp|#39);/g, (_, name) => entities[name] ?? '')
        .replaceAll(/\s+/g, ' ');
      const words = source.replaceAll(/\]\([^)]*\)/g, ']').match(/[A-Za-z]{4,}/g) ?? [];
      expect(words.length).toBeGreaterThan(100);
      expect(words.filter((word) => !plain.includes(word) && !languages.includes(word))).toEqual([]);
    }
  });

  test('links only to pages and parts that exist, and to the web', async () => {
    const targets = new Set<string>();
    for (const slug of slugs) {
      const [, article = ''] = (await textOf(`/docs/${slug}`)).split('<article');
      const links = all(article.split('</article>')[0] ?? '', /<a href="([^"]+)"/g);
      for (const target of links) targets.add(target.startsWith('#') ? `/docs/${slug}${target}` : target);
    }
    expect([...targets]).toContain('/docs/bulk');
    for (const target of [...targets].filter((each) => !each.startsWith('https://'))) {
      const [path = '', fragment] = target.split('#');
      const response = await get(path);
      const isThere = fragment === undefined || (await response.text()).includes(` id="${fragment}"`);
      expect([target, response.status, isThere]).toEqual([target, 200, true]);
    }
  });

  test('has the ids of headings that GitHub gives them', () => {
    const place = { linkTo: () => null, baseUrl: '' };
    const { sections } = renderMarkdown('# Keys\n## Match names\n## Match\n## Match\n', place);
    expect(sections.map(({ id }) => id)).toEqual(['keys', 'match-names', 'match', 'match-1']);
  });

  test('shows examples that ask the service itself', async () => {
    const page = await textOf('/docs/use-the-api');
    expect(page).toContain(`curl ${service.baseUrl}/api/v1/isin/DE0005140008`);
    expect(page).not.toContain('127.0.0.1:3000');
    // The button copies the command without its prompt and without the answer.
    expect(page).toMatch(
      /<code id="block-\d+" hidden>curl http:\/\/127\.0\.0\.1:\d+\/api\/v1\/isin\/DE0005140008<\/code>/,
    );
  });
});

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };
/** Names of languages after the three marks of a block. */
const languages: readonly string[] = ['console', 'python', 'text', 'json'];

describe('the search among the guides', () => {
  test('finds the parts that have all words, headings first, and leads to them', async () => {
    const page = await textOf('/docs/search?q=keys+account');
    const targets = all(page, /<a class="name" href="([^"]+)"/g);
    expect(targets[0]).toMatch(/^\/docs\/use-the-api#(keys|your-account)$/);
    for (const target of targets) {
      const [path = '', fragment] = target.split('#');
      const part = (await textOf(path)).split(` id="${fragment}"`)[1]?.split(/<h[23] id/)[0] ?? '';
      const words = `${fragment} ${part}`.toLowerCase();
      expect([target, words.includes('key') && words.includes('account')]).toEqual([target, true]);
    }
  });

  test('shows words around the first that was asked for, with an ellipsis for those before them', async () => {
    const page = await textOf('/docs/search?q=keys');
    const shown = all(page, /<span class="line">[^:]*: ([^<]*)</g);
    const late = shown.filter((text) => text.toLowerCase().indexOf('key') > 60);
    expect(late.length).toBeGreaterThan(0);
    expect(late.filter((text) => !text.startsWith('… '))).toEqual([]);
  });

  test('says so if no guide has all words, and shows the words as they were typed', async () => {
    const page = await textOf(`/docs/search?q=${encodeURIComponent('<b>qqqq "x"')}`);
    expect(page).toContain('No guide has all these words.');
    expect(page).toContain('value="&lt;b&gt;qqqq &quot;x&quot;"');
    expect(page).not.toContain('<b>qqqq');
  });

  test('weighs a word that is typed again once', async () => {
    const targets = async (q: string) =>
      all(await textOf(`/docs/search?q=${q}`), /<a class="name" href="([^"]+)"/g);
    expect(await targets('key+account+key+key+key')).toEqual(await targets('key+account'));
  });

  test('without words is the form alone', async () => {
    const response = await get('/docs/search');
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain('class="hits"');
  });
});

describe('the reference of /ext/v1', () => {
  test('shows every operation with its parameters, a call and its answer, and links to the description', async () => {
    const page = await textOf('/docs/ext');
    const { paths }: ReturnType<typeof JSON.parse> = await (await get('/ext/openapi.json')).json();
    for (const [address, { get: operation }] of Object.entries<ReturnType<typeof JSON.parse>>(paths)) {
      const part = page.split(`aria-labelledby="${operation.operationId}"`)[1]?.split('</section>')[0] ?? '';
      expect(part).toContain(`<code>GET ${address}</code>`);
      for (const { name } of operation.parameters.filter(({ name = null }) => name !== null))
        expect(part).toContain(`<code>${name}</code>`);
      expect(part).toContain('Example of an answer');
      expect(part).toContain(
        '<thead><tr><th scope="col">Member</th><th scope="col">Meaning</th></tr></thead>',
      );
      expect(part).toContain(`curl &#39;${service.baseUrl}/ext/v1/`.replace('&#39;', "'"));
    }
    expect(page).toContain('href="/ext/openapi.json"');
    expect(page).not.toContain('<script src');
  });
});
