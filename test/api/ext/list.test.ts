/** Tests listCompanies over a real service against counts made straight from the rows of the CSV file that it loaded. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import fc from 'fast-check';
import { type CsvRow as Row, rowsOfCsv } from '../../support/csv-rows.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { runLei } from '../../support/lei-here.ts';
import { runs } from '../../support/runs.ts';
import { readFirstMember } from '../../support/zip-member.ts';
import { type DescribedService, startDescribed } from './described.ts';

const file = join(
  import.meta.dir,
  '../../../data/sample/20260123-0800-gleif-goldencopy-lei2-golden-copy.csv.zip',
);

let rows: readonly Row[];
let described: DescribedService;
beforeAll(async () => {
  const dataDir = temporaryFolder('list');
  expect((await runLei(dataDir, 'load', file)).code).toBe(0);
  rows = rowsOfCsv(await readFirstMember(file));
  described = await startDescribed({ LEI_LIMITS: 'shadow' }, dataDir);
});
afterAll(() => described.service.stop());

const columns = {
  country: 'Entity.LegalAddress.Country',
  jurisdiction: 'Entity.LegalJurisdiction',
  entityStatus: 'Entity.EntityStatus',
  status: 'Registration.RegistrationStatus',
  category: 'Entity.EntityCategory',
  legalForm: 'Entity.LegalForm.EntityLegalFormCode',
  city: 'Entity.LegalAddress.City',
  postalCode: 'Entity.LegalAddress.PostalCode',
  updated: 'Registration.LastUpdateDate',
  registered: 'Registration.InitialRegistrationDate',
  renewal: 'Registration.NextRenewalDate',
} as const;
type Name = keyof typeof columns;

function fieldOf(row: Row, name: Name): string {
  return row[columns[name]] ?? '';
}

/** Milliseconds since 1970. */
function momentOf(row: Row, name: Name): number | null {
  const at = Date.parse(fieldOf(row, name));
  return Number.isNaN(at) ? null : at;
}

/** A filter as it is asked, and whether a row passes it. */
interface Filter {
  readonly query: string;
  passes(row: Row): boolean;
}

const valueNames: readonly Name[] = [
  'country',
  'jurisdiction',
  'entityStatus',
  'status',
  'category',
  'legalForm',
  'city',
  'postalCode',
];

/** "Città" and "CITTA'" are the same city as "Citta". */
function foldedCity(value: string): string {
  const plain = value
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}|'/gu, '');
  return plain.replaceAll(/[ -]+/g, ' ');
}

/** Values of rows that are chosen by their place, in any case. */
const valueFilter: fc.Arbitrary<(all: readonly Row[]) => Filter | null> = fc
  .record({
    name: fc.constantFrom(...valueNames),
    places: fc.array(fc.nat({ max: 6_900 }), { minLength: 1, maxLength: 3 }),
    isExcluded: fc.boolean(),
    isLower: fc.boolean(),
  })
  .map(({ name, places, isExcluded, isLower }) => (all) => {
    const values = places.map((place) => fieldOf(all[place] ?? {}, name));
    // Texts outside ASCII are folded further than here, and a comma separates values.
    if (!values.every((value) => /^[A-Za-z0-9 _-]+$/.test(value))) return null;
    const compared = (value: string) =>
      name === 'city' ? foldedCity(value) : value.toLowerCase().replaceAll(/[ -]/g, '');
    const wanted = values.map(compared);
    const list = values.map((value) => (isLower ? value.toLowerCase() : value)).join();
    return {
      query: `${name}=${isExcluded ? '!' : ''}${encodeURIComponent(list)}`,
      passes: (row) => wanted.includes(compared(fieldOf(row, name))) !== isExcluded,
    };
  });

