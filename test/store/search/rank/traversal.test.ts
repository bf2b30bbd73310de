import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { withoutTimeLimit } from '../../../../src/store/search/time-limit.ts';
import type { LinkedCompany } from '../../../support/index-companies.ts';
import { company, type SmallIndex, smallIndex } from '../small-index.ts';
import { traverse } from '../traverse.ts';

/** Enough companies for long lists, for more than one chunk of 65,536, and for hits after those ordered by score. */
const many = 72_000;
const statuses = ['LAPSED', 'ISSUED', 'ISSUED', 'ISSUED'];
let companies: LinkedCompany[];
let index: SmallIndex;
/** Counts the names that a search reads. */
const timeLimit = withoutTimeLimit();

beforeAll(async () => {
  // A whole name with a poor rank, and companies after it in order of rank.
  const whole = company({ names: ['Fund Ltd'], registrationStatus: 'RETIRED', entityStatus: 'INACTIVE' });
  companies = Array.from({ length: many }, (_, i) =>
    company({
      names: [`${i % 3 === 0 ? 'Global' : 'Harbour'} Fund ${i % 5 === 0 ? 'Capital' : `Series ${i % 900}`}`],
      country: i % 7 === 0 ? 'LU' : i % 500 === 0 ? 'IS' : 'US',
      registrationStatus: statuses[i % 4] ?? '',
      directChildren: i % 11 === 0 ? 3 : 0,
    }),
  );
  const after = Array.from({ length: 300 }, () =>
    company({ names: ['Harbour Fund'], registrationStatus: 'RETIRED' }),
  );
  companies.push(whole, ...after);
  index = await smallIndex(companies, timeLimit);
});

afterAll(() => index.close());

const filterCases = [
  {},
  { country: 'LU' },
  { country: 'IS' },
  { status: 'LAPSED' },
  { country: 'LU', status: 'ISSUED' },
];

describe('a full traversal', () => {
  for (const filters of filterCases) {
    test(`gives each of the matching companies once, best first: ${JSON.stringify(filters)}`, () => {
      const expected = companies.filter(
        ({ names, country, registrationStatus }) =>
          names[0]?.name.startsWith('Global') &&
          (!('country' in filters) || country === filters.country) &&
          (!('status' in filters) || registrationStatus === filters.status),
      );
      const { hits, total } = traverse(index, 'global', 100, filters);
      expect(total).toBe(expected.length);
      expect(new Set(hits.map(({ entity }) => entity))).toEqual(
        new Set(expected.map(({ entity }) => entity)),
      );
      expect(hits.length).toBe(expected.length);
      for (let i = 1; i < hits.length; i++) {
        expect(hits[i]?.score ?? 1).toBeLessThanOrEqual(hits[i - 1]?.score ?? 0);
      }
    });
  }

  test('continues after the companies that are ordered by score', () => {
    const { total } = traverse(index, 'fund capital', 100);
    expect(total).toBe(Math.ceil(many / 5));
    const outcome = index.ask('fund', { limit: 100 });
    expect(outcome).toMatchObject({ total: many + 301 });
    const seen = new Set<number>();
    let last = 1;
    for (const after of [0, 1_000, 1_100, 65_400, 65_500, 65_600, 71_900, 72_000, 72_200]) {
      const page = index.ask('fund', { after: String(after), limit: 100 });
      if (page.outcome !== 'hits') throw new Error(page.detail);
      expect(page.hits.length).toBe(Math.min(100, many + 301 - after));
      for (const { entity, score } of page.hits) {
        expect(seen.has(entity)).toBe(false);
        seen.add(entity);
        expect(score).toBeLessThanOrEqual(last);
        last = score;
      }
    }
  });

  test('returns companies of equal score in order of LEI', () => {
    const leiOf = new Map(companies.map(({ entity, lei }) => [entity, lei]));
    const { hits } = traverse(index, 'harbour fund capital', 100);
    for (let i = 1; i < hits.length; i++) {
      const [before, after] = [hits[i - 1], hits[i]];
      if (before?.score !== after?.score) continue;
      expect((leiOf.get(before?.entity ?? 0) ?? '') < (leiOf.get(after?.entity ?? 0) ?? '')).toBe(true);
    }
  });

  test('is the same whatever the limit', () => {
    const small = traverse(index, 'global series 33', 7).hits;
    expect(traverse(index, 'global series 33', 100).hits).toEqual(small);
    expect(small.length).toBeGreaterThan(10);
  });
});

test('a page behind the companies that are scored name by name reads the names of its own companies alone', () => {
  const readFor = (after: string) => {
    index.ask('fund', { after, limit: 20 });
    return timeLimit.steps;
  };
  const before = readFor('500');
  for (const after of ['600', '5000', '65000', '70000']) expect(readFor(after)).toBeLessThan(before - 400);
});

test('a company may lack any one of several words that very many companies have', () => {
  expect(index.ask('global harbour fund')).toMatchObject({ total: many + 300 });
});

test('a company whose whole name was typed comes first although its registration is among the worst of all hits', () => {
  expect(index.find('fund')[0]).toBe('Fund Ltd');
});
