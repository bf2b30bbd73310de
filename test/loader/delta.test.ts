import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { LegalEntityRecord } from '../../src/lei/company.ts';
import type { ExceptionRecord, RelationshipRecord } from '../../src/lei/relationship.ts';
import {
  answersOf,
  bic,
  changesOf,
  company,
  companyOf,
  exception,
  isin,
  lei,
  operator,
  relationship,
} from './publishing.ts';

const dayOne = '2024-05-04T00:00:00Z';
const dayTwo = '2024-05-05T00:00:00Z';

interface World {
  readonly companies: ReadonlyMap<number, LegalEntityRecord>;
  readonly relationships: ReadonlyMap<string, RelationshipRecord>;
  readonly exceptions: ReadonlyMap<string, ExceptionRecord>;
  readonly isins: readonly (readonly [number, string])[];
  readonly bics: readonly (readonly [number, string])[];
}

const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
const number = fc.constantFrom(...numbers);
const anIsin = fc.integer({ min: 1, max: 6 }).map(isin);
const aBic = fc.integer({ min: 1, max: 4 }).map(bic);

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

const world: fc.Arbitrary<World> = fc.record({
  companies,
  relationships,
  exceptions,
  isins: fc.array(fc.tuple(number, anIsin), { maxLength: 6 }),
  bics: fc.array(fc.tuple(number, aBic), { maxLength: 4 }),
});

/** Level 1 records are never deleted, only changed. */
function following(before: World, after: World): World {
  return { ...after, companies: new Map([...before.companies, ...after.companies]) };
}

function fullSet(at: string, { companies, relationships, exceptions, isins, bics }: World) {
  return {
    at,
    companies: [...companies.values()],
    relationships: { kept: [...relationships.values()] },
    exceptions: { kept: [...exceptions.values()] },
    isins,
    bics,
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

function deltaBetween(before: World, after: World) {
  return {
    at: dayTwo,
    since: dayOne,
    companies: changed(before.companies, after.companies).kept,
    relationships: changed(before.relationships, after.relationships),
    exceptions: changed(before.exceptions, after.exceptions),
    isins: after.isins,
    bics: after.bics,
  };
}

const identifiers = [...[1, 2, 3, 4, 5, 6].map(isin), ...[1, 2, 3, 4].map(bic)];
/** Neither gate has anything to do with what a delta does. */
const lenient = { skippedGates: ['entity-count', 'resolvable-relationships'] as const };

describe('a delta', () => {
  test('leads from one full set to the next: the same answers, and the same history but for versions', async () => {
    await fc.assert(
      fc.asyncProperty(world, world, async (first, second) => {
        const next = following(first, second);
        const byDelta = operator();
        await byDelta.load(fullSet(dayOne, first));
        await byDelta.load(deltaBetween(first, next), { delta: true, ...lenient });
        const byFullSet = operator();
        await byFullSet.load(fullSet(dayOne, first));
        await byFullSet.load(fullSet(dayTwo, next), lenient);
        const [one, other] = [await byDelta.open(), await byFullSet.open()];
        const history = (reader: typeof one) =>
          numbers.map((n) =>
            changesOf(reader, n)
              .map((item) => JSON.stringify({ ...item, datasetVersion: '' }))
              .sort(),
          );
        try {
          expect(answersOf(one, numbers, identifiers)).toEqual(answersOf(other, numbers, identifiers));
          expect(history(one)).toEqual(history(other));
        } finally {
          await one.close();
          await other.close();
        }
      }),
      { numRuns: 12 },
    );
  }, 60_000);

  test('keeps everything it does not speak of', async () => {
    const someone = operator();
    await someone.load({
      at: dayOne,
      companies: [company(1), company(2)],
      relationships: { kept: [relationship(1, 2)] },
      exceptions: { kept: [exception(2, 'direct', 'NO_LEI')] },
      isins: [[1, isin(1)]],
    });
    await someone.load(
      { at: dayTwo, since: dayOne, companies: [company(2, { city: 'LEEDS' })] },
      { delta: true },
    );
    const reader = await someone.open();
    expect(companyOf(reader, 1).entity.legalAddress.city).toBe('LONDON');
    expect(companyOf(reader, 2).entity.legalAddress.city).toBe('LEEDS');
    expect(companyOf(reader, 1).mappings.isin).toEqual({ count: 1, first: [isin(1)] });
    expect(reader.relationships(reader.find(lei(1))?.entity ?? 0).asStart).toHaveLength(1);
    expect(reader.exceptions(reader.find(lei(2))?.entity ?? 0).direct).toContain('NO_LEI');
    await reader.close();
  });

  test('whose window does not reach back to the active publication is refused, and nothing changes', async () => {
    const someone = operator();
    const { manifest } = await someone.load({ at: dayOne, companies: [company(1)] });
    const late = {
      at: '2024-05-07T00:00:00Z',
      since: '2024-05-06T00:00:00Z',
      companies: [company(1, { city: 'LEEDS' })],
    };
    await expect(someone.load(late, { delta: true })).rejects.toMatchObject({
      code: 'delta-window',
      message: expect.stringContaining(
        'restates what changed since 2024-05-06T00:00:00Z, but the active publication is of 2024-05-04T00:00:00Z',
      ),
    });
    const reader = await someone.open();
    expect(reader.id).toBe(manifest.id);
    await reader.close();
  });

  test('needs a publication that is not the bundled sample', async () => {
    const someone = operator();
    const delta = { at: dayTwo, since: dayOne, companies: [company(1)] };
    await expect(someone.load(delta, { delta: true })).rejects.toMatchObject({ code: 'nothing-to-build-on' });
    await someone.load({ at: dayOne, companies: [company(1)] }, { sample: true });
    await expect(someone.load(delta, { delta: true })).rejects.toMatchObject({ code: 'nothing-to-build-on' });
  });

  test('follows on another, and on one that deleted relationships', async () => {
    const someone = operator();
    await someone.load({
      at: dayOne,
      companies: [company(1), company(2), company(3)],
      relationships: { kept: [relationship(1, 2), relationship(2, 3), relationship(3, 1)] },
    });
    await someone.load(
      {
        at: dayTwo,
        since: dayOne,
        relationships: { kept: [relationship(1, 3)], deleted: [relationship(1, 2), relationship(3, 1)] },
      },
      { delta: true, ...lenient },
    );
    await someone.load(
      {
        at: '2024-05-06T00:00:00Z',
        since: dayTwo,
        relationships: { kept: [relationship(1, 2)], deleted: [relationship(2, 3)] },
      },
      { delta: true, ...lenient },
    );
    const reader = await someone.open();
    const parents = reader
      .relationships(reader.find(lei(1))?.entity ?? 0)
      .asStart.map(({ end }) => reader.summary(end).lei);
    expect(parents.sort()).toEqual([lei(2), lei(3)]);
    expect(reader.relationships(reader.find(lei(2))?.entity ?? 0).asStart).toEqual([]);
    await reader.close();
  });
});
