/** Tests matchCompany over a publication that the real pipeline loads. */
import { expect, test } from 'bun:test';
import { answerQuestion } from '../../src/query/answer-question.ts';
import { TimeIsUp } from '../../src/store/search/time-limit.ts';
import { company, operator } from '../loader/publishing.ts';

test('a match for which the index takes too long is unavailable, whatever it was asked for', async () => {
  const someone = operator();
  await someone.load({ at: '2024-05-04T00:00:00Z', companies: [company(1, { name: 'Zebra Crossings' })] });
  const reader = await someone.open();
  const tooLong = () => {
    throw new TimeIsUp('The search took more than 1000 ms.');
  };
  const outOfTime = { outcome: 'timeout', detail: 'The search took more than 1000 ms.' } as const;
  const unknown = { city: null, registrationNumber: null, lei: null };
  const question = { kind: 'match', name: 'Zebra Crossings GmbH', country: 'GB', ...unknown } as const;
  const verdictOf = (search: Partial<typeof reader.search>) =>
    answerQuestion({ ...reader, search: { ...reader.search, ...search } }, question);
  expect(verdictOf({})).toMatchObject({ outcome: 'found' });
  for (const search of [{ search: () => outOfTime }, { weightOf: tooLong }, { shareIn: tooLong }]) {
    expect(verdictOf(search)).toEqual({ outcome: 'unavailable', reason: 'timeout' });
  }
  await reader.close();
});