const day = fc
  .date({ min: new Date('2012-06-01'), max: new Date('2027-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const timeFilter: fc.Arbitrary<(all: readonly Row[]) => Filter> = fc
  .record({ name: fc.constantFrom<Name>('updated', 'registered', 'renewal'), one: day, other: day })
  .map(({ name, one, other }) => () => {
    const [from = '', to = ''] = [one, other].sort();
    return {
      query: `${name}From=${from}&${name}To=${to}T23:59:59Z`,
      passes: (row) => {
        const at = momentOf(row, name);
        return at !== null && at >= Date.parse(from) && at < Date.parse(to) + 86_400_000;
      },
    };
  });

function byLei(a: Row, b: Row): number {
  return (a['LEI'] ?? '') < (b['LEI'] ?? '') ? -1 : 1;
}

/** By time with its fraction, rows without one last, equal ones by LEI. */
function byTime(name: Name, isDescending: boolean) {
  return (a: Row, b: Row) => {
    const [one, other] = [momentOf(a, name), momentOf(b, name)];
    if (one === other) return byLei(a, b);
    if (one === null || other === null) return one === null ? 1 : -1;
    return isDescending ? other - one : one - other;
  };
}

function byValue(name: Name) {
  return (a: Row, b: Row) => {
    const [one, other] = [fieldOf(a, name), fieldOf(b, name)];
    if (one === other) return byLei(a, b);
    if (one === '' || other === '') return one === '' ? 1 : -1;
    return one < other ? -1 : 1;
  };
}

const orders = [
  { query: '', compare: byTime('registered', true) },
  { query: 'sort=updated', compare: byTime('updated', false) },
  { query: 'sort=-renewal', compare: byTime('renewal', true) },
  { query: 'sort=country', compare: byValue('country') },
  { query: 'sort=status', compare: byValue('status') },
] as const;

/** The LEIs of a list, page by page. */
async function walk(query: string): Promise<{ readonly total: number; readonly leis: readonly string[] }> {
  const leis: string[] = [];
  for (let cursor = ''; ; ) {
    const { status, body } = await described.ask(`/ext/v1/list?${query}&limit=100${cursor}`);
    expect([query, status]).toEqual([query, 200]);
    leis.push(...body.data.items.map(({ lei }: { readonly lei: string }) => lei));
    if (body.links.next === undefined) return { total: body.data.total, leis };
    cursor = `&cursor=${body.links.next}`;
  }
}

describe('a list', () => {
  test('has exactly the companies whose rows pass, in order, for random combinations of filters', async () => {
    const combinations = fc.sample(
      fc.record({
        filters: fc.array(fc.oneof(valueFilter, timeFilter), { minLength: 1, maxLength: 4 }),
        order: fc.constantFrom(...orders),
      }),
      { numRuns: runs(20), seed: 45 },
    );
    let found = 0;
    for (const { filters, order } of combinations) {
      const asked = new Map<string, Filter>();
      for (const filterOf of filters) {
        const filter = filterOf(rows);
        // A parameter is given once.
        if (filter !== null) asked.set(filter.query.replace(/=.*/, ''), filter);
      }
      const all = [...asked.values()];
      const query = [...all.map((filter) => filter.query), order.query]
        .filter((part) => part !== '')
        .join('&');
      const passing = rows.filter((row) => all.every((filter) => filter.passes(row))).sort(order.compare);
      found += passing.length;
      // Long lists by their total and first pages; walking all of them takes minutes.
      if (passing.length > 700) {
        const { body } = await described.ask(`/ext/v1/list?${query}&limit=100`);
        expect([query, body.data.total]).toEqual([query, passing.length]);
        expect(body.data.items.map(({ lei }: { readonly lei: string }) => lei)).toEqual(
          passing.slice(0, 100).map((row) => row['LEI']),
        );
      } else {
        const { total, leis } = await walk(query);
        expect([query, total]).toEqual([query, passing.length]);
        expect(leis).toEqual(passing.map((row) => row['LEI'] ?? ''));
      }
    }
    expect(found).toBeGreaterThan(1_000);
  });

  test('without filters has every company once, the newest registration first', async () => {
    const { total, leis } = await walk('');
    expect(total).toBe(rows.length);
    expect(leis).toEqual([...rows].sort(byTime('registered', true)).map((row) => row['LEI'] ?? ''));
  });

  test('of a text has the hits of the search in its order, and further filters leave some out', async () => {
    const search = JSON.parse(
      await (await described.service.fetch('/api/v1/search?q=bank&limit=100')).text(),
    ).data;
    const { body } = await described.ask('/ext/v1/list?q=bank&limit=100');
    expect(body.data.total).toBe(search.total);
    const shown = body.data.items.map(
      ({ lastUpdateDate, initialRegistrationDate, ...item }: Readonly<Record<string, unknown>>) => {
        expect(typeof lastUpdateDate).toBe(typeof initialRegistrationDate);
        return item;
      },
    );
    expect(shown).toEqual(
      search.items.map(({ score, ...item }: Readonly<Record<string, unknown>>) => {
        expect(typeof score).toBe('number');
        return item;
      }),
    );
    const german = await walk('q=bank&country=DE&status=ISSUED');
    const searched = await described.service.fetch(
      '/api/v1/search?q=bank&country=DE&status=ISSUED&limit=100',
    );
    const hits = JSON.parse(await searched.text()).data;
    expect(german).toEqual({
      total: hits.total,
      leis: hits.items.map(({ lei }: { readonly lei: string }) => lei),
    });
    const sorted = await walk('q=bank&country=DE&status=ISSUED&sort=-registered');
    expect([...sorted.leis].sort()).toEqual([...german.leis].sort());
    expect(sorted.leis).not.toEqual(german.leis);
  });

  test('is sorted by name without regard to case and accents', async () => {
    const { leis } = await walk('country=DE&sort=name');
    const names = new Map(rows.map((row) => [row['LEI'], row['Entity.LegalName'] ?? '']));
    const plain = leis
      .map((lei) => names.get(lei) ?? '')
      .filter((name) => /^[ -%'-~]+$/.test(name))
      .map((name) => name.toLowerCase());
    expect(plain.length).toBeGreaterThan(100);
    expect(plain).toEqual([...plain].sort());
  });

  test('has a cursor that belongs to its own filters and order', async () => {
    const { body } = await described.ask('/ext/v1/list?country=DE,AT&limit=1');
    const next = body.links.next;
    expect((await described.ask(`/ext/v1/list?country=de,at&limit=3&cursor=${next}`)).status).toBe(200);
    for (const other of ['country=DE', 'country=DE,AT&sort=name', 'country=!DE,AT', 'country=DE,AT&q=bank']) {
      const refused = await described.ask(`/ext/v1/list?${other}&cursor=${next}`);
      expect([other, refused.status, refused.body.type.split('/').at(-1)]).toEqual([
        other,
        400,
        'invalid-cursor',
      ]);
    }
  });
});

test.each([
  [
    'country=QQ',
    'country must be a country code of ISO 3166-1 alpha-2, such as DE or US; "QQ" is not one, and no legal address in this data set uses it.',
  ],
  [
    'country=DEU',
    'country must hold country codes of ISO 3166-1 alpha-2 with exactly 2 characters, such as DE; "DEU" is not.',
  ],
  ...[
    'category=FUND,!GENERAL',
    'country=DE,!AT',
    'country=!DE,!AT',
    'city=Berlin,!Paris',
    'city=!!Berlin',
    'registeredAs=1, !2',
  ].map((query) => [query, `${query.split('=')[0]} may have one ! only, in front of all values.`] as const),
  [
    'country=DE,',
    'country must hold country codes of ISO 3166-1 alpha-2 with exactly 2 characters, such as DE; "" is not.',
  ],
  ['status=OPEN', /^status must hold one or more of PENDING_VALIDATION, .*; "OPEN" is not\.$/],
  ['entityStatus=dead', 'entityStatus must hold one or more of ACTIVE, INACTIVE, NULL; "dead" is not.'],
  ['category=BANK', /^category must hold one or more of GENERAL, .*; "BANK" is not\.$/],
  [
    'legalForm=ZZZZ',
    'legalForm must hold codes that a list or the data set has; "ZZZZ" is in no list, and no company has it.',
  ],
  [
    'managingLou=529900T8BM49AURSDO56',
    'managingLou must hold LEIs of issuers; "529900T8BM49AURSDO56" is not.',
  ],
  [
    'registeredAt=RA999998',
    'registeredAt must hold codes that a list or the data set has; "RA999998" is in no list, and no company has it.',
  ],
  [
    'jurisdiction=ZZ-1',
    'jurisdiction must hold codes that a list or the data set has; "ZZ-1" is in no list, and no company has it.',
  ],
  [
    'jurisdiction=US-DE,us-xx',
    'jurisdiction must hold codes that a list or the data set has; "US-XX" is in no list, and no company has it.',
  ],
  [
    'updatedFrom=2024-02-30',
    'updatedFrom must be a day such as 2026-01-31, or a time in UTC such as 2026-01-31T16:00:00Z.',
  ],
  ['renewalFrom=2025-01-01&renewalTo=2024-12-31', 'renewalTo must not be earlier than renewalFrom.'],
  ['sort=size', /^sort must hold one or more of name, country, /],
  ['sort=name,-name', 'sort must hold name only once.'],
  ['q=a', 'q must have 2 to 500 characters, not counting spaces at its ends.'],
  [`city=${Array(51).fill('x').join()}`, 'city must hold at most 50 values; it holds 51.'],
  ['town=Bonn', /^town is not a parameter of this endpoint; its parameters are country, jurisdiction, /],
])('%s is refused', async (query, detail) => {
  const { status, body } = await described.ask(`/ext/v1/list?${query}`);
  expect(status).toBe(400);
  if (typeof detail === 'string') expect(body.detail).toBe(detail);
  else expect(body.detail).toMatch(detail);
});
