/** Filters of GLEIF's API over generated companies, against counts made straight from the rows of the CSV file. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type CsvRow, rowsOfCsv } from '../support/csv-rows.ts';
import { temporaryFolder } from '../support/folders.ts';
import { runLei } from '../support/lei-here.ts';
import { runs } from '../support/runs.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { readFirstMember } from '../support/zip-member.ts';

const entities = 3_000;
/** Another one finds other combinations: it is in the title of the test. */
const seed = Number(process.env['FILTERS_SEED'] ?? 45);
const combinations = runs(15);

let rows: readonly CsvRow[];
let service: TestService;
beforeAll(async () => {
  const [dataDir, files] = [temporaryFolder('filters'), temporaryFolder('filters-files')];
  const generated = ['--entities', String(entities), '--seed', '7', '--out', files];
  expect((await runLei(dataDir, 'generate', ...generated)).code).toBe(0);
  const paths = readdirSync(files).map((name) => join(files, name));
  expect((await runLei(dataDir, 'load', ...paths)).code).toBe(0);
  rows = rowsOfCsv(await readFirstMember(paths.find((path) => path.includes('lei2')) ?? ''));
  service = await startTestService({ dataDir });
}, 600_000);
afterAll(() => service.stop());

/** A filter as it is asked, and whether a row meets it. */
interface Filter {
  readonly field: string;
  readonly value: string;
  meets(row: CsvRow): boolean;
}
type FilterOf = fc.Arbitrary<(all: readonly CsvRow[]) => Filter | null>;

const columnsByPattern = new Map<string, readonly string[]>();
/** The columns with such a name: every row has the same. */
function columns(names: RegExp): readonly string[] {
  const known = columnsByPattern.get(names.source);
  const found = known ?? Object.keys(rows[0] ?? {}).filter((name) => names.test(name));
  columnsByPattern.set(names.source, found);
  return found;
}

const columnsLike = (row: CsvRow, names: RegExp) => columns(names).flatMap((name) => row[name] || []);

const address = 'Entity\\.(LegalAddress|HeadquartersAddress|\\w*OtherAddresses\\.\\w+\\.\\d)';
const values: Readonly<Record<string, RegExp>> = {
  'entity.legalAddress.country': /^Entity\.LegalAddress\.Country$/,
  'entity.addresses.country': new RegExp(`^${address}\\.Country$`),
  'entity.addresses.region': new RegExp(`^${address}\\.Region$`),
  'entity.jurisdiction': /^Entity\.LegalJurisdiction$/,
  'entity.category': /^Entity\.EntityCategory$/,
  'entity.status': /^Entity\.EntityStatus$/,
  'entity.legalForm': /^Entity\.LegalForm\.EntityLegalFormCode$/,
  'entity.expiration.reason': /^Entity\.EntityExpirationReason$/,
  'entity.registeredAt': /^Entity\.RegistrationAuthority\.RegistrationAuthorityID$/,
  'registration.status': /^Registration\.RegistrationStatus$/,
  'registration.managingLou': /^Registration\.ManagingLOU$/,
  'registration.corroborationLevel': /^Registration\.ValidationSources$/,
  'registration.validatedAt': /^Registration\.ValidationAuthority\.ValidationAuthorityID$/,
  conformityFlag: /^ConformityFlag$/,
};
const codes = /country|jurisdiction|legalForm|registeredAt|managingLou|validatedAt/;

const valueFilter: FilterOf = fc
  .record({
    field: fc.constantFrom(...Object.keys(values)),
    places: fc.array(fc.nat({ max: entities - 1 }), { minLength: 1, maxLength: 3 }),
    isExcluded: fc.boolean(),
    isLower: fc.boolean(),
  })
  .map(({ field, places, isExcluded, isLower }) => (all) => {
    const names = values[field] ?? /^$/;
    const wanted = places.flatMap((place) => columnsLike(all[place] ?? {}, names).slice(0, 1));
    if (wanted.length === 0) return null;
    const list = isLower && codes.test(field) ? wanted.join().toLowerCase() : wanted.join();
    return {
      field,
      value: (isExcluded ? '!' : '') + list,
      meets: (row) => columnsLike(row, names).some((value) => isAmong(value, wanted, field)) !== isExcluded,
    };
  });

/** The jurisdiction of a country holds for its subdivisions: US for US-DE. */
function isAmong(value: string, wanted: readonly string[], field: string): boolean {
  const country = field === 'entity.jurisdiction' ? (value.split('-')[0] ?? value) : value;
  return wanted.includes(value) || wanted.includes(country);
}

const times: Readonly<Record<string, string>> = {
  'entity.creationDate': 'Entity.EntityCreationDate',
  'entity.expiration.date': 'Entity.EntityExpirationDate',
  'registration.initialRegistrationDate': 'Registration.InitialRegistrationDate',
  'registration.lastUpdateDate': 'Registration.LastUpdateDate',
  'registration.nextRenewalDate': 'Registration.NextRenewalDate',
};
const operators = ['', '<', '<=', '>', '>=', '..'] as const;
const daySeconds = 86_400;

