/** Lists over the columns of a company file, compared with plain filtering and sorting of the records. */
import { afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { DamagedFile } from '../../src/errors.ts';
import type { LegalEntityRecord } from '../../src/lei/company.ts';
import type { FoldedField, FractionField, TimeField, ValueField } from '../../src/lei/list-fields.ts';
import type { ListOrder } from '../../src/protocol/list-questions.ts';
import { secondsOf } from '../../src/store/columns/codes.ts';
import { blockEntities, columnBlockBytes, placeOfColumn } from '../../src/store/columns/layout.ts';
import type { ColumnsQuery, Lists } from '../../src/store/columns/list-query.ts';
import { folded, hashCode, ordered } from '../../src/store/columns/texts.ts';
import { cellsFor, columnsFrom } from '../../src/store/company-file-layout.ts';
import { atOnce, type Steps } from '../../src/store/steps.ts';
import { runs } from '../support/runs.ts';
import {
  type Companies,
  change,
  changedOn,
  closeOpened,
  companiesOf,
  company,
  leiAt,
  openLists,
  path,
  write,
} from './company-columns.ts';
import { addressesOf, record } from './random-records.ts';

afterEach(closeOpened);

type Condition = ColumnsQuery['conditions'][number];
/** All but those that only say which companies may meet them. */
type ExactCondition = Exclude<Condition, { readonly is: 'words' }>;

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

const wholeOf: Readonly<Record<FractionField, TimeField>> = {
  registeredFraction: 'registered',
  updatedFraction: 'updated',
  renewalFraction: 'renewal',
};

function isFractionName(name: string): name is FractionField {
  return name in wholeOf;
}

/** Seconds since 1970. Lists order by fractions only when they are asked to. */
function secondIn(time: string | null): number | null {
  const at = secondsOf(time);
  return at === null ? null : Math.floor(at);
}

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
  const at = secondIn(timeOf[condition.field](company));
  return at !== null && at >= (condition.from ?? -Infinity) && at <= (condition.to ?? Infinity);
}

/** What is compared for an order key; null comes last. */
type Key = string | number | null;

function keyOf(company: LegalEntityRecord, name: ListOrder['field']): Key {
  if (name === 'name') return ordered(company.entity.legalName.name) || null;
  if (name === 'city') return ordered(company.entity.legalAddress.city ?? '') || null;
  if (isFractionName(name)) return Math.round(((secondsOf(timeOf[wholeOf[name]](company)) ?? 0) % 1) * 1000);
  if (isTimeName(name)) return secondIn(timeOf[name](company));
  return valuesOf[name](company)[0] || null;
}

function compare(one: Key, other: Key, isDescending: boolean): number {
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
    .map(({ company, entity }) => ({ entity, keys: keys.map(({ field }) => keyOf(company, field)) }))
    .sort((a, b) => {
      const [one, other] = [placeOf(a.entity), placeOf(b.entity)];
      if (one !== other) return one - other;
      for (const [place, { isDescending }] of keys.entries()) {
        const compared = compare(a.keys[place] ?? null, b.keys[place] ?? null, isDescending);
        if (compared !== 0) return compared;
      }
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
    'registeredFraction',
    'updatedFraction',
  ),
  isDescending: fc.boolean(),
});
const query = fc.record({
  conditions: fc.array(condition, { maxLength: 3 }),
  order: fc.array(orderKey, { maxLength: 2 }),
});
const limit = fc.integer({ min: 1, max: 20 });

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
      { numRuns: runs(15) },
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
      { numRuns: runs(15) },
    );
  });
});

const plainAddress = {
  language: 'en',
  addressLines: ['1 High Street'],
  addressNumber: null,
  addressNumberWithinBuilding: null,
  mailRouting: null,
  city: 'Town',
  region: null,
  country: 'FR',
  postalCode: '10115',
};
/** What the lists of a crowd do not depend on: short and in ASCII, because storing random texts takes most of the time. */
const plain = {
  otherNames: [],
  transliteratedOtherNames: [],
  headquartersAddress: plainAddress,
  otherAddresses: [],
  transliteratedOtherAddresses: [],
  registeredAs: 'HRB 1',
  successorEntities: [],
  eventGroups: [],
};

