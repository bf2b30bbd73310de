import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const deutscheBank = '7LTWFZYICNSX8D621K86';

const ask = (path: string, init: BunFetchRequestInit = {}) =>
  service.fetch(path, { redirect: 'manual', ...init });
const search = (parameters: Record<string, string>) => ask(`/?${new URLSearchParams(parameters)}`);
const textOf = async (path: string) => (await ask(path)).text();
const leadsTo = async (parameters: Record<string, string>) => {
  const response = await search(parameters);
  return [response.status, response.headers.get('location')];
};
/** LEIs of the companies that a page lists, in its order. */
const listed = (page: string) =>
  Array.from(page.matchAll(/class="name" href="\/company\/(\w{20})"/g), (match) => match[1] ?? '');
const faultOn = (page: string) => /id="q-fault"[^>]*>([^<]*)</.exec(page)?.[1];

describe('the home page', () => {
  test('has a form that sends q with GET, filters, facts about the data, and links to docs, description and status', async () => {
    const page = await textOf('/');
    expect(page).toMatch(/<form [^>]*method="get" action="\/"/);
    expect(page).toMatch(/<input [^>]*name="q"/);
    for (const filter of ['country', 'status', 'entityStatus', 'category'])
      expect(page).toMatch(new RegExp(`<input type="checkbox" name="${filter}" value="\\w+">`));
    expect(page).not.toContain(' checked>');
    for (const path of ['/docs', '/openapi.json', '/api/v1/status', '/signup', '/match']) {
      expect(page).toContain(`href="${path}"`);
    }
    const active = service.publications.active();
    expect(page).toContain(`<code>${active?.manifest.id}</code>`);
    expect(page).toContain(`<dd>${active?.manifest.counts.entities.toLocaleString('en')}</dd>`);
    expect(page).toContain('This is a small sample');
    expect(page).toContain('LEI data © GLEIF');
  });

  test('loads scripts and styles of this service only, and has none inline', async () => {
    for (const path of ['/', '/?q=bank', '/?q=a']) {
      const response = await ask(path);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).not.toContain('unsafe');
      const page = await response.text();
      expect(page).not.toMatch(/<style| style=|<script>| on\w+=/);
      for (const [, address = ''] of page.matchAll(/(?:src|<link[^>]* href)="([^"]+)"/g)) {
        expect(address).toMatch(/^\/assets\/[\w-]{16}\//);
      }
    }
  });

  test('weighs less than 60 kB with everything that it loads', async () => {
    const page = await ask('/', { decompress: false, headers: { 'Accept-Encoding': 'gzip' } });
    let bytes = (await page.arrayBuffer()).byteLength;
    const loaded = (await textOf('/')).matchAll(/(?:src|<link[^>]* href)="([^"]+)"/g);
    for (const [, address = ''] of loaded) {
      const file = await ask(address, { decompress: false, headers: { 'Accept-Encoding': 'gzip' } });
      expect([address, file.status]).toEqual([address, 200]);
      bytes += (await file.arrayBuffer()).byteLength;
    }
    expect(bytes).toBeLessThan(60_000);
  });

  test('answers HEAD like GET, and 304 for its tag', async () => {
    for (const path of ['/', '/?q=bank']) {
      const [get, head] = [await ask(path), await ask(path, { method: 'HEAD' })];
      expect(head.status).toBe(200);
      expect(await head.text()).toBe('');
      for (const name of ['etag', 'content-type', 'cache-control', 'content-security-policy', 'vary']) {
        expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
      }
      const again = await ask(path, { headers: { 'If-None-Match': get.headers.get('etag') ?? '' } });
      expect([again.status, await again.text()]).toEqual([304, '']);
    }
  });

  test('has the same tag only if its bytes are the same', async () => {
    const tags = ['/', '/?q=bank', '/?q=bank&country=DE'].map(async (path) =>
      (await ask(path)).headers.get('etag'),
    );
    expect(new Set(await Promise.all(tags)).size).toBe(3);
  });

  test('is sent in the coding that the client accepts', async () => {
    for (const coding of ['zstd', 'br', 'gzip']) {
      const response = await ask('/', { decompress: false, headers: { 'Accept-Encoding': coding } });
      expect(response.headers.get('content-encoding')).toBe(coding);
    }
  });
});