const timeFilter: FilterOf = fc
  .record({
    field: fc.constantFrom(...Object.keys(times)),
    operator: fc.constantFrom(...operators),
    places: fc.tuple(fc.nat({ max: entities - 1 }), fc.nat({ max: entities - 1 })),
    isExcluded: fc.boolean(),
    isWhole: fc.boolean(),
  })
  .map(({ field, operator, places, isExcluded, isWhole }) => (all) => {
    const at = (row: CsvRow | undefined) => Math.floor(Date.parse(row?.[times[field] ?? ''] ?? '') / 1000);
    const ends = places.map((place) => at(all[place])).sort((a, b) => a - b);
    if (ends.some(Number.isNaN)) return null;
    // A day, or a time to the second.
    const begins = ends.map((end) =>
      isWhole ? end - (((end % daySeconds) + daySeconds) % daySeconds) : end,
    );
    const texts = begins.map((begin) => new Date(begin * 1000).toISOString().slice(0, isWhole ? 10 : 19));
    const [first = 0, second = 0] = begins;
    const length = isWhole ? daySeconds : 1;
    const [from, to] = {
      '': [first, first + length],
      '..': [first, second + length],
      '<': [-Infinity, first],
      '<=': [-Infinity, first + length],
      '>': [first + length, Infinity],
      '>=': [first, Infinity],
    }[operator];
    const isIn = (time: number) => time >= (from ?? 0) && time < (to ?? 0);
    const text = operator === '..' ? texts.join('..') : operator + (texts[0] ?? '');
    return { field, value: (isExcluded ? '!' : '') + text, meets: (row) => isIn(at(row)) !== isExcluded };
  });

/** Folds what these companies have of letters beyond ASCII, as far as their words are asked for. */
function wordsIn(texts: readonly string[]): ReadonlySet<string> {
  const plain = texts.map((text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase());
  return new Set(plain.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u)));
}

const addressStart = new RegExp(`^${address}`);
const addressText = new RegExp(`^${address}\\.(?!xmllang|type)`);
const cities = new RegExp(`^${address}\\.City$`);
const postalCodes = new RegExp(`^${address}\\.PostalCode$`);
const addressTexts = (row: CsvRow) =>
  Array.from(Map.groupBy(columns(addressText), (name) => addressStart.exec(name)?.[0]).values(), (members) =>
    members.map((name) => row[name] ?? ''),
  );
const names = /^Entity\.(LegalName|OtherEntityNames\.\w+\.\d|TransliteratedOtherEntityNames\.\w+\.\d)$/;
const numbers = /RegistrationAuthorityEntityID$|ValidationAuthorityEntityID$/;
/** A number is also found without the signs in it. */
const numbersLike = (row: CsvRow, columns: RegExp) =>
  columnsLike(row, columns).flatMap((number) => [number, number.replace(/[^\p{L}\p{N}]/gu, '')]);
/** The texts of a field. A row meets a filter if one of them has all words. */
const texts: Readonly<Record<string, (row: CsvRow) => readonly (readonly string[])[]>> = {
  fulltext: (row) => [
    [...columnsLike(row, names), ...numbersLike(row, numbers), ...addressTexts(row).flat(), row['LEI'] ?? ''],
  ],
  'entity.addresses': addressTexts,
  'entity.addresses.city': (row) => columnsLike(row, cities).map((city) => [city]),
  'entity.addresses.postalCode': (row) => columnsLike(row, postalCodes).map((code) => [code]),
  'entity.registeredAs': (row) => [
    numbersLike(row, /^Entity\.RegistrationAuthority\.RegistrationAuthorityEntityID$/),
  ],
  'registration.validatedAs': (row) => [
    numbersLike(row, /^Registration\.ValidationAuthority\.ValidationAuthorityEntityID$/),
  ],
};

/** Words of which folding and the search for names know nothing more: long ones, and numbers. */
const plainWord = /^([a-z]{5,}|\d{2,})$/;

const textFilter: FilterOf = fc
  .record({
    field: fc.constantFrom(...Object.keys(texts)),
    place: fc.nat({ max: entities - 1 }),
    word: fc.nat(),
    other: fc.nat(),
    isExcluded: fc.boolean(),
  })
  .map(({ field, place, word, other, isExcluded }) => (all) => {
    const textsOf = texts[field] ?? (() => []);
    // The first word of the name and those of addresses: the others may be a legal form, which is found in any writing.
    const found =
      textsOf(all[place] ?? {})
        .slice(0, 1)
        .map((each) => [...wordsIn(each)])[0] ?? [];
    const plain = found.filter((each) => plainWord.test(each) && !formWords.has(each));
    if (plain.length === 0) return null;
    const sought = [...new Set([plain[word % plain.length] ?? '', plain[other % plain.length] ?? ''])];
    return {
      field,
      value: (isExcluded ? '!' : '') + sought.join(' ').toUpperCase(),
      meets: (row) => {
        const held = textsOf(row).map(wordsIn);
        return held.some((each) => sought.every((one) => each.has(one))) !== isExcluded;
      },
    };
  });
