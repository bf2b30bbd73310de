/** Generates small random data sets and publishes them: in full, and as the delta that leads from one to the next. */
import fc from 'fast-check';
import type { LegalEntityRecord } from '../../src/lei/company.ts';
import type { ExceptionRecord, RelationshipRecord } from '../../src/lei/relationship.ts';
import { bic, company, exception, isin, relationship } from './publishing.ts';

export const dayOne = '2024-05-04T00:00:00Z';
export const dayTwo = '2024-05-05T00:00:00Z';

export interface World {
  readonly companies: ReadonlyMap<number, LegalEntityRecord>;
  readonly relationships: ReadonlyMap<string, RelationshipRecord>;
  readonly exceptions: ReadonlyMap<string, ExceptionRecord>;
  readonly isins: readonly (readonly [number, string])[];
  readonly bics: readonly (readonly [number, string])[];
  readonly ocids: readonly (readonly [number, string])[];
}

export const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
const number = fc.constantFrom(...numbers);
const anIsin = fc.integer({ min: 1, max: 6 }).map(isin);
const aBic = fc.integer({ min: 1, max: 4 }).map(bic);
const ocids = ['gb/1', 'gb/SC12', 'us_de/"7"', 'de/M1201_HRB32000'];

const companies = fc
  .uniqueArray(
    fc.tuple(
      number,
      fc.record({
        name: fc.constantFrom('Company Number 1 Limited', 'Renamed GmbH', 'Société Générale', '日本 "電気"'),
        city: fc.constantFrom('LONDON', 'LEEDS'),
        country: fc.constantFrom('GB', 'XK', 'DE'),
        status: fc.constantFrom('ISSUED', 'LAPSED'),
        updated: fc.constantFrom('2024-01-01T00:00:00Z', '2024-02-01T10:00:00.5Z'),
      }),
    ),
    { selector: ([n]) => n, maxLength: 8 },
  )
  .map((list) => new Map(list.map(([n, traits]) => [n, company(n, traits)])));

const relationships = fc
  .uniqueArray(
    fc.tuple(
      number,
      number,
      fc.constantFrom('IS_DIRECTLY_CONSOLIDATED_BY', 'IS_FUND-MANAGED_BY'),
      fc.constantFrom('ACTIVE', 'INACTIVE'),
    ),
    { selector: ([start, end, type]) => `${start} ${end} ${type}`, maxLength: 8 },
  )
  .map(
    (list) =>
      new Map(
        list.map(([start, end, type, status]) => [
          `${start} ${end} ${type}`,
          relationship(start, end, { type, status }),
        ]),
      ),
  );

const exceptions = fc
  .uniqueArray(
    fc.tuple(
      number,
      fc.constantFrom('direct' as const, 'ultimate' as const),
      fc.constantFrom('NO_LEI', 'NON_PUBLIC'),
    ),
    {
      selector: ([n, side]) => `${n} ${side}`,
      maxLength: 6,
    },
  )
  .map((list) => new Map(list.map(([n, side, reason]) => [`${n} ${side}`, exception(n, side, reason)])));

export const world: fc.Arbitrary<World> = fc.record({
  companies,
  relationships,
  exceptions,
  isins: fc.array(fc.tuple(number, anIsin), { maxLength: 6 }),
  bics: fc.array(fc.tuple(number, aBic), { maxLength: 4 }),
  ocids: fc.array(fc.tuple(number, fc.constantFrom(...ocids)), { maxLength: 4 }),
});

/** Level 1 records are never deleted, only changed. */
export function following(before: World, after: World): World {
  return { ...after, companies: new Map([...before.companies, ...after.companies]) };
}

export function fullSet(
  at: string,
  { companies, relationships, exceptions, isins, bics, ocids: mapped }: World,
) {
  return {
    at,
    companies: [...companies.values()],
    relationships: { kept: [...relationships.values()] },
    exceptions: { kept: [...exceptions.values()] },
    isins,
    bics,
    ocids: mapped,
  };
}

function changed<T>(before: ReadonlyMap<unknown, T>, after: ReadonlyMap<unknown, T>) {
  return {
    kept: [...after]
      .filter(([key, value]) => !Bun.deepEquals(before.get(key), value))
      .map(([, value]) => value),
    deleted: [...before].filter(([key]) => !after.has(key)).map(([, value]) => value),
  };
}

/** The time of a day of a chain; day 0 is {@link dayOne}. */
export function dayNumber(day: number): string {
  return new Date(Date.parse(dayOne) + day * 86_400_000).toISOString().replace('.000Z', 'Z');
}

export function deltaBetween(before: World, after: World, at = dayTwo, since = dayOne) {
  return {
    at,
    since,
    companies: changed(before.companies, after.companies).kept,
    relationships: changed(before.relationships, after.relationships),
    exceptions: changed(before.exceptions, after.exceptions),
    isins: after.isins,
    bics: after.bics,
    ocids: after.ocids,
  };
}

export const identifiers = [...[1, 2, 3, 4, 5, 6].map(isin), ...[1, 2, 3, 4].map(bic), ...ocids];