describe('a search on the home page', () => {
  test('for an LEI redirects to the company, however it is typed', async () => {
    for (const q of [
      deutscheBank,
      deutscheBank.toLowerCase(),
      ` ${deutscheBank} `,
      '7LTW FZYI CNSX 8D62 1K86',
    ]) {
      expect([q, await leadsTo({ q })]).toEqual([q, [303, `/company/${deutscheBank}`]]);
    }
  });

  test('for an OpenCorporates id of a company without a record shows the LEI that it leads to', async () => {
    const page = await (await ask('/?q=GB/07211438')).text();
    expect(page).toContain('OpenCorporates id gb/07211438');
    expect(page).toContain('2138004VFYZFYLELHT92');
  });

  test('for an ISIN redirects to its issuer', async () => {
    expect(await leadsTo({ q: 'de0005140008' })).toEqual([303, `/company/${deutscheBank}`]);
  });

  test('for an ISIN without a known issuer says so', async () => {
    const page = await (await search({ q: 'US0378331005' })).text();
    expect(page).toContain('ISIN US0378331005');
    expect(page).toContain('No company in the data has this identifier.');
  });

  test('for letters that may be a BIC or a name shows the BIC’s company above those with the name', async () => {
    const page = await (await search({ q: 'DEUTDEFF' })).text();
    expect(page).toContain('BIC DEUTDEFF');
    expect(page).toContain(`href="/company/${deutscheBank}"`);
  });

  test('lists the companies that the API lists, in its order, over all pages', async () => {
    const found: string[] = [];
    for (let path = '/?q=bank&status=ISSUED'; path !== ''; ) {
      const page = await textOf(path);
      found.push(...listed(page));
      path = /rel="next" href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    }
    const expected: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const answer = await ask(`/api/v1/search?q=bank&status=ISSUED&limit=100${more}`);
      const body = JSON.parse(await answer.text());
      for (const { lei } of body.data.items) expected.push(lei);
      cursor = body.links.next;
    }
    expect(found.length).toBeGreaterThan(20);
    expect(found).toEqual(expected);
  });

  test.each(['status=ISSUED', 'category=GENERAL'])(
    'leads from each page to the one before, with the same companies (%s)',
    async (filter) => {
      const start = `/?q=bank&${filter}`;
      const linkOf = (page: string, rel: string) =>
        new RegExp(`rel="${rel}" href="([^"]+)"`).exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
      const forth: (readonly string[])[] = [];
      const back: (readonly string[])[] = [];
      let path = start;
      for (let step = 1; step <= 3; step++) {
        const page = await textOf(path);
        forth.push(listed(page));
        path = step < 3 ? linkOf(page, 'next') : linkOf(page, 'prev');
      }
      while (path !== '') {
        const page = await textOf(path);
        expect(page).toContain(`aria-current="page">Page ${2 - back.length}<`);
        back.push(listed(page));
        path = linkOf(page, 'prev');
      }
      expect(back).toEqual(forth.slice(0, 2).toReversed());
      expect(await textOf(start)).not.toContain('rel="prev"');
    },
  );

  test('with several values of filters has the companies of the list, and its links keep them', async () => {
    const filters = 'country=DE&country=GBR&country=&country=FR,US&category=GENERAL&entityStatus=ACTIVE';
    const found: string[] = [];
    let pages = 0;
    for (let path = `/?q=bank&${filters}`; path !== ''; pages++) {
      const page = await textOf(path);
      found.push(...listed(page));
      for (const value of ['DE', 'GB', 'FR', 'US', 'GENERAL', 'ACTIVE'])
        expect(page).toContain(`value="${value}" checked>`);
      path = /rel="next" href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    }
    const answer = await ask(
      '/ext/v1/list?q=bank&country=DE,GB,FR,US&category=GENERAL&entityStatus=ACTIVE&limit=100',
    );
    const { data }: { data: { items: { lei: string }[] } } = JSON.parse(await answer.text());
    expect(pages).toBeGreaterThan(1);
    expect(found.slice(0, 100)).toEqual(data.items.map(({ lei }) => lei));
  });

  test('keeps the filters and what was typed, as text', async () => {
    const q = '"><script>alert(1)</script> bank';
    const page = await (await search({ q, country: 'de', status: 'issued' })).text();
    expect(page).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt; bank"');
    expect(page).not.toContain('<script>');
    expect(page.match(/name="(?:country|status)" value="\w+" checked>/g)).toEqual([
      'name="country" value="DE" checked>',
      'name="status" value="ISSUED" checked>',
    ]);
    expect(page).toContain('<summary>Filters: Germany · Issued</summary>');
  });

  test('has the boxes of chosen values first, each value once, with plain words', async () => {
    const page = await textOf('/?q=bank&country=US&country=de&country=US&entityStatus=NULL');
    const boxes = Array.from(
      page.matchAll(/name="country" value="(\w+)"( checked)?> ([^<]+)<\/label>/g),
      ([, value, isChosen, text]) => [value, isChosen !== undefined, text],
    );
    expect(boxes.slice(0, 3)).toEqual([
      ['US', true, 'United States'],
      ['DE', true, 'Germany'],
      ['AF', false, 'Afghanistan'],
    ]);
    expect(new Set(boxes.map(([value]) => value)).size).toBe(boxes.length);
    expect(page).toContain('<summary>Country: <strong>United States, Germany</strong></summary>');
    expect(page).toContain('<summary>Filters: United States, Germany · Not applicable</summary>');
    expect(page).not.toMatch(/\bNull\b/);
  });

  test('with empty filters, as the form sends them, searches everywhere', async () => {
    const page = await (await search({ q: 'deutsche bank', country: '', status: '' })).text();
    expect(listed(page)).toContain(deutscheBank);
  });

  test('reads control characters in pasted text as spaces', async () => {
    const page = await (await search({ q: 'deutsche\u0000\tbank\r\n' })).text();
    expect(listed(page)).toContain(deutscheBank);
  });

  test('that is malformed gets 400 with the form and the reason', async () => {
    const faults: [Record<string, string>, string][] = [
      [{ q: 'a' }, 'Type 2 to 500 characters.'],
      [{ q: 'bank', country: '!DE,FR' }, 'The country must not begin with !'],
      [{ q: 'x'.repeat(501) }, 'Type 2 to 500 characters.'],
      [{ q: 'bank', country: 'Atlantis' }, 'The country must hold country codes of ISO 3166-1 alpha-2'],
      [{ q: 'bank', country: 'DE,Germany' }, 'The country must hold country codes of ISO 3166-1 alpha-2'],
      [{ q: 'bank', country: 'ZZ' }, 'The country must be a country code'],
      [{ q: 'bank', status: 'x' }, 'The status must hold one or more of PENDING_VALIDATION'],
      [{ q: 'bank', entityStatus: 'x' }, 'The entity status must hold one or more of ACTIVE'],
      [{ q: 'bank', category: 'x' }, 'The category must hold one or more of GENERAL'],
      [{ q: 'bank', cursor: 'AAAA' }, 'These results have been replaced by newer data.'],
    ];
    for (const [parameters, fault] of faults) {
      const response = await search(parameters);
      expect([parameters, response.status]).toEqual([parameters, 400]);
      expect(faultOn(await response.text())).toStartWith(fault);
    }
  });

  test('refuses a cursor of the API, and the API refuses one of a page', async () => {
    const { links } = JSON.parse(await textOf('/api/v1/search?q=bank'));
    expect((await search({ q: 'bank', cursor: links.next })).status).toBe(400);
    const cursor = /cursor=([\w-]+)/.exec(await textOf('/?q=bank'))?.[1];
    expect((await ask(`/api/v1/search?q=bank&cursor=${cursor}`)).status).toBe(400);
    expect((await search({ q: 'bank', cursor: cursor ?? '' })).status).toBe(200);
    expect((await search({ q: 'banco', cursor: cursor ?? '' })).status).toBe(400);
  });

  test('that finds nothing says so, with status 200', async () => {
    for (const q of ['qqqqxxxxzzzz', '!!']) {
      const response = await search({ q });
      expect([
        response.status,
        (await response.text()).includes('No company with this name was found.'),
      ]).toEqual([200, true]);
    }
  });

  test('that finds nothing because of its filters names them, and leads to the search without them', async () => {
    const response = await search({ q: 'deutsche bank aktiengesellschaft', country: 'JP', category: 'FUND' });
    const page = await response.text();
    expect(response.status).toBe(200);
    expect(page).toContain('among those that the filters leave: <bdi>Japan · Fund</bdi>');
    expect(page).toContain('<a href="/?q=deutsche+bank+aktiengesellschaft">Search without filters</a>');
  });
});

describe('/suggest', () => {
  test('returns what the API suggests', async () => {
    const { items } = JSON.parse(await textOf('/suggest?q=allianz'));
    const api = JSON.parse(await textOf('/ext/v1/suggest?q=allianz'));
    expect(items.length).toBeGreaterThan(5);
    expect(items).toEqual(api.data.items);
  });

  test('returns nothing for a text that is too short, too long or without a letter', async () => {
    for (const q of ['', 'a', '!!', 'x'.repeat(501)]) {
      const response = await ask(`/suggest?${new URLSearchParams({ q })}`);
      expect([q, response.status, await response.text()]).toEqual([q, 200, '{"items":[]}']);
    }
  });
});