/** Names are also found by other writings of their legal form. */
const formWords = new Set([
  'limited',
  'company',
  'corporation',
  'incorporated',
  'stichting',
  'private',
  'public',
]);

function registeredLast(a: CsvRow, b: CsvRow): number {
  const [one, other] = [a, b].map((row) => Date.parse(row['Registration.InitialRegistrationDate'] ?? ''));
  const difference = Math.floor((other ?? 0) / 1000) - Math.floor((one ?? 0) / 1000);
  return difference === 0 ? ((a['LEI'] ?? '') < (b['LEI'] ?? '') ? -1 : 1) : difference;
}

interface ListBody {
  readonly meta: { readonly pagination: { readonly total: number } };
  readonly data: readonly { readonly id: string }[];
  readonly links: { readonly next?: string };
}

/** The LEIs of a list, by a walk. */
async function walk(query: string): Promise<{ readonly total: number; readonly leis: readonly string[] }> {
  const leis: string[] = [];
  let total = -1;
  for (
    let next: string | undefined = `/gleif/api/v1/lei-records?${query}&page[cursor]=*&page[size]=200`;
    next !== undefined;
  ) {
    const { meta, data, links }: ListBody = JSON.parse(await (await service.fetch(next)).text());
    total = meta.pagination.total;
    leis.push(...data.map(({ id }) => id));
    next = links.next?.replace(service.baseUrl, '');
  }
  return { total, leis };
}

test(`${combinations} random combinations of filters (seed ${seed}) have the companies whose rows meet them`, async () => {
  const asked = fc.sample(
    fc.array(fc.oneof(valueFilter, valueFilter, timeFilter, textFilter), { minLength: 1, maxLength: 4 }),
    { numRuns: combinations * 2, seed },
  );
  let [compared, found] = [0, 0];
  for (const makers of asked) {
    const filters = new Map(
      makers.flatMap((make) => make(rows) ?? []).map((filter) => [filter.field, filter]),
    );
    if (filters.size === 0 || compared === combinations) continue;
    const all = [...filters.values()];
    const query = all.map(({ field, value }) => `filter[${field}]=${encodeURIComponent(value)}`).join('&');
    const meeting = rows.filter((row) => all.every((filter) => filter.meets(row)));
    const { total, leis } = await walk(query);
    expect([query, total]).toEqual([query, meeting.length]);
    const isByRelevance = all.some(({ field, value }) => field === 'fulltext' && !value.startsWith('!'));
    const expected = meeting.toSorted(registeredLast).map((row) => row['LEI'] ?? '');
    expect(isByRelevance ? leis.toSorted() : leis).toEqual(isByRelevance ? expected.toSorted() : expected);
    compared++;
    found += total;
  }
  expect(compared).toBe(combinations);
  expect(found).toBeGreaterThan(1_000);
}, 600_000);

test('codes of further validation authorities are separated by commas, as all codes are', async () => {
  const columns = /^Registration\.OtherValidationAuthorities\.\w+\.\d\.ValidationAuthorityID$/;
  const codes = [...new Set(rows.flatMap((row) => columnsLike(row, columns)))].slice(0, 2);
  expect(codes).toHaveLength(2);
  const met = rows.filter((row) => columnsLike(row, columns).some((code) => codes.includes(code))).length;
  const filter = 'filter[registration.otherValidationAuthorities.validatedAt.id]';
  const found = [await walk(`${filter}=${codes}`), await walk(`${filter}=!${codes}`)];
  expect(found.map(({ total }) => total)).toEqual([met, rows.length - met]);
});

test('numbers of registers are separated by commas, and each is found in both spellings', async () => {
  const columnOf = {
    'entity.registeredAs': /^Entity\.RegistrationAuthority\.RegistrationAuthorityEntityID$/,
    'registration.validatedAs': /^Registration\.ValidationAuthority\.ValidationAuthorityEntityID$/,
    'registration.otherValidationAuthorities.validatedAs':
      /^Registration\.OtherValidationAuthorities\.\w+\.\d\.ValidationAuthorityEntityID$/,
  };
  for (const [field, column] of Object.entries(columnOf)) {
    const all = [...new Set(rows.flatMap((row) => columnsLike(row, column)))];
    const numbers = all.filter((number) => /^\d{6,}$/.test(number)).slice(0, 2);
    expect(numbers).toHaveLength(2);
    const met = rows.filter((row) => columnsLike(row, column).some((number) => numbers.includes(number)));
    const spellings = numbers.flatMap((number) => [number, number.replace(/(?<=^(...)+)/g, ' ').trim()]);
    const found = [
      await walk(`filter[${field}]=${spellings.join(', ')},`),
      await walk(`filter[${field}]=!${spellings}`),
    ];
    expect(found.map(({ total }) => total)).toEqual([met.length, rows.length - met.length]);
  }
});
