/** Lists over the columns of a company file, compared with plain filtering and sorting of the records. */
import { afterEach, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { DamagedFile } from '../../src/errors.ts';
import type { LegalEntityRecord } from '../../src/lei/company.ts';
import type { FoldedField, TimeField, ValueField } from '../../src/lei/list-fields.ts';
import type { Glimpse } from '../../src/lmdb.ts';
import type { ListOrder } from '../../src/protocol/list-questions.ts';
import { secondsOf } from '../../src/store/columns/codes.ts';
import { blockEntities, columnBlockBytes, placeOfColumn } from '../../src/store/columns/layout.ts';
import { createLists } from '../../src/store/columns/list.ts';
import type { ColumnsQuery, Lists } from '../../src/store/columns/list-query.ts';
import { folded, hashCode, ordered, textsOf } from '../../src/store/columns/texts.ts';
import { CompanyFile, cellsFor, columnsFrom } from '../../src/store/company-file.ts';
import { CompanyFileChanges } from '../../src/store/company-file-changes.ts';
import { CompanyFileWriter } from '../../src/store/company-file-writer.ts';
import { packCompany, withProvenance } from '../../src/store/company-record.ts';
import { RecordWords, wordsOf } from '../../src/store/record-words.ts';
import { atOnce } from '../../src/store/steps.ts';
import { searchedPlaces } from '../../src/store/text-parts.ts';
import { temporaryFolder } from '../support/folders.ts';
import { record } from './random-records.ts';

const id = '20261004T160000Z-00000001';
const path = join(temporaryFolder('columns'), 'companies.bin');
const opened: CompanyFile[] = [];
afterEach(() => {
  for (const file of opened.splice(0)) file.close();
});

type Condition = ColumnsQuery['conditions'][number];
/** All but those that only say which companies may meet them. */
type ExactCondition = Exclude<Condition, { readonly is: 'words' }>;

/** Null for an LEI without a record. Entity 1 is the first. */
type Companies = readonly (LegalEntityRecord | null)[];

function leiAt(index: number): string {
  // Not in the order of the entities.
  return `LEI${String((index * 7919) % 100_003).padStart(17, '0')}`;
}

function storedAt(company: LegalEntityRecord | null, index: number) {
  const lei = leiAt(index);
  const provenance = { file: 0, firstSeen: 0, lastChanged: 0 };
  const text = company === null ? lei : withProvenance(packCompany({ ...company, lei }), provenance);
  const bytes = Buffer.from(text);
  return { entity: index + 1, record: { bytes, length: bytes.length }, mappings: null };
}

function wordsOfCompany({ entity: { legalName, legalAddress, registeredAs } }: LegalEntityRecord): string[] {
  return [legalName.name, legalAddress.city ?? '', registeredAs ?? ''].flatMap(wordsOf);
}

/** Some words of the companies, which get bits of their own. */
function commonOf(companies: Companies): readonly string[] {
  const all = companies.flatMap((each) => (each === null ? [] : wordsOfCompany(each)));
  return [...new Set(all)].filter((_, index) => index % 3 === 0).slice(0, 64);
}

function write(companies: Companies): void {
  const writer = new CompanyFileWriter(path, id, companies.length, commonOf(companies));
  for (const [index, company] of companies.entries()) writer.put(storedAt(company, index));
  writer.finish();
  writer.close();
}

function change(companies: Companies, changed: readonly number[]): boolean {
  const changes = new CompanyFileChanges(path, { id, lastEntity: companies.length, sum: 0 });
  try {
    if (!changes.fits) return false;
    for (const index of changed) changes.put(storedAt(companies[index] ?? null, index));
    changes.finish();
    return true;
  } finally {
    changes.close();
  }
}

function openLists() {
  const file = new CompanyFile(path, id, 'scattered');
  opened.push(file);
  return { file, lists: createLists(file.columns, textsOf(file)) };
}

function addressesOf({ entity }: LegalEntityRecord) {
  const { legalAddress, headquartersAddress, otherAddresses, transliteratedOtherAddresses } = entity;
  return [legalAddress, headquartersAddress, ...otherAddresses, ...transliteratedOtherAddresses];
}

const valuesOf: Readonly<Record<ValueField, (company: LegalEntityRecord) => readonly (string | null)[]>> = {
  country: ({ entity }) => [entity.legalAddress.country],
  anyCountry: (company) => addressesOf(company).map(({ country }) => country),
  region: ({ entity }) => [entity.legalAddress.region],
  anyRegion: (company) => addressesOf(company).map(({ region }) => region),
  jurisdiction: ({ entity }) => [entity.jurisdiction],
  category: ({ entity }) => [entity.category],
  subCategory: ({ entity }) => [entity.subCategory],
  entityStatus: ({ entity }) => [entity.status],
  registrationStatus: ({ registration }) => [registration.status],
  legalForm: ({ entity }) => [entity.legalForm.id],
  managingLou: ({ registration }) => [registration.managingLou],
  registeredAt: ({ entity }) => [entity.registeredAt.id],
  validatedAt: ({ validation }) => [validation.validatedAt.id],
  corroborationLevel: ({ validation }) => [validation.corroborationLevel],
  conformityFlag: ({ validation }) => [validation.conformityFlag],
  expirationReason: ({ entity }) => [entity.expiration.reason],
};

const timeOf: Readonly<Record<TimeField, (company: LegalEntityRecord) => string | null>> = {
  created: ({ entity }) => entity.creationDate,
  expired: ({ entity }) => entity.expiration.date,
  registered: ({ registration }) => registration.initialRegistrationDate,
  updated: ({ registration }) => registration.lastUpdateDate,
  renewal: ({ registration }) => registration.nextRenewalDate,
};

const textOf: Readonly<Record<FoldedField, (company: LegalEntityRecord) => string | null>> = {
  city: ({ entity }) => entity.legalAddress.city,
  postalCode: ({ entity }) => entity.legalAddress.postalCode,
  registeredAs: ({ entity }) => entity.registeredAs,
};

function isTimeName(name: string): name is TimeField {
  return name in timeOf;
}

function passes(company: LegalEntityRecord, entity: number, condition: ExactCondition): boolean {
  if (condition.is === 'entity') return condition.entities.includes(entity) !== condition.isExcluded;
  if (condition.is === 'value') {
    const has = valuesOf[condition.field](company).some(
      (value) => value !== null && condition.values.includes(value),
    );
    return has !== condition.isExcluded;
  }
  if (condition.is === 'text') {
    const { field, values, isExcluded } = condition;
    const text = textOf[field](company);
    return values.some((value) => folded(field, value) === folded(field, text ?? '')) !== isExcluded;
  }
  const at = secondsOf(timeOf[condition.field](company));
  return at !== null && at >= (condition.from ?? -Infinity) && at <= (condition.to ?? Infinity);
}

/** What is compared for an order key; null comes last. */
function keyOf(company: LegalEntityRecord, name: ListOrder['field']): string | number | null {
  if (name === 'name') return ordered(company.entity.legalName.name) || null;
  if (name === 'city') return ordered(company.entity.legalAddress.city ?? '') || null;
  if (isTimeName(name)) return secondsOf(timeOf[name](company));
  return valuesOf[name](company)[0] || null;
}

function compare(a: LegalEntityRecord, b: LegalEntityRecord, { field, isDescending }: ListOrder): number {
  const [one, other] = [keyOf(a, field), keyOf(b, field)];
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  return one < other === isDescending ? 1 : -1;
}

interface Asked extends Pick<ColumnsQuery, 'first' | 'order'> {
  readonly conditions: readonly ExactCondition[];
}

/** The entities of a whole list, in order. */
function expected(companies: Companies, { conditions, first, order }: Asked): number[] {
  const keys = order.length === 0 ? [{ field: 'registered', isDescending: true } as const] : order;
  const placeOf = (entity: number) => {
    const place = first?.indexOf(entity) ?? -1;
    return place === -1 ? Infinity : place;
  };
  return companies
    .flatMap((company, index) => (company === null ? [] : [{ company, entity: index + 1 }]))
    .filter(({ company, entity }) => conditions.every((condition) => passes(company, entity, condition)))
    .sort((a, b) => {
      const [one, other] = [placeOf(a.entity), placeOf(b.entity)];
      if (one !== other) return one - other;
      const key = keys.find((each) => compare(a.company, b.company, each) !== 0);
      if (key !== undefined) return compare(a.company, b.company, key);
      return leiAt(a.entity - 1) < leiAt(b.entity - 1) ? -1 : 1;
    })
    .map(({ entity }) => entity);
}

/** All pages of a list, one after the other. */
function walked(lists: Lists, query: Asked, limit: number): number[] {
  const entities: number[] = [];
  let total = 0;
  do {
    const page = atOnce(lists.list({ ...query, skip: entities.length, limit }));
    entities.push(...page.entities);
    total = page.total;
  } while (entities.length < total);
  expect(atOnce(lists.list({ ...query, skip: total, limit }))).toEqual({ total, entities: [] });
  return entities;
}

const timeFrom = (year: string) =>
  fc.option(
    fc
      .date({ min: new Date(`${year}-01-01`), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => `${date.toISOString().slice(0, 19)}Z`),
    { nil: null },
  );
const time = timeFrom('1970');
/** Companies of one minute, and of a century before the registers. */
const creation = fc.oneof(
  timeFrom('0001'),
  fc.constantFrom('1480-05-04T00:00:00Z', '1480-05-04T00:00:32Z', '1480-05-04T00:00:08Z'),
);
const country = fc.constantFrom('DE', 'AT', 'CH', null);
const texts = fc.tuple(
  fc.constantFrom('Köln', 'Koln', 'köln am rhein', 'Bonn', '', null),
  fc.constantFrom('50667', '50 667', null),
  fc.constantFrom('HRB 123', 'hrb123', '0123', null),
  fc.constantFrom('', 'alpha', 'Älpha', 'ALPHA BETA Gamma', 'Alpha beta delta', '日本', '日本 株式会社'),
);
const company = fc.tuple(record, time, time, creation, country, country, texts).map(
  ([
    random,
    first,
    second,
    third,
    legal,
    headquarters,
    [city, postalCode, registeredAs, name],
  ]): LegalEntityRecord => ({
    ...random,
    entity: {
      ...random.entity,
      legalName: { ...random.entity.legalName, name },
      registeredAs,
      legalAddress: { ...random.entity.legalAddress, country: legal, city, postalCode },
      headquartersAddress: { ...random.entity.headquartersAddress, country: headquarters },
      creationDate: third,
    },
    registration: { ...random.registration, initialRegistrationDate: first, lastUpdateDate: second },
  }),
);
const companiesOf = (maxLength: number) =>
  fc.array(fc.option(company, { nil: null, freq: 8 }), { maxLength, size: 'max' });

const valueNames = Object.keys(valuesOf).filter((name): name is ValueField => name in valuesOf);
const timeNames = Object.keys(timeOf).filter((name): name is TimeField => name in timeOf);
/** A second of each minute: conditions on the life of a company tell minutes apart. */
const endAt = (second: number) =>
  fc.option(
    fc.integer({ min: 0, max: 4_102_444_800 / 60 }).map((minutes) => minutes * 60 + second),
    { nil: null },
  );
const entities = fc.uniqueArray(fc.integer({ min: 1, max: 60 })).map((all) => Uint32Array.from(all));
const condition: fc.Arbitrary<ExactCondition> = fc.oneof(
  fc.record({
    is: fc.constant('value' as const),
    field: fc.constantFrom(...valueNames),
    values: fc.array(fc.constantFrom('DE', 'AT', 'ACTIVE', '', 'NULL', '日本', 'B6ES'), {
      minLength: 1,
      maxLength: 3,
    }),
    isExcluded: fc.boolean(),
  }),
  fc.record({
    is: fc.constant('text' as const),
    field: fc.constantFrom<FoldedField>('city', 'postalCode', 'registeredAs'),
    values: fc.array(fc.constantFrom('Köln', 'koln', 'KÖLN AM RHEIN', '50667', '', 'HRB 12-3'), {
      minLength: 1,
      maxLength: 2,
    }),
    isExcluded: fc.boolean(),
  }),
  fc.record({
    is: fc.constant('time' as const),
    field: fc.constantFrom(...timeNames),
    from: endAt(0),
    to: endAt(59),
  }),
  fc.record({ is: fc.constant('entity' as const), entities, isExcluded: fc.boolean() }),
);
const orderKey = fc.record({
  field: fc.constantFrom<ListOrder['field']>(
    'name',
    'city',
    'country',
    'entityStatus',
    'category',
    ...timeNames,
  ),
  isDescending: fc.boolean(),
});
const query = fc.record({
  conditions: fc.array(condition, { maxLength: 3 }),
  order: fc.array(orderKey, { maxLength: 2 }),
});
const limit = fc.integer({ min: 1, max: 20 });

type Day = readonly (readonly [at: number, renewed: LegalEntityRecord | null])[];

/** Changes companies, or adds some at the end. @returns the places of those */
function changedOn(day: Day, now: (LegalEntityRecord | null)[]): number[] {
  const changed = new Set<number>();
  for (const [at, renewed] of day) {
    const index = Math.min(at, now.length);
    // A record never goes.
    if (renewed === null && now[index] !== undefined) continue;
    now[index] = renewed;
    changed.add(index);
  }
  return [...changed];
}

describe('a list', () => {
  test('has the companies of plain filtering, in the order of plain sorting, page by page', () => {
    fc.assert(
      fc.property(
        companiesOf(50),
        fc.array(query, { minLength: 1, maxLength: 8 }),
        fc.option(entities, { nil: null }),
        limit,
        (companies, queries, first, most) => {
          write(companies);
          const { lists } = openLists();
          for (const each of queries) {
            const asked = { ...each, first: first?.filter((entity) => entity <= companies.length) ?? null };
            expect(walked(lists, asked, most)).toEqual(expected(companies, asked));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('is the same after changes as after a new file with the same companies', () => {
    const changesOf = fc.array(fc.tuple(fc.nat({ max: 60 }), fc.option(company, { nil: null })), {
      maxLength: 10,
    });
    fc.assert(
      fc.property(companiesOf(40), fc.array(changesOf, { maxLength: 4 }), query, (before, days, asked) => {
        write(before);
        const now = [...before];
        for (const day of days) if (!change(now, changedOn(day, now))) return;
        const all = { ...asked, first: null };
        expect(walked(openLists().lists, all, 7)).toEqual(expected(now, all));
      }),
      { numRuns: 60 },
    );
  });
});

/** Many companies of few kinds, so that pages lie within and across large groups of equal ones. */
function crowd(count: number): LegalEntityRecord[] {
  const [like] = fc.sample(record, { numRuns: 1, seed: 7 });
  if (like === undefined) throw new Error('No record was made.');
  return Array.from({ length: count }, (_, index) => ({
    ...like,
    entity: {
      ...like.entity,
      legalName: {
        ...like.entity.legalName,
        name: index % 3 === 0 ? `A name ${index % 2}` : `No. ${index % 97}`,
      },
      legalAddress: {
        ...like.entity.legalAddress,
        city: `City of ${index % 2}`,
        country: ['DE', 'AT', null][index % 3] ?? null,
      },
      status: index % 5 === 0 ? 'INACTIVE' : 'ACTIVE',
      creationDate: `1480-05-04T00:00:0${index % 3}Z`,
    },
    registration: {
      ...like.registration,
      status: 'ISSUED',
      initialRegistrationDate:
        index < count / 2
          ? '2020-01-01T00:00:00Z'
          : `202${index % 7}-01-0${1 + (index % 9)}T00:00:0${index % 4}Z`,
    },
  }));
}

describe('a list of more companies than are sorted at once', () => {
  const companies = crowd(9 * blockEntities + 5);
  const orders: readonly (readonly ListOrder[])[] = [
    [],
    [{ field: 'country', isDescending: false }],
    [
      { field: 'country', isDescending: true },
      { field: 'registered', isDescending: false },
    ],
    [{ field: 'updated', isDescending: true }],
    [{ field: 'created', isDescending: true }],
    [{ field: 'name', isDescending: false }],
    [
      { field: 'city', isDescending: true },
      { field: 'name', isDescending: true },
    ],
  ];

  test.each(orders.map((order) => [order] as const))('has every page in order: %j', (order) => {
    write(companies);
    const { lists } = openLists();
    const asked = { conditions: [], first: null, order };
    const all = expected(companies, asked);
    const skips = [0, 1, 100, 3_070, 3_075, 4_600, 4_610, 6_140, 6_150, all.length - 30, all.length - 5];
    for (const skip of skips) {
      const page = atOnce(lists.list({ ...asked, limit: 30, skip }));
      expect({ skip, ...page }).toEqual({ skip, entities: all.slice(skip, skip + 30), total: all.length });
    }
  });

  test('is made in steps', () => {
    write(companies);
    const steps = openLists().lists.list({ conditions: [], first: null, order: [], skip: 0, limit: 5 });
    let result = steps.next();
    for (let count = 0; result.done !== true && count < 10_000; count++) result = steps.next();
    expect(result.value).toMatchObject({ total: companies.length });
  });
});

/** Two texts with the same code in a column of hashes. */
function colliding(): readonly [string, string] {
  const known = new Map<number, string>();
  for (let n = 0; ; n++) {
    const text = `City ${n}`;
    const code = hashCode(folded('city', text));
    const other = known.get(code);
    if (other !== undefined) return [other, text];
    known.set(code, text);
  }
}

test('of two cities with the same code, a list has the one that is asked for', () => {
  const cities = colliding();
  const inCities = crowd(3).map(({ entity, ...rest }, index): LegalEntityRecord => {
    const city = cities[index] ?? 'Bonn';
    return { ...rest, entity: { ...entity, legalAddress: { ...entity.legalAddress, city } } };
  });
  write(inCities);
  const { lists } = openLists();
  const entitiesIn = (values: readonly string[], isExcluded: boolean) =>
    atOnce(lists.matching([{ is: 'text', field: 'city', values, isExcluded }]));
  expect(entitiesIn(cities.slice(0, 1), false)).toEqual(Uint32Array.of(1));
  expect(entitiesIn(cities.slice(0, 1), true)).toEqual(Uint32Array.of(2, 3));
});

test('a company is among those that may have its words, before and after changes', () => {
  fc.assert(
    fc.property(companiesOf(30), companiesOf(30), (before, after) => {
      write(before);
      const now = [...before];
      const day = after.map((renewed, at) => [at, renewed] as const);
      if (!change(now, changedOn(day, now))) return;
      const { lists, file } = openLists();
      for (const [index, each] of now.entries()) {
        const words = each === null ? [] : wordsOfCompany(each);
        const found = atOnce(
          lists.matching([{ is: 'words', alternatives: [['none'], words], isSearched: true }]),
        );
        expect(found.includes(index + 1)).toBe(each !== null);
        expect(file.columns.differenceFrom(index + 1, storedAt(each, index).record)).toBeNull();
      }
    }),
    { numRuns: 30 },
  );
});

/** Whether a stored record has a word in its names, addresses and numbers. */
function hasWord(stored: Glimpse, word: string): boolean {
  const words = new RecordWords();
  words.read(stored, searchedPlaces);
  return words.hashes.some((_, index) => index < words.count && words.wordAt(index) === word);
}

test('of a common word, exactly the companies that have it are found, before and after changes', () => {
  fc.assert(
    fc.property(companiesOf(30), companiesOf(30), (before, after) => {
      write(before);
      const now = [...before];
      if (!change(now, changedOn([...after.entries()], now))) return;
      const { lists } = openLists();
      for (const word of commonOf(before)) {
        expect(lists.isExact(word)).toBeTrue();
        const found = atOnce(lists.matching([{ is: 'words', alternatives: [[word]], isSearched: true }]));
        const right = now.flatMap((each, index) =>
          each !== null && hasWord(storedAt(each, index).record, word) ? index + 1 : [],
        );
        expect([...found]).toEqual(right);
      }
    }),
    { numRuns: 30 },
  );
});

test('the values of a column are those that companies have', () => {
  write([...crowd(3), null]);
  const { lists } = openLists();
  expect(lists.values('country')).toEqual(new Set(['DE', 'AT']));
  expect(lists.values('registrationStatus')).toEqual(new Set(['ISSUED']));
});

test('a flipped bit in the columns or in their texts is never listed, and always found', () => {
  const companies = crowd(40);
  write(companies);
  const condition: ExactCondition = {
    is: 'value',
    field: 'entityStatus',
    values: ['ACTIVE'],
    isExcluded: false,
  };
  const asked = { conditions: [condition], first: null, order: [] };
  const right = expected(companies, asked);
  const sound = readFileSync(path);
  const from = columnsFrom(cellsFor(companies.length));
  const texts = sound.indexOf('{"country"');
  const places = Array.from({ length: 200 }, (_, n) =>
    n % 4 === 0 ? texts + n : from + ((n * 9973) % columnBlockBytes),
  );
  // Codes of the columns that this list reads.
  for (const name of ['entityStatus', 'registered'] as const)
    places.push(from + placeOfColumn(name).from + 5);
  let refused = 0;
  for (const [n, at] of places.entries()) {
    const bytes = Buffer.from(sound);
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (n & 7)), at);
    writeFileSync(path, bytes);
    const { lists, file } = openLists();
    expect(() => file.columns.checkAll()).toThrow(DamagedFile);
    try {
      expect(walked(lists, asked, 50)).toEqual(right);
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error;
      refused++;
    }
  }
  expect(refused).toBeGreaterThan(20);
});
