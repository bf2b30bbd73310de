/** What requests to GLEIF's API mean: filters, pages, sorts, documents, errors, over the bundled sample. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { sortFields } from '../../src/gleif/fields.ts';
import { readSort } from '../../src/gleif/filters.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

interface Resource {
  readonly id: string;
  readonly type: string;
  readonly attributes: {
    readonly entity: {
      readonly legalName: { readonly name: string };
      readonly legalAddress: { readonly country: string | null };
      readonly status: string | null;
      readonly jurisdiction: string | null;
      readonly category: string | null;
      readonly creationDate: string | null;
    };
    readonly registration: {
      readonly status: string | null;
      readonly lastUpdateDate: string | null;
      readonly initialRegistrationDate: string | null;
      readonly otherValidationAuthorities: readonly { readonly validatedAs: string | null }[];
    };
  };
}

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly total: number;
  readonly ids: readonly string[];
  readonly data: readonly Resource[];
  readonly links: Readonly<Record<string, string>>;
  readonly errors: readonly {
    status: string;
    title: string;
    detail: string;
    source?: { parameter: string };
  }[];
  readonly included: readonly { type: string; id: string; attributes?: unknown }[];
  readonly meta: { readonly pagination?: Readonly<Record<string, unknown>> };
}

async function get(path: string, init?: BunFetchRequestInit): Promise<Answered> {
  const response = await service.fetch(`/gleif/api/v1${path}`, init);
  const text = await response.text();
  const body = text === '' ? {} : JSON.parse(text);
  const data = [body.data ?? []].flat();
  return {
    status: response.status,
    headers: response.headers,
    total: body.meta?.pagination?.total ?? -1,
    ids: data.map(({ id }: Resource) => id),
    data,
    links: body.links ?? {},
    errors: body.errors ?? [],
    included: body.included ?? [],
    meta: body.meta ?? {},
  };
}

async function totalOf(filters: string): Promise<number> {
  return (await get(`/lei-records?${filters}&page[size]=1`)).total;
}

/** All records, by a walk. */
async function walk(query = ''): Promise<readonly Resource[]> {
  const all: Resource[] = [];
  let next: string | undefined = `/lei-records?${query}page[cursor]=*&page[size]=200`;
  while (next !== undefined) {
    const page: Answered = await get(next);
    expect(page.status).toBe(200);
    all.push(...page.data);
    next = page.links['next']?.replace(`${service.baseUrl}/gleif/api/v1`, '');
  }
  return all;
}

