import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { LinkedCompany } from '../../../support/index-companies.ts';
import { company, type SmallIndex, smallIndex } from '../small-index.ts';
import { traverse } from '../traverse.ts';

const words = ['larkmoor', 'quexley', 'brontide', 'harbour', 'capital', 'fund', 'holdings', 'north'];
const statuses = ['ISSUED', 'LAPSED', 'RETIRED', 'ANNULLED', 'DUPLICATE'];

/** Names of one to three words, so that many are equal, and duplicates often match better than their survivors. */
function generated(count: number): LinkedCompany[] {
  const names = fc.sample(
    fc.record({
      name: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }),
      other: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 2 }),
      status: fc.constantFrom(...statuses),
      number: fc.integer({ min: 1, max: 40 }),
      children: fc.nat(30),
    }),
    { numRuns: count, seed: 7 },
  );
  return names.map(({ name, other, status, number, children }) =>
    company({
      names: [name.join(' '), other.join(' ')],
      registrationStatus: status,
      registeredAs: `HRB ${1000 + number}`,
      directChildren: children,
    }),
  );
}

/** Enough companies that cards decide the order of most, and that duplicates fill more than one chunk. */
const companies = [
  ...generated(4_000),
  ...Array.from({ length: 70_000 }, (_, i) => company({ names: [`Lantern Bank ${i % 77}`] })),
  ...Array.from({ length: 3_000 }, (_, i) =>
    company({ names: [i % 5 === 0 ? 'Lantern' : `Lantern ${i % 77}`], registrationStatus: 'DUPLICATE' }),
  ),
  company({ names: ['Zorbia'], bics: ['LANTERNBANK'], registrationStatus: 'DUPLICATE' }),
];
const statusOf = new Map(companies.map(({ entity, registrationStatus }) => [entity, registrationStatus]));
const isDuplicate = (entity: number) => statusOf.get(entity) === 'DUPLICATE';
let index: SmallIndex;

beforeAll(async () => {
  index = await smallIndex(companies);
});

afterAll(() => index.close());

const questions = fc.oneof(
  fc
    .array(fc.constantFrom(...words, 'larkmor', 'hold', 'zzyzzyxq'), { minLength: 1, maxLength: 4 })
    .map((q) => q.join(' ')),
  fc.integer({ min: 1, max: 40 }).map((number) => `hrb ${1000 + number}`),
);

test('a duplicate comes after every company that is not one, however well its name matches', () => {
  fc.assert(
    fc.property(questions, (q) => {
      const { hits, total } = traverse(index, q, 100);
      expect(hits.length).toBe(total);
      expect(new Set(hits.map(({ entity }) => entity)).size).toBe(total);
      const first = hits.findIndex(({ entity }) => isDuplicate(entity));
      if (first < 0) return;
      expect(hits.slice(first).every(({ entity }) => isDuplicate(entity))).toBe(true);
      hits.forEach(({ score }, i) => {
        expect(score).toBeLessThanOrEqual(hits[i - 1]?.score ?? 1);
        if (first > 0 && i < first) expect(score).toBeGreaterThan(0.1);
        if (first > 0 && i >= first) expect(score).toBeLessThanOrEqual(0.1);
      });
    }),
    { numRuns: 60 },
  );
});

test('duplicates come last, even after the hits ordered by score, and those with the whole name first among them', () => {
  // One page has the last company that is not a duplicate and the first duplicates.
  const { hits, total } = traverse(index, 'lantern', 100, {}, 69_050);
  expect(total).toBe(73_000);
  expect(hits.length).toBe(3_950);
  expect(hits.slice(0, 950).some(({ entity }) => isDuplicate(entity))).toBe(false);
  expect(hits.slice(950).every(({ entity }) => isDuplicate(entity))).toBe(true);
  expect(new Set(hits.map(({ entity }) => entity)).size).toBe(3_950);
  const whole = new Set(
    companies.filter(({ names }) => names[0]?.name === 'Lantern').map(({ entity }) => entity),
  );
  expect(hits.slice(950, 1_550).every(({ entity }) => whole.has(entity))).toBe(true);
  for (let i = 1; i < hits.length; i++)
    expect(hits[i]?.score ?? 1).toBeLessThanOrEqual(hits[i - 1]?.score ?? 0);
});

test('a duplicate comes after a survivor that matches much worse, and scores 1 by its LEI', async () => {
  const duplicate = company({ names: ['Larkmoor Ltd'], registrationStatus: 'DUPLICATE', directChildren: 99 });
  const survivor = company({
    names: ['Larkmoor Energy Trading & Shipping Limited'],
    registrationStatus: 'LAPSED',
  });
  const small = await smallIndex([duplicate, survivor]);
  expect(small.find('larkmoor')).toEqual(['Larkmoor Energy Trading & Shipping Limited', 'Larkmoor Ltd']);
  expect(small.ask(duplicate.lei)).toMatchObject({
    total: 1,
    hits: [{ entity: duplicate.entity, score: 1 }],
  });
  await small.close();
});

test('a duplicate found by its BIC scores below 1 although a filter hides tens of thousands of companies of that name', () => {
  expect(index.ask('lantern bank', { status: 'DUPLICATE' })).toMatchObject({
    total: 1,
    hits: [{ score: 0.1 }],
  });
});