/** Many companies of few kinds, so that pages lie within and across large groups of equal ones. */
function crowd(count: number): LegalEntityRecord[] {
  const [like] = fc.sample(record, { numRuns: 1, seed: 7 });
  if (like === undefined) throw new Error('No record was made.');
  return Array.from({ length: count }, (_, index) => ({
    ...like,
    entity: {
      ...like.entity,
      ...plain,
      legalName: {
        language: 'en',
        name: index % 3 === 0 ? `A name ${index % 2}` : `No. ${index % 97}`,
      },
      legalAddress: {
        ...plainAddress,
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
  // The tests only read them.
  beforeAll(() => write(companies));
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
    const { lists } = openLists();
    const asked = { conditions: [], first: null, order };
    const all = expected(companies, asked);
    const skips = [0, 1, 100, 3_070, 3_075, 4_600, 4_610, 6_140, 6_150, all.length - 30, all.length - 5];
    for (const skip of skips) {
      const page = atOnce(lists.list({ ...asked, limit: 30, skip }));
      expect({ skip, ...page }).toEqual({ skip, entities: all.slice(skip, skip + 30), total: all.length });
    }
  });

  test.each<[string, readonly string[], boolean]>([
    ['one country', ['AT'], false],
    ['two countries', ['AT', 'DE'], false],
    ['all but one country', ['AT'], true],
  ])('is ordered by country where it has the companies of %s', (_of, values, isExcluded) => {
    const onCountry = { is: 'value' as const, field: 'country' as const, values, isExcluded };
    const order: readonly ListOrder[] = [
      { field: 'country', isDescending: true },
      { field: 'registered', isDescending: false },
    ];
    const asked = { conditions: [onCountry], first: null, order };
    const all = expected(companies, asked);
    for (const skip of [0, 3_060, all.length - 30]) {
      const { entities } = atOnce(openLists().lists.list({ ...asked, limit: 30, skip }));
      expect({ skip, entities }).toEqual({ skip, entities: all.slice(skip, skip + 30) });
    }
  });

  test('is made in steps', () => {
    const steps = openLists().lists.list({ conditions: [], first: null, order: [], skip: 0, limit: 5 });
    let result = steps.next();
    for (let count = 0; result.done !== true && count < 10_000; count++) result = steps.next();
    expect(result.value).toMatchObject({ total: companies.length });
  });
});

/** Does the work of several lists in turn, a step of each, as a thread does for its callers. */
function inTurn<Result>(all: readonly Steps<Result>[]): Result[] {
  const results = new Map<number, Result>();
  while (results.size < all.length) {
    for (const [index, steps] of all.entries()) {
      if (results.has(index)) continue;
      const { done, value } = steps.next();
      if (done === true) results.set(index, value);
    }
  }
  return all.flatMap((_, index) => results.get(index) ?? []);
}

test('lists that are made in turn, and after lists that nobody waited for, are those that are made alone', () => {
  // More blocks than two steps have.
  const companies = crowd(20 * blockEntities);
  write(companies);
  const statuses = ['ACTIVE', 'INACTIVE'].map((status) => [onValue('entityStatus', status)]);
  const few = [
    onValue('country', 'AT'),
    { is: 'entity' as const, entities: Uint32Array.of(1, 2, 5), isExcluded: false },
  ];
  const kinds: readonly Pick<ColumnsQuery, 'conditions' | 'order'>[] = [
    ...statuses.map((conditions) => ({ conditions, order: [] })),
    {
      conditions: [...(statuses[0] ?? []), onValue('country', 'DE')],
      order: [{ field: 'created', isDescending: false }],
    },
    { conditions: few, order: [{ field: 'name', isDescending: true }] },
    // More companies with the same beginning than are sorted at once.
    { conditions: [], order: [{ field: 'name', isDescending: false }] },
  ];
  const queries = kinds.flatMap((kind) =>
    [0, 40, 7_000].map((skip): ColumnsQuery => ({ ...kind, first: null, skip, limit: 20 })),
  );
  const alone = queries.map((query) => atOnce(openLists().lists.list(query)));
  const { lists } = openLists();
  for (let round = 0; round < 2; round++) {
    expect(inTurn(queries.map((query) => lists.list(query)))).toEqual(alone);
    for (const query of queries) lists.list(query).next();
    const left = lists.list(queries[round] ?? queries[0] ?? expect.unreachable());
    left.next();
    left.return({ total: 0, entities: [] });
  }
});

function onValue(field: ValueField, value: string) {
  return { is: 'value' as const, field, values: [value], isExcluded: false };
}

test('of two cities with the same code, a list has the one that is asked for', () => {
  // The first two of `City 0`, `City 1` and so on with the same code: a search among a million of them takes seconds.
  const cities = ['City 216389', 'City 1261706'];
  expect(new Set(cities.map((city) => hashCode(folded('city', city)))).size).toBe(1);
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

test('the values of a column are those that companies have', () => {
  write([...crowd(3), null]);
  const { lists } = openLists();
  expect(atOnce(lists.values('country'))).toEqual(new Set(['DE', 'AT']));
  expect(atOnce(lists.values('registrationStatus'))).toEqual(new Set(['ISSUED']));
});

test('more values than a column tells apart are stored, and lists find those that it does', () => {
  const many = crowd(300).map(({ registration, ...rest }, index): LegalEntityRecord => {
    return { ...rest, registration: { ...registration, status: `S${index}` } };
  });
  write(many);
  expect(change(many, [0, 299])).toBe(true);
  const { lists } = openLists();
  const entitiesWith = (status: string, isExcluded: boolean) =>
    atOnce(lists.matching([{ is: 'value', field: 'registrationStatus', values: [status], isExcluded }]));
  expect(entitiesWith('S0', false)).toEqual(Uint32Array.of(1));
  expect(entitiesWith('S299', false)).toEqual(new Uint32Array(0));
  expect(entitiesWith('S0', true)).toHaveLength(299);
  expect(atOnce(lists.values('registrationStatus')).size).toBe(254);
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
