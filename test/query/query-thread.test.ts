import { describe, expect, test } from 'bun:test';
import { joinQuestion, openBatch } from '../../src/protocol/question-batch.ts';
import type { TextQuestion } from '../../src/protocol/questions.ts';
import { queryThread } from '../../src/query/query-thread.ts';
import { memoryPublication, practisedPublication } from '../support/memory-publication.ts';
import { searchForBank } from '../support/questions.ts';

const id = '20261004T160000Z-00000001';
const lei = '529900T8BM49AURSDO55';
const lookUp: TextQuestion = { kind: 'company', lei };

/** A thread that holds one publication; `arriving` are batches that come while it answers, one after each answer. */
async function threadOver(first: readonly TextQuestion[], arriving: readonly TextQuestion[][] = []) {
  let batches = 0;
  const batchOf = (questions: readonly TextQuestion[]) =>
    questions.reduce(joinQuestion, openBatch(++batches, id));
  const waiting = [batchOf(first)];
  const coming = [...arriving];
  const answered: string[] = [];
  let told = 0;
  const thread = queryThread(async () => memoryPublication({ id, companies: [{ lei, name: 'Bank' }] }), {
    nextBatch: () => waiting.shift() ?? null,
    answer: ({ batch, position }) => {
      answered.push(`${batch}/${position}`);
      const next = coming.shift();
      if (next !== undefined) waiting.push(batchOf(next));
    },
    tell: () => told++,
    report: () => undefined,
    end: () => undefined,
  });
  await thread.obey({ op: 'open', id });
  while (thread.answerRound());
  return { answered, told: () => told };
}

describe('a query thread', () => {
  test('answers what is quick before what is slow, and each kind in the order it came', async () => {
    const { answered } = await threadOver([searchForBank, lookUp, searchForBank, lookUp]);
    expect(answered).toEqual(['1/1', '1/3', '1/0', '1/2']);
  });

  test('looks for new quick questions between two slow ones', async () => {
    const { answered } = await threadOver(
      [searchForBank, searchForBank, searchForBank],
      [[lookUp], [lookUp]],
    );
    expect(answered).toEqual(['1/0', '2/0', '1/1', '3/0', '1/2']);
  });

  test('answers a slow question in every round, however many quick ones come', async () => {
    const flood = Array.from({ length: 20 }, () => [lookUp, lookUp]);
    const { answered } = await threadOver([searchForBank, searchForBank], flood);
    expect(answered.indexOf('1/0')).toBeLessThan(2);
    expect(answered.indexOf('1/1')).toBeLessThan(10);
  });

  test('tells of its first answers before it has made the last', async () => {
    const { told, answered } = await threadOver(Array.from({ length: 100 }, () => lookUp));
    expect(answered).toHaveLength(100);
    expect(told()).toBeGreaterThan(5);
    expect(told()).toBeLessThan(50);
  });
});

test('practice sends no answers, and what fails in it is reported once and ends it', async () => {
  const sent: unknown[] = [];
  const thread = queryThread(async () => practisedPublication(id), {
    nextBatch: () => null,
    answer: (...answer) => sent.push(answer),
    tell: () => sent.push('told'),
    report: (report) => sent.push(report),
    end: () => undefined,
  });
  expect(thread.mayPractise()).toBe(false);
  await thread.obey({ op: 'open', id });
  while (thread.mayPractise()) thread.practise();
  expect(sent).toEqual([
    { report: 'opened', id },
    expect.objectContaining({ report: 'fault', message: 'It was asked for Practised 0.' }),
  ]);
});
