import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { LinkedCompany } from '../../../support/index-companies.ts';
import { company, type SmallIndex, smallIndex } from '../small-index.ts';
import { traverse } from '../traverse.ts';

const words = ['larkmoor', 'quexley', 'brontide', 'harbour', 'capital', 'fund', 'interwim', 'interim'];
const countries = ['DE', 'FR', 'IS', 'LU'];
const statuses = ['ISSUED', 'LAPSED', 'RETIRED', 'DUPLICATE'];
let companies: readonly LinkedCompany[];
let index: SmallIndex;

beforeAll(async () => {
  companies = fc
    .sample(
      fc.record({
        name: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }),
        country: fc.constantFrom(...countries),
        status: fc.constantFrom(...statuses),
        number: fc.integer({ min: 1, max: 30 }),
      }),
      { numRuns: 600, seed: 11 },
    )
    .map(({ name, country, status, number }) =>
      company({
        names: [name.join(' ')],
        country,
        registrationStatus: status,
        registeredAs: `B ${1000 + number}`,
      }),
    );
  index = await smallIndex(companies);
});

afterAll(() => index.close());

const questions = fc.oneof(
  fc
    .array(fc.constantFrom(...words, 'larkmor', 'quexly', 'capi', 'zzyzzyxq', 'the', 'gmbh'), {
      minLength: 1,
      maxLength: 5,
    })
    .map((q) => q.join(' ')),
  fc.integer({ min: 1, max: 30 }).map((number) => `B${1000 + number}`),
);
const anyOf = (values: readonly string[]) => fc.option(fc.constantFrom(...values), { nil: undefined });

test('a filter keeps the hits that pass it, with the same scores in the same order', () => {
  const byEntity = new Map(companies.map((document) => [document.entity, document]));
  fc.assert(
    fc.property(questions, anyOf(countries), anyOf(statuses), (q, country, status) => {
      const all = traverse(index, q, 100);
      const filters = {
        ...(country === undefined ? {} : { country }),
        ...(status === undefined ? {} : { status }),
      };
      const filtered = traverse(index, q, 100, filters);
      const expected = all.hits.filter(({ entity }) => {
        const document = byEntity.get(entity);
        return (
          (country === undefined || document?.country === country) &&
          (status === undefined || document?.registrationStatus === status)
        );
      });
      expect(filtered.hits).toEqual(expected);
      expect(filtered.total).toBe(expected.length);
    }),
    { numRuns: 300 },
  );
});

test('of companies with the typed words and other forms a filter makes no other one the first', async () => {
  const named = await smallIndex([
    company({ names: ['Larkmoor AB'], country: 'SE', directChildren: 9 }),
    company({ names: ['Larkmoor GmbH'], country: 'DE', directChildren: 9 }),
    ...Array.from({ length: 20 }, () => company({ names: ['Sallowby Larkmoor Oy'], country: 'DE' })),
  ]);
  const all = traverse(named, 'larkmoor oy', 100).hits;
  const german = traverse(named, 'larkmoor oy', 100, { country: 'DE' }).hits;
  expect(named.find('larkmoor oy')[0]).toBe('Larkmoor AB');
  expect(german).toEqual(all.slice(1));
  await named.close();
});

test('the totals of all countries add up to the total without a filter, for common words too', () => {
  for (const q of ['fund', 'fund capital', 'larkmor harbor', 'quexley zzyzzyxq']) {
    const totals = countries.map((country) => traverse(index, q, 100, { country }).total);
    expect(totals.reduce((sum, total) => sum + total, 0)).toBe(traverse(index, q, 100).total);
  }
});
