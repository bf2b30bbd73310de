import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TimeLimit } from '../../../../src/store/search/time-limit.ts';
import { company, type SmallIndex, smallIndex } from '../small-index.ts';
import { traverse } from '../traverse.ts';

const forms = ['Ltd', 'LLC', 'GmbH', ''];
const statuses = ['ISSUED', 'ISSUED', 'ISSUED', 'LAPSED', 'RETIRED', 'ANNULLED', 'DUPLICATE'];

/** Companies of one name, too many for a page to score all of them; few of the best have the form Ltd. */
const companies = Array.from({ length: 1_500 }, (_, i) => {
  const form = i < 400 && i % 50 !== 0 ? 'LLC' : (forms[i % 4] ?? '');
  const name = `${i % 6 === 0 ? 'Larkmoor Holdings' : 'Larkmoor 1900'} ${form}`.trim();
  return company({
    names: i % 9 === 0 ? ['Quexley', name] : i % 10 === 0 ? [name, 'Larkmoor 1900 Ltd'] : [name],
    registrationStatus: i < 400 ? 'ISSUED' : (statuses[i % 7] ?? ''),
    registeredAs: i === 1_403 ? 'LARKMOOR1900' : null,
    directChildren: i % 13,
  });
});
let index: SmallIndex;

beforeAll(async () => {
  index = await smallIndex(companies);
});

afterAll(() => index.close());

const questions = [
  'larkmoor',
  'larkmoor 1900',
  'larkmoor 1900 ltd',
  'larkmoor 1900 gmbh',
  'larkmoor holdings ltd',
];

for (const q of questions) {
  test(`pages of any size show "${q}" in the order of scoring all of its companies`, () => {
    const whole = traverse(index, q, companies.length);
    expect(new Set(whole.hits.map(({ entity }) => entity)).size).toBe(whole.total);
    expect(whole.total).toBeGreaterThan(200);
    for (const limit of [7, 20, 100]) expect(traverse(index, q, limit).hits).toEqual(whole.hits);
  });
}

test('a company whose identifier was typed comes before all companies of that name', () => {
  const outcome = index.ask('larkmoor1900', { limit: 1 });
  expect(outcome).toMatchObject({ hits: [{ entity: companies[1_403]?.entity, score: 1 }] });
});

test('companies of that name count once, even beside a lower-ranked company whose identifier was typed', async () => {
  const small = await smallIndex([
    ...Array.from({ length: 20 }, () => company({ names: ['Larkmoor 1900'] })),
    company({ names: ['Quexley'], registeredAs: 'LARKMOOR1900', registrationStatus: 'LAPSED' }),
  ]);
  for (const q of ['larkmoor 1900', 'larkmoor1900']) expect(small.ask(q)).toMatchObject({ total: 21 });
  await small.close();
});

test('a page of companies of one name looks at few of the others, with a legal form in the question or without', async () => {
  const timeLimit = new TimeLimit(() => 0, 1);
  const small = await smallIndex(
    [
      ...Array.from({ length: 900 }, (_, i) => company({ names: [`Larkmoor 1900 ${forms[i % 3]}`] })),
      ...Array.from({ length: 400 }, (_, i) => company({ names: [`Larkmoor 1900 Fund ${i} Ltd`] })),
    ],
    timeLimit,
  );
  for (const q of ['larkmoor 1900', 'larkmoor 1900 ltd', 'larkmoor 1900 bv']) {
    expect(small.find(q)).toHaveLength(20);
    expect([q, timeLimit.steps < 350]).toEqual([q, true]);
  }
  await small.close();
});

test('of a few companies of one name, those without a legal form come first if none was typed', async () => {
  const small = await smallIndex([
    ...Array.from({ length: 150 }, () => company({ names: ['Larkmoor 1900 Ltd'], directChildren: 5 })),
    company({ names: ['Larkmoor 1900'], registrationStatus: 'ISSUED' }),
  ]);
  expect(small.find('larkmoor 1900')[0]).toBe('Larkmoor 1900');
  await small.close();
});
