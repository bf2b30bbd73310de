/** Tests the pages about a company over HTTP: their content, their links, and their answers at odd addresses. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { parseAnswer, sendRaw } from '../../support/raw-socket.ts';
import { startTestService, type TestService } from '../../support/service.ts';

const allianz = '529900K9B0N5BT694847';
const unknown = '5493001KJTIIGC8Y1R12';
const base = '/lei/data';

let service: TestService;
let plain: TestService;
beforeAll(async () => {
  [service, plain] = await Promise.all([
    startTestService({ environment: { LEI_BASE_URL: `https://example.org${base}` } }),
    startTestService(),
  ]);
});
afterAll(() => Promise.all([service.stop(), plain.stop()]));

/** Asks the service itself, as a proxy that strips its path does. */
function get(path: string, init?: BunFetchRequestInit): Promise<Response> {
  return fetch(`http://127.0.0.1:${service.port}${path}`, { redirect: 'manual', ...init });
}

/** The body of the API's answer. */
async function answerOf(path: string) {
  return JSON.parse(await (await get(path)).text());
}

async function html(path: string): Promise<string> {
  const response = await get(path);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  return response.text();
}

describe('the page of a company', () => {
  test('shows the record, the family and the history in sections, each with its JSON', async () => {
    const page = await html(`/company/${allianz}`);
    for (const heading of [
      'Who owns whom',
      'The company',
      'The LEI',
      'Names',
      'Addresses',
      'Validation',
      'Other identifiers',
      'History',
      'For programs',
    ]) {
      expect(page).toContain(`>${heading}</h2>`);
    }
    expect(page).toContain('<title>Allianz SE · 529900K9B0N5BT694847</title>');
    expect(page).toContain(`<link rel="canonical" href="https://example.org${base}/company/${allianz}">`);
    expect(page).toContain('<bdi>80802 München</bdi>');
    expect(page).toContain('The LEI is valid');
    expect(page).toContain('Germany');
    expect(page).toContain(
      `curl 'https://example.org${base}/ext/v1/lei/${allianz}/ownership?direction=up,down&amp;depth=3'`,
    );
  });

  test('links only below the path of the base URL, and to no other host', async () => {
    const page = await html(`/company/${allianz}`);
    const addresses = Array.from(
      page.matchAll(/(?:href|src|action|data-companies)="([^"#][^"]*)"/g),
      (match) => match[1] ?? '',
    );
    const own = addresses.filter((address) => !address.startsWith('http'));
    expect(own.length).toBeGreaterThan(20);
    expect(own.filter((address) => !address.startsWith(`${base}/`))).toEqual([]);
    const hosts = new Set(
      addresses.filter((address) => address.startsWith('http')).map((address) => new URL(address).host),
    );
    expect([...hosts].toSorted()).toEqual(['example.org']);
  });

  test('links only to addresses that exist', async () => {
    const page = await (await plain.fetch(`/company/${allianz}`)).text();
    const paths = new Set(
      Array.from(page.matchAll(/(?:href|src)="(\/[^"#]*)"/g), (match) =>
        (match[1] ?? '').replaceAll('&amp;', '&'),
      ),
    );
    const answers = await Promise.all(
      [...paths].map(async (path) => [path, (await plain.fetch(path)).status] as const),
    );
    expect(answers.filter(([path, status]) => status !== 200 && path !== '/account')).toEqual([]);
  });

  test('shows what the API answers, whose JSON it contains', async () => {
    const page = await html(`/company/${allianz}`);
    const shown = /<code id="record-json">([^<]*)<\/code>/.exec(page)?.[1] ?? '';
    const text = shown
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
    const answer = await answerOf(`/api/v1/lei/${allianz}`);
    expect(JSON.parse(text)).toEqual(answer.data);
  });

  test('gets 304 for its own tag, and 200 without it', async () => {
    const first = await get(`/company/${allianz}`);
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"\S+"$/);
    const again = await get(`/company/${allianz}`, { headers: { 'If-None-Match': tag } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
  });

  test('has a policy that allows no script and no style but those of the service', async () => {
    const policy = (await get(`/company/${allianz}`)).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("style-src 'self'");
    expect(policy).not.toContain('unsafe');
    const page = await html(`/company/${allianz}`);
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
  });

  test('for an LEI in lower case redirects to the address in upper case', async () => {
    const response = await get(`/company/${allianz.toLowerCase()}?x=1`);
    expect(response.status).toBe(308);
    expect(response.headers.get('location')).toBe(`${base}/company/${allianz}?x=1`);
    const encoded = allianz.toLowerCase().replace('7', '%37');
    const history = await get(`/company/${encoded}/history`);
    expect([history.status, history.headers.get('location')]).toEqual([
      308,
      `${base}/company/${allianz}/history`,
    ]);
    const line = `GET /company/${allianz.toLowerCase()} HTTP/1.0\r\n\r\n`;
    const { status, headers } = parseAnswer(await sendRaw(service.port, line));
    expect([status, headers.get('location')]).toEqual([308, `${base}/company/${allianz}`]);
  });
});

describe('an address that names no company', () => {
  test('gets 404 for a well-formed LEI that nobody has, with a link onwards', async () => {
    const response = await get(`/company/${unknown}`);
    expect(response.status).toBe(404);
    const page = await response.text();
    expect(page).toContain('No such company');
    expect(page).toContain(unknown);
    expect(page).toContain(`action="${base}/"`);
  });

  test.each(['children', 'history'])('gets 404 for the %s of such an LEI', async (page) => {
    expect((await get(`/company/${unknown}/${page}`)).status).toBe(404);
  });

  test.each(['hello', '529900K9B0N5BT694848', '%3Cscript%3E', 'a'.repeat(2_000)])(
    'gets 400 for a text that is not an LEI, and says what is wrong (%#)',
    async (text) => {
      const response = await get(`/company/${text}`);
      expect(response.status).toBe(400);
      const page = await response.text();
      expect(page).toContain('This is not an LEI');
      expect(page).not.toContain('<script>');
    },
  );

  test('gets 400 with the right check digits for a mistyped LEI', async () => {
    const response = await get('/company/529900K9B0N5BT694848');
    expect(await response.text()).toContain('must be 47');
  });
});

describe('the children of a company', () => {
  test('are those of the API, sorted by name', async () => {
    const page = await html(`/company/${allianz}/children?kind=ultimate`);
    const { data } = await answerOf(`/ext/v1/lei/${allianz}/children?kind=ultimate&limit=100`);
    const items = /<tbody[^>]*>([\s\S]*?)<\/tbody>/.exec(page)?.[1]?.match(/<tr role="row">/g) ?? [];
    expect(items).toHaveLength(data.items.length);
    expect(page).toContain(`has ${data.total}.`);
  });

  test('have no page beyond the last one, which is explained', async () => {
    expect(await html(`/company/${allianz}/children?page=9`)).toContain('this page has none of them');
  });

  test.each(['kind=sisters', 'kind=', 'page=0', 'page=two'])(
    'are not those of a mistyped address (%s)',
    async (query) => {
      const response = await get(`/company/${allianz}/children?${query}`);
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('must be')]);
    },
  );
});

describe('the data of the picture', () => {
  const ask = async (path: string) => {
    const response = await get(path);
    return { status: response.status, body: JSON.parse(await response.text()) };
  };

  test('contains the companies and relationships that the API returns', async () => {
    const { body } = await ask(`/company/${allianz}/ownership?direction=down`);
    const { data } = await answerOf(`/ext/v1/lei/${allianz}/ownership?direction=down&depth=1`);
    const known = new Map<string, unknown>(
      data.nodes.map((node: { readonly lei: string }) => [node.lei, node] as const),
    );
    for (const { below, ...node } of body.nodes) {
      expect(known.get(node.lei)).toEqual(node);
      expect(Object.keys(below)).toEqual(['owned', 'fund', 'branch']);
    }
  });

  test('is refused with a message for a text that names no company', async () => {
    expect((await ask('/company/hello/ownership')).status).toBe(400);
    const { status, body } = await ask(`/company/${unknown}/ownership`);
    expect([status, body.detail]).toEqual([404, `No company has the LEI ${unknown}.`]);
  });

  test.each(['x', '', 'up,x', 'up&direction=up'])(
    'is refused for a direction that there is not (%s)',
    async (direction) => {
      const { status, body } = await ask(`/company/${allianz}/ownership?direction=${direction}`);
      expect([status, body.detail]).toEqual([400, 'The direction must be up, down, or up,down.']);
    },
  );
});
