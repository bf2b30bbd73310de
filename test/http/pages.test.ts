import { afterAll, describe, expect, test } from 'bun:test';
import { problemKinds } from '../../src/http/problem-kinds.ts';
import { guides } from '../../src/site/guides/guides.ts';
import { startInMemory } from './app-in-memory.ts';

const service = startInMemory();
afterAll(() => service.stop());

const ask = (path: string, init: BunFetchRequestInit = {}) =>
  fetch(`${service.baseUrl}${path}`, { redirect: 'manual', ...init });
const text = async (path: string) => (await ask(path)).text();

describe('/docs', () => {
  test('is a page: 200 without a redirect', async () => {
    const response = await ask('/docs');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  test('loads nothing from other sites, and each file that it loads is served here with the right type', async () => {
    const page = (await text('/docs')).replace(
      /<(?:header|footer) class="site">.*?<\/(?:header|footer)>/gs,
      '',
    );
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    const loaded = Array.from(page.matchAll(/(?:src|href)="([^"]+)"/g), (match) => match[1] ?? '').filter(
      (address) => !address.startsWith('#'),
    );
    expect(loaded).toContain('docs/swagger-ui-bundle.js');
    const types = await Promise.all(
      loaded.map(async (address) => {
        const response = await fetch(new URL(address, `${service.baseUrl}/docs`));
        const name = address.replace(/^(\/assets\/)[\w-]{16}\//, '$1');
        return [name, response.status, response.headers.get('content-type')];
      }),
    );
    expect(types).toEqual([
      ['/assets/frame.css', 200, 'text/css; charset=utf-8'],
      ['docs/swagger-ui.css', 200, 'text/css; charset=utf-8'],
      ['docs/reference.css', 200, 'text/css; charset=utf-8'],
      ['/assets/icon.svg', 200, 'image/svg+xml'],
      ['/assets/copy.js', 200, 'text/javascript; charset=utf-8'],
      ['docs/api', 200, 'text/html; charset=utf-8'],
      ['docs/api', 200, 'text/html; charset=utf-8'],
      ['openapi.json', 200, 'application/json'],
      ['docs/ext', 200, 'text/html; charset=utf-8'],
      ['ext/openapi.json', 200, 'application/json'],
      ['docs/gleif', 200, 'text/html; charset=utf-8'],
      ['gleif/openapi.json', 200, 'application/json'],
      ['problems', 200, 'text/html; charset=utf-8'],
      ...guides.map(({ slug }) => [`/docs/${slug}`, 200, 'text/html; charset=utf-8']),
      ['docs/swagger-ui-bundle.js', 200, 'text/javascript; charset=utf-8'],
      ['docs/start.js', 200, 'text/javascript; charset=utf-8'],
    ]);
    const imported = Array.from(
      (await text('/docs/reference.css')).matchAll(/@import url\("([^"]+)"\)/g),
      ([, address = '']) => new URL(address, `${service.baseUrl}/docs/reference.css`).pathname,
    );
    expect(imported).toHaveLength(2);
    for (const path of imported) {
      const { status, headers } = await ask(path);
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    }
  });

  test('has a policy that allows only this service’s own scripts and styles', async () => {
    const policy = (await ask('/docs')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("connect-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(
      (await text('/docs')).replace(/<script(?: type="module")? src="[^"]+"><\/script>/g, ''),
    ).not.toContain('<script');
  });

  test('sends its large script in a coding that the client accepts, and answers 304 to its tag', async () => {
    const path = '/docs/swagger-ui-bundle.js';
    const plain = await ask(path, { headers: { 'Accept-Encoding': 'identity' } });
    const size = (await plain.arrayBuffer()).byteLength;
    for (const coding of ['zstd', 'br', 'gzip']) {
      const response = await ask(path, { decompress: false, headers: { 'Accept-Encoding': coding } });
      expect(response.headers.get('content-encoding')).toBe(coding);
      expect((await response.arrayBuffer()).byteLength).toBeLessThan(size / 2);
      const etag = response.headers.get('etag') ?? '';
      const again = await ask(path, { headers: { 'Accept-Encoding': coding, 'If-None-Match': etag } });
      expect(again.status).toBe(304);
    }
  });
});

describe('/problems', () => {
  test('has a short page for each type, with its title and status', async () => {
    const index = await text('/problems');
    for (const [name, { title, status }] of Object.entries(problemKinds)) {
      const page = await text(`/problems/${name}`);
      expect(page).toContain(`<title>${title}</title>`);
      expect(page).toContain(`HTTP status ${status}`);
      expect(index).toContain(`href="/problems/${name}"`);
    }
  });

  test('has no page for a type that does not exist', async () => {
    expect((await ask('/problems/made-up')).status).toBe(404);
    expect((await ask('/problems/constructor')).status).toBe(404);
  });
});

describe('/.well-known/api-catalog', () => {
  test('is a linkset (RFC 9727) with the description, the documentation and the status', async () => {
    const response = await ask('/.well-known/api-catalog');
    expect(response.headers.get('content-type')).toBe(
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    );
    expect(response.headers.get('link')).toContain('rel="api-catalog"');
    const { linkset } = JSON.parse(await response.text());
    expect(linkset.map(({ anchor }: { anchor: string }) => anchor.replace(service.baseUrl, ''))).toEqual([
      '/api/v1',
      '/ext/v1',
      '/gleif/api/v1',
    ]);
    for (const relation of ['service-desc', 'service-doc', 'status']) {
      const [{ href, type }] = linkset[0][relation];
      const target = await fetch(href);
      expect([relation, target.status]).toEqual([relation, 200]);
      expect(target.headers.get('content-type')?.split(';')[0]).toBe(type);
    }
  });

  test('has its Link header on HEAD too', async () => {
    const response = await ask('/.well-known/api-catalog', { method: 'HEAD' });
    expect(response.headers.get('link')).toContain('rel="api-catalog"');
  });
});

describe('the other pages', () => {
  test('include a home page, a robots.txt that keeps crawlers off the API, and an icon', async () => {
    expect(await text('/')).toContain('href="/docs"');
    expect(await text('/robots.txt')).toStartWith('User-agent: *\nDisallow: /api/\n');
    expect((await ask('/favicon.ico')).headers.get('content-type')).toBe('image/png');
  });

  test('repeat the caller’s request id, and forbid browsers to guess their type', async () => {
    const { headers } = await ask('/robots.txt', { headers: { 'X-Request-Id': 'mine-1' } });
    expect(headers.get('x-request-id')).toBe('mine-1');
    expect(headers.get('cache-control')).toBe('public, no-cache');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('are sent uncoded if they are small', async () => {
    const response = await ask('/robots.txt', { headers: { 'Accept-Encoding': 'gzip' } });
    expect(response.headers.get('content-encoding')).toBeNull();
  });

  test('refuse a method that writes with 405; an unknown page gets 404', async () => {
    const refused = await ask('/docs', { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    for (const path of [
      '/docs/',
      '/docs/secret.js',
      '/docs/../package.json',
      '/nothing',
      '/.env',
      '/docs/%2e%2e/x',
    ]) {
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
    }
  });
});