describe('lists', () => {
  test('a walk by cursor has each record once, newest registration first, and its last page no next', async () => {
    const all = await walk();
    const { total } = await get('/lei-records?page[size]=1');
    expect(all).toHaveLength(total);
    expect(new Set(all.map(({ id }) => id)).size).toBe(total);
    const keys = all.map(
      ({ id, attributes }) => `${attributes.registration.initialRegistrationDate ?? ''} ${id}`,
    );
    const sorted = keys.toSorted((a, b) => {
      const [first = '', second = ''] = [a.split(' ')[0], b.split(' ')[0]];
      return first === second ? (a < b ? -1 : 1) : first > second ? -1 : 1;
    });
    expect(keys).toEqual(sorted);
  });

  test('totals of filters are those of the records that meet them', async () => {
    const all = await walk();
    const day = (text: string | null) => (text ?? '').slice(0, 10);
    const cases: readonly (readonly [string, (record: Resource['attributes']) => boolean])[] = [
      ['filter[entity.legalAddress.country]=DE', ({ entity }) => entity.legalAddress.country === 'DE'],
      ['filter[entity.legalAddress.country]=de', ({ entity }) => entity.legalAddress.country === 'DE'],
      [
        'filter[entity.legalAddress.country]=!DE,FR',
        ({ entity }) => !['DE', 'FR'].includes(entity.legalAddress.country ?? ''),
      ],
      [
        'filter[entity.legalAddress.country]=DE,FR&filter[registration.status]=LAPSED',
        ({ entity, registration }) =>
          ['DE', 'FR'].includes(entity.legalAddress.country ?? '') && registration.status === 'LAPSED',
      ],
      ['filter[entity.status]=!ACTIVE', ({ entity }) => entity.status !== 'ACTIVE'],
      ['filter[entity.jurisdiction]=US-DE', ({ entity }) => entity.jurisdiction === 'US-DE'],
      ['filter[entity.jurisdiction]=us,MD', ({ entity }) => /^(US|MD)(-|$)/.test(entity.jurisdiction ?? '')],
      ['filter[entity.jurisdiction]=US,US-DE', ({ entity }) => /^US(-|$)/.test(entity.jurisdiction ?? '')],
      ['filter[entity.jurisdiction]=!CA', ({ entity }) => !/^CA(-|$)/.test(entity.jurisdiction ?? '')],
      [
        'filter[entity.category]=FUND,BRANCH',
        ({ entity }) => ['FUND', 'BRANCH'].includes(entity.category ?? ''),
      ],
      [
        'filter[registration.lastUpdateDate]=2024-05-03..2024-05-04',
        ({ registration }) => ['2024-05-03', '2024-05-04'].includes(day(registration.lastUpdateDate)),
      ],
      [
        'filter[registration.lastUpdateDate]=20240504',
        ({ registration }) => day(registration.lastUpdateDate) === '2024-05-04',
      ],
      [
        'filter[registration.lastUpdateDate]=%3C2024-05-04',
        ({ registration }) =>
          registration.lastUpdateDate !== null && day(registration.lastUpdateDate) < '2024-05-04',
      ],
      [
        'filter[registration.lastUpdateDate]=%3E2024-05-03',
        ({ registration }) => day(registration.lastUpdateDate) > '2024-05-03',
      ],
      [
        'filter[registration.lastUpdateDate]=!%3E%3D2024-05-04',
        ({ registration }) => day(registration.lastUpdateDate) < '2024-05-04',
      ],
      [
        'filter[registration.lastUpdateDate]=2024-05-04T00:00:00Z..2024-05-04T11:59:59Z',
        ({ registration }) => /^2024-05-04T(0\d|1[01])/.test(registration.lastUpdateDate ?? ''),
      ],
    ];
    for (const [query, meets] of cases) {
      const { total } = await get(`/lei-records?${query}&page[size]=1`);
      const expected = all.filter(({ attributes }) => meets(attributes)).length;
      expect([query, total]).toEqual([query, expected]);
    }
  });

  test('a time of creation is compared to the second', async () => {
    const all = await walk();
    const times = all.flatMap(({ attributes }) => attributes.entity.creationDate ?? []);
    const cut = times.find((time) => !time.endsWith(':00Z'));
    const oldest = times.toSorted().slice(0, 2);
    for (const at of [cut, ...oldest, '2009-05-19T00:00:00Z']) {
      if (at === undefined) throw new Error('The sample has no company that was created within a minute.');
      const count = (test: (time: string) => boolean) => times.filter(test).length;
      expect([
        await totalOf(`filter[entity.creationDate]=${at}`),
        await totalOf(`filter[entity.creationDate]=%3E${at}`),
        await totalOf(`filter[entity.creationDate]=%3C${at}`),
        await totalOf(`filter[entity.creationDate]=!%3E${at}`),
      ]).toEqual([
        count((time) => time === at),
        count((time) => time > at),
        count((time) => time < at),
        all.length - count((time) => time > at),
      ]);
    }
  });

  test('a field that no record has finds nothing, and leaves nothing out', async () => {
    const { total } = await get('/lei-records?page[size]=1');
    const field = 'filter[entity.successorEntities.lang]';
    expect([await totalOf(`${field}=en`), await totalOf(`${field}=!en`)]).toEqual([0, total]);
  });

  test('the words of a name are anywhere too, its legal form in any writing', async () => {
    const byName = await totalOf('filter[entity.names]=aktiengesellschaft');
    const both = await totalOf('filter[entity.names]=aktiengesellschaft&filter[fulltext]=aktiengesellschaft');
    expect(byName).toBeGreaterThan(0);
    expect(both).toBe(byName);
  });

  test('a word of a legal form of several words is a word of the name', async () => {
    const withWord = (await walk()).filter(({ attributes: { entity } }) =>
      /\bsociedad\b/i.test(entity.legalName.name),
    );
    expect(withWord.length).toBeGreaterThan(0);
    for (const field of ['entity.names', 'entity.legalName']) {
      expect(await totalOf(`filter[${field}]=sociedad`)).toBe(withWord.length);
      const { ids, total } = await get(`/lei-records?filter[${field}]=sociedad+wendling`);
      expect([ids, total]).toEqual([['254900TWVCKONDGR5C84'], 1]);
    }
    const elsewhere = 'filter[entity.legalName]=sociedad+wendling&filter[entity.legalAddress.country]=DE';
    expect(await totalOf(elsewhere)).toBe(0);
  });

  test('the number at a further validation authority is anywhere too', async () => {
    const [number] = (await walk()).flatMap(({ attributes: { registration } }) =>
      registration.otherValidationAuthorities.flatMap(({ validatedAs }) => validatedAs ?? []),
    );
    if (number === undefined) throw new Error('The sample has no number at a further authority.');
    const filters = ['registration.otherValidationAuthorities.validatedAs', 'fulltext'].map(
      (name) => `filter[${name}]=${encodeURIComponent(number)}`,
    );
    const total = await totalOf(filters[0] ?? '');
    expect([total, await totalOf(filters.join('&'))]).toEqual([total, total]);
    expect(total).toBeGreaterThan(0);
  });

  test('identifiers are words like others: all words of a text may be in names, addresses and identifiers', async () => {
    const bank = '7LTWFZYICNSX8D621K86';
    const totals: Record<string, readonly [number, boolean]> = {};
    const texts = [
      'deutsche DEUTDEFF',
      'dbag taunusanlage',
      'DEUTDEFFXXX DEUTATWWXXX',
      `DE0005140008 ${bank}`,
      '*DE0005140008*',
    ];
    for (const text of texts) {
      const { ids, total } = await get(`/lei-records?filter[fulltext]=${encodeURIComponent(text)}`);
      totals[text] = [total, ids.includes(bank)];
    }
    expect(totals).toEqual(Object.fromEntries(texts.map((text) => [text, [1, true]])));
    const all = await totalOf('filter[fulltext]=!zzqqyy');
    // An excluded text finds nothing that is only like it.
    expect(await totalOf('filter[fulltext]=!deutsche+DEUTDEFF')).toBe(all - 1);
    expect(await totalOf('filter[fulltext]=!zzqqyy+DEUTDEFF')).toBe(all);
  });

  test('words of names are found in any order and case, and a typing error finds what a search does', async () => {
    const bank = await get('/lei-records?filter[entity.legalName]=BANK%20Deutsche');
    expect(bank.ids).toContain('7LTWFZYICNSX8D621K86');
    const starred = await get(
      '/lei-records?filter%5Bentity.legalName%5D=%2Adeutsche%20bank%2A&page=1&size=10',
    );
    expect(starred.ids).toEqual(bank.ids);
    for (const field of ['fulltext', 'entity.names', 'entity.legalName']) {
      const mistyped = await get(`/lei-records?filter[${field}]=deutche+bank+aktiengeselschaft`);
      expect([field, mistyped.ids[0]]).toEqual([field, '7LTWFZYICNSX8D621K86']);
    }
    const inCity = await get(
      '/lei-records?filter[fulltext]=frankfurt&filter[entity.addresses.city]=Frankfurt%20am%20Main',
    );
    expect(inCity.ids).toContain('7LTWFZYICNSX8D621K86');
    const others = await get('/lei-records?filter[entity.legalName]=!bank&page[size]=1');
    const all = await get('/lei-records?page[size]=1');
    const some = await get('/lei-records?filter[entity.legalName]=bank&page[size]=1');
    expect(others.total + some.total).toBe(all.total);
  });

  test('identifiers lead to companies: BICs of 8 characters too, and lists of LEIs', async () => {
    const [first, second] = (await get('/lei-records?page[size]=2')).ids;
    expect((await get(`/lei-records?filter[lei]=${first},${second}`)).total).toBe(2);
    expect((await get(`/lei-records?filter[lei]=${first?.toLowerCase()}`)).total).toBe(1);
    expect((await get(`/lei-records?filter[lei]=${first},filter[lei]=${second}`)).total).toBe(2);
    expect((await get('/lei-records?filter[lei]=00000000000000000000')).total).toBe(0);
    const withBic = await service.fetch('/api/v1/lei/7LTWFZYICNSX8D621K86');
    const { data } = JSON.parse(await withBic.text());
    for (const bic of data.mappings.bic.slice(0, 1)) {
      expect((await get(`/lei-records?filter[bic]=${bic.slice(0, 8)}`)).total).toBeGreaterThan(-1);
      expect((await get(`/lei-records?filter[bic]=${bic}`)).ids).toContain('7LTWFZYICNSX8D621K86');
    }
  });

  test('pages by number have the links that exist, and a page behind the last is empty', async () => {
    const first = await get('/lei-records?page[size]=200');
    expect(Object.keys(first.links)).toEqual(['first', 'next', 'last']);
    const last = Math.ceil(first.total / 200);
    expect(first.links['last']).toEndWith(
      `/gleif/api/v1/lei-records?page%5Bnumber%5D=${last}&page%5Bsize%5D=200`,
    );
    const second = await get('/lei-records?page[number]=2&page[size]=200');
    expect(Object.keys(second.links)).toEqual(['first', 'prev', 'next', 'last']);
    expect(second.meta.pagination).toMatchObject({
      currentPage: 2,
      perPage: 200,
      from: 201,
      to: 400,
      lastPage: last,
    });
    const behind = await get(`/lei-records?page[number]=${last + 7}&page[size]=200`);
    expect([behind.status, behind.ids, behind.meta.pagination?.['from']]).toEqual([200, [], null]);
    const none = await get('/lei-records?filter[lei]=none');
    expect(none.meta.pagination).toEqual({
      currentPage: 1,
      perPage: 15,
      from: null,
      to: null,
      total: 0,
      lastPage: 1,
    });
  });

  test('sorts take several keys, and numbers of relatives are compared', async () => {
    const { data } = await get(
      '/lei-records?sort=entity.legalAddress.country,-registration.lastUpdateDate&page[size]=200',
    );
    const keys = data.map(({ attributes: { entity } }) => entity.legalAddress.country ?? '~');
    expect(keys).toEqual(keys.toSorted());
    const byName = await get(
      '/lei-records?sort=entity.legalName&page[size]=200&filter[entity.legalAddress.country]=DE',
    );
    const names = byName.data.map(({ attributes: { entity } }) => entity.legalName.name.toLowerCase());
    expect(names[0]?.localeCompare(names.at(-1) ?? '')).toBeLessThan(0);
    const backwards = await get(
      '/lei-records?sort=-entity.legalName&page[size]=1&filter[entity.legalAddress.country]=DE',
    );
    expect(backwards.ids).not.toEqual(byName.ids.slice(0, 1));
    const [none, some, all] = await Promise.all(
      ['filter[directChildCount]=0&', 'filter[directChildCount]=%3E%3D1&', ''].map((filter) =>
        get(`/lei-records?${filter}page[size]=1`),
      ),
    );
    expect((none?.total ?? 0) + (some?.total ?? 0)).toBe(all?.total ?? -1);
    const parent = await get('/lei-records?filter[directChildCount]=%3E0&page[size]=1');
    const children = await get(`/lei-records/${parent.ids[0]}/direct-children`);
    expect(children.status).toBe(200);
    const owned = await get(`/lei-records?filter[ownedBy]=${parent.ids[0]}&page[size]=200`);
    for (const id of children.ids) expect(owned.ids).toContain(id);
    for (const id of children.ids.slice(0, 1)) {
      expect((await get(`/lei-records?filter[owns]=${id}`)).ids).toContain(parent.ids[0] ?? '');
      const child = await get(`/lei-records/${id}?include=direct-parent&fields[lei-records]=lei`);
      expect(child.included[0]?.type).toBe('lei-records');
      expect(Object.keys(child.data[0]?.attributes ?? {})).toEqual(['lei']);
    }
  });
});

