import { expect, test } from 'bun:test';
import { queryLimits } from '../../src/query/limits.ts';
import { Practice } from '../../src/query/practice.ts';
import type { PublicationReader } from '../../src/store/publication-reader.ts';
import { memoryPublication } from '../support/memory-publication.ts';

const lei = '5493001KJTIIGC8Y1R12';

/** A publication of so many identical companies, and a list of what was read from it. */
function watched(companies: number, name: string | null = 'Deutsche Bank') {
  const read: number[] = [];
  const searched: string[] = [];
  const one = memoryPublication({
    id: '20261004T160000Z-00000001',
    companies: [{ lei, name }],
    search: ({ q }) => {
      searched.push(q);
      return { outcome: 'hits', total: 0, hits: [], next: null };
    },
  });
  const publication: PublicationReader = {
    ...one,
    lastEntity: companies,
    summary(entity) {
      read.push(entity);
      return one.summary(1);
    },
  };
  return { publication, read, searched };
}

function practise(practice: Practice, publication: PublicationReader): number {
  let steps = 0;
  for (; !practice.isOver(publication); steps++) practice.step(publication);
  return steps;
}

test("practice asks callers' questions, about companies from all over the publication", () => {
  const { publication, read, searched } = watched(2 * queryLimits.companiesPerPractised);
  expect(practise(new Practice(), publication)).toBe(8);
  // Once for the questions about a company, and once for the answer about its relationships.
  const second = 1 + queryLimits.companiesPerPractised;
  expect(read).toEqual([1, 1, second, 1]);
  expect(searched).toEqual(['Deutsche Bank', 'Deutsche', 'Deutsche Bank', 'Deutsche']);
});

test('practice is over in a small publication, and continues in a larger one', () => {
  const practice = new Practice();
  const few = watched(queryLimits.companiesPerPractised - 1);
  expect(practise(practice, few.publication)).toBe(0);
  expect(few.read).toEqual([]);
  expect(practise(practice, watched(queryLimits.companiesPerPractised).publication)).toBe(4);
  expect(practise(practice, watched(3 * queryLimits.companiesPerPractised).publication)).toBe(8);
});

test('practice ends for any number of companies', () => {
  const { publication, searched } = watched(1_000 * queryLimits.companiesPerPractised);
  practise(new Practice(), publication);
  expect(searched).toHaveLength(2 * queryLimits.practisedCompaniesMax);
});

test('a company that is only mentioned is practised by its LEI alone', () => {
  const { publication, searched } = watched(queryLimits.companiesPerPractised, null);
  expect(practise(new Practice(), publication)).toBe(2);
  expect(searched).toEqual([]);
});

test('practice searches only for texts that callers may search for', () => {
  for (const [name, expected] of [
    ['X Y', ['X Y']],
    ['  𝔄𝔅  ', ['𝔄𝔅', '𝔄𝔅']],
    ['é'.repeat(800), ['é'.repeat(480)]],
    ['Z', []],
  ] as const) {
    const { publication, searched } = watched(queryLimits.companiesPerPractised, name);
    practise(new Practice(), publication);
    expect(searched).toEqual([...expected]);
  }
});
