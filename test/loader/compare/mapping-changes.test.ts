/** Tests the changes of mappings: identifiers that came to a company and went, in full loads and in deltas. */
import { expect, test } from 'bun:test';
import { answerQuestion } from '../../../src/query/answer-question.ts';
import { jsonIn } from '../../support/answers.ts';
import { bic, changesOf, company, isin, lei, operator, type Publishing } from '../publishing.ts';
import { dayNumber } from '../worlds.ts';

const companies = [1, 2, 3].map((n) => company(n));
const many = Array.from({ length: 1_500 }, (_, index) => isin(index));
const holding = (isins: readonly string[], n = 1) => isins.map((value) => [n, value] as const);

/** The fields of all changes after a second load, which is a full set or a delta. */
async function changesBy(delta: boolean, first: Partial<Publishing>, second: Partial<Publishing>) {
  const someone = operator();
  await someone.load({ at: dayNumber(0), companies, ...first });
  const since = delta ? { since: dayNumber(0) } : {};
  await someone.load({ at: dayNumber(1), ...since, companies, ...second }, { delta });
  const reader = await someone.open();
  const found = companies.map((_, index) =>
    changesOf(reader, index + 1).flatMap(({ kind, changes }) => [
      [kind, ...(Array.isArray(changes) ? changes : [])],
    ]),
  );
  const asOf = answerQuestion(reader, { kind: 'as-of', lei: lei(1), at: dayNumber(2) });
  expect(asOf.outcome === 'found' && jsonIn(asOf.data).knownSince).toBe(dayNumber(0));
  await reader.close();
  return found;
}

for (const delta of [false, true]) {
  const how = delta ? 'delta' : 'full set';
  test(`a ${how} records what came and went of each kind, also beyond the ISINs that a record shows`, async () => {
    const first = {
      isins: [...holding(many.slice(0, 400)), ...holding([isin(1), isin(2)], 2)],
      bics: [
        [1, bic(1)],
        [2, bic(2)],
      ] as const,
      ocids: [
        [3, 'gb/1'],
        [3, 'gb/2'],
      ] as const,
    };
    const second = {
      isins: [
        ...holding([...many.slice(0, 300), ...many.slice(301, 402)]),
        ...holding([isin(2), isin(1)], 2),
      ],
      bics: [
        [1, bic(1)],
        [1, bic(2)],
      ] as const,
      ocids: [
        [3, 'gb/3'],
        [3, 'gb/2'],
      ] as const,
    };
    const change = (kind: string, from: readonly string[], to: readonly string[]) => [
      'change',
      { field: `mappings.${kind}`, from, to },
    ];
    const [one, two, three] = await changesBy(delta, first, second);
    const came = [many[400] ?? '', many[401] ?? ''];
    expect(one?.toSorted()).toEqual(
      [change('isin', [many[300] ?? ''], came), change('bic', [], [bic(2)])].toSorted(),
    );
    expect(two).toEqual([change('bic', [bic(2)], [])]);
    expect(three).toEqual([change('ocid', ['gb/1'], ['gb/3'])]);
  });

  test(`a ${how} records nothing of a table that one of the publications did not load, or of a newcomer`, async () => {
    const isins = holding(many.slice(0, 30));
    expect(await changesBy(delta, {}, { isins })).toEqual([[], [], []]);
    expect(await changesBy(delta, { isins }, {})).toEqual([[], [], []]);
    const [, , third] = await changesBy(
      delta,
      { isins, companies: companies.slice(0, 2) },
      { isins: [...isins, [3, isin(7)]] },
    );
    expect(third).toEqual([['created']]);
  });
}

test('a change of many identifiers comes in items of at most a thousand', async () => {
  const [found] = await changesBy(false, { isins: holding([isin(5_000)]) }, { isins: holding(many) });
  const fields = found?.map(([, field]) => field);
  expect(fields?.map(({ from, to }) => [from.length, to.length]).toSorted()).toEqual([
    [0, 500],
    [1, 1_000],
  ]);
  expect(fields?.flatMap(({ to }) => to).toSorted()).toEqual(many.toSorted());
});