describe('errors', () => {
  const refused: readonly (readonly [string, number, string])[] = [
    ['/lei-records?page[size]=0', 400, 'The page.size must be between 1 and 200.'],
    ['/lei-records?page[size]=201', 400, 'The page.size must be between 1 and 200.'],
    ['/lei-records?page[number]=0', 400, 'The page.number'],
    ['/lei-records?filter[foo]=1', 400, 'Filter should contain only allowed values.'],
    ['/lei-records?filter[registration][status]=ISSUED', 400, 'one field in brackets'],
    ['/lei-records?filter[lei][]=A', 400, 'one field in brackets'],
    ['/lei-records?filter=ISSUED', 400, 'one field in brackets'],
    ['/lei-records?filter%255Blei%255D=A', 400, 'one field in brackets'],
    ['/lei-records?filter[lei=A', 400, 'one field in brackets'],
    ['/lei-records?filter[entity.status]=active', 400, 'ACTIVE, INACTIVE, NULL'],
    ['/lei-records?filter[entity.status]=', 400, 'must not be empty'],
    ['/lei-records?filter[entity.status]=ACTIVE,,INACTIVE', 400, 'empty value'],
    ['/lei-records?filter[entity.status]=ACTIVE&filter[entity.status]=INACTIVE', 400, 'one value only'],
    ['/lei-records?page[size]=5&page[size]=6', 400, 'page[size] must have one value only'],
    ['/lei-records?page[size]=5&amp;filter[entity.status]=ACTIVE', 400, 'one field in brackets'],
    ['/lei-records?filter[registration.lastUpdateDate]=2024-02-30', 400, 'a date that exists'],
    ['/lei-records?filter[registration.lastUpdateDate]=2024-01-01..', 400, 'Date must not be empty.'],
    ['/lei-records?filter[registration.lastUpdateDate]=..2024-01-01', 400, 'Date must not be empty.'],
    ['/lei-records?filter[registration.lastUpdateDate]=2024-01-02..2024-01-01', 400, 'begin before it ends'],
    ['/lei-records?filter[directChildCount]=many', 400, 'a whole number'],
    ['/lei-records?filter[fulltext]=!!', 400, 'must have a word'],
    ['/lei-records?filter[entity.names]=!***', 400, 'must have a word'],
    ['/lei-records?filter[entity.registeredAs]=!-', 400, 'must have a word'],
    ['/lei-records?filter[entity.addresses]=%26+%2B', 400, 'must have a word'],
    ['/lei-records?filter[entity.successorEntities.lei]=!--', 400, 'letters or digits'],
    ['/lei-records?filter[fulltext]=%FF', 400, 'percent-encoded UTF-8'],
    ['/lei-records?sort=foo', 400, 'sort must be one or more of'],
    ['/lei-records?include=isins', 400, 'direct-parent, ultimate-parent'],
    ['/lei-records?page[cursor]=foo', 400, 'page.cursor'],
    ['/autocompletions?field=fulltext', 400, 'q must have'],
    ['/fuzzycompletions?field=bar&q=x', 400, 'field must be one of'],
    ['/lei-records/fuzzy-completions', 404, 'does not exist'],
    ['/lei-records/00000000000000000000/direct-children', 404, 'does not exist'],
    ['/lei-records/7LTWFZYICNSX8D621K86/reporting-exceptions', 404, 'nothing at this path'],
    ['/bics', 404, 'nothing at this path'],
    [`/lei-records?filter[fulltext]=${'a'.repeat(8_000)}`, 400, 'at most 500 characters'],
  ];
  test.each(refused)('%s: %d', async (path, status, detail) => {
    const answer = await get(path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/vnd.api+json');
    expect(answer.errors[0]?.status).toBe(String(status));
    expect(answer.errors[0]?.title).toBeString();
    expect(answer.errors.map((error) => error.detail).join(' ')).toContain(detail);
  });

  test.each([
    ['keys of an order', `sort=${'x,'.repeat(6_000)}`],
    ['names of lists', `include=${'x,'.repeat(6_000)}`],
    ['fields', `fields[lei-records]=${'x,'.repeat(6_000)}`],
    ['filters', Array.from({ length: 900 }, (_, index) => `filter[f${index}]=1`).join('&')],
    ['repeated parameters', 'filter=1&'.repeat(1_300)],
  ])('an address full of unknown %s gets a short answer', async (_, query) => {
    const response = await service.fetch(`/gleif/api/v1/lei-records?${query}`);
    expect(response.status).toBe(400);
    expect((await response.text()).length).toBeLessThan(64_000);
  });

  test('a key of an order or a name of a list that comes again is taken once', async () => {
    const names = 'direct-parent,'.repeat(500);
    const once = await get('/lei-records?sort=-entity.status&include=direct-parent&page[size]=5');
    const again = await get(
      `/lei-records?sort=-entity.status${',entity.status'.repeat(500)}&include=${names}direct-parent&page[size]=5`,
    );
    expect([again.ids, again.included]).toEqual([once.ids, once.included]);
    expect(readSort('-entity.status,entity.status', sortFields, [])).toHaveLength(1);
  });

  test('200 LEIs are allowed, 201 are not', async () => {
    const leis = (count: number) =>
      Array.from({ length: count }, (_, index) => String(index).padStart(20, '0')).join();
    expect((await get(`/lei-records?filter[lei]=${leis(200)}`)).status).toBe(200);
    const answer = await get(`/lei-records?filter[lei]=${leis(201)}`);
    expect([answer.status, answer.errors[0]?.detail]).toEqual([
      400,
      expect.stringContaining('at most 200 values'),
    ]);
  });

  test.each(['', '/', '/lei-records/%00', '/lei-records/7LTWFZYICNSX8D621K8%00'])(
    'nothing is at "%s"',
    async (path) => {
      const { status, headers, errors } = await get(path);
      expect([status, headers.get('content-type')]).toEqual([404, 'application/vnd.api+json']);
      expect(errors.map((error) => error.title)).toEqual(['Not Found']);
    },
  );

  test('a cursor of another list is refused', async () => {
    const { links } = await get('/lei-records?filter[entity.status]=ACTIVE&page[cursor]=*&page[size]=1');
    const next = (links['next'] ?? '').replace(`${service.baseUrl}/gleif/api/v1`, '');
    expect((await get(next)).status).toBe(200);
    expect((await get(next.replace('ACTIVE', 'INACTIVE'))).status).toBe(400);
  });

  test('other methods and bad keys have errors too', async () => {
    const posted = await get('/lei-records', { method: 'POST' });
    expect([posted.status, posted.errors[0]?.title]).toEqual([405, 'Method Not Allowed']);
    expect((await get('/nothing', { method: 'POST' })).errors[0]?.status).toBe('404');
    const bad = await get('/lei-records', { headers: { Authorization: 'Bearer lei_live_x' } });
    expect([bad.status, bad.errors[0]?.status]).toEqual([401, '401']);
  });
});

test('an exhausted quota is an error with Retry-After; LEI_GLEIF_API=off takes the addresses away', async () => {
  const limited = await startTestService({
    environment: { LEI_LIMITS: 'enforce', LEI_ANONYMOUS_DAILY: '1' },
  });
  try {
    const path = '/gleif/api/v1/countries';
    expect((await limited.fetch(path)).status).toBe(200);
    const refused = await limited.fetch(path);
    expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'application/vnd.api+json']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(JSON.parse(await refused.text()).errors[0]).toMatchObject({
      status: '429',
      title: 'Too Many Requests',
    });
  } finally {
    await limited.stop();
  }
  const off = await startTestService({ environment: { LEI_GLEIF_API: 'off' } });
  try {
    expect((await off.fetch('/gleif/api/v1/countries')).status).toBe(404);
    expect((await off.fetch('/gleif/openapi.json')).status).toBe(404);
  } finally {
    await off.stop();
  }
});

test('code lists are searched by words, and the description names every operation once', async () => {
  const forms = await get(
    '/entity-legal-forms?filter[names]=Gesellschaft%20mit%20beschränkter&filter[countryCode]=DE',
  );
  expect(forms.ids).toContain('2HBR');
  const formsOf = async (of: string) => (await get(`/entity-legal-forms?filter[country]=${of}`)).total;
  expect([await formsOf('de'), await formsOf('!DE')]).toEqual([30, await formsOf('!germany')]);
  expect((await get('/jurisdictions/US-DE')).data[0]).toMatchObject({ id: 'US-DE' });
  expect((await get('/registration-authorities')).total).toBe(0);
  const description = JSON.parse(await (await service.fetch('/gleif/openapi.json')).text());
  const ids = Object.values<{ get: { operationId: string } }>(description.paths).map(
    (path) => path.get.operationId,
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toContain('listGleifRecords');
});
