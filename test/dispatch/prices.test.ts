/** Tests what slow questions are expected to cost. */
import { expect, test } from 'bun:test';
import { Prices } from '../../src/dispatch/costs.ts';
import { Inbox } from '../../src/dispatch/inbox.ts';
import type { Question } from '../../src/protocol/questions.ts';

const query = { name: 'q', fault: '' };
const batch = (queries: number): Question => ({
  kind: 'reconcile',
  queries: Array.from({ length: queries }, () => query),
});

test('the price of a kind follows what its answers cost, part by part', () => {
  const prices = new Prices();
  for (let answers = 0; answers < 100; answers++) prices.learn(batch(2), 80, true);
  expect(prices.of(batch(1))).toBeCloseTo(40, 1);
  expect(prices.of(batch(50))).toBeCloseTo(2_000, 0);
});

test('questions that were given up make their kind dearer, never cheaper', () => {
  const prices = new Prices();
  const first = prices.of(batch(1));
  for (const ms of [0, first / 2]) prices.learn(batch(1), ms, false);
  expect(prices.of(batch(1))).toBe(first);
  prices.learn(batch(1), 10 * first, false);
  expect(prices.of(batch(1))).toBeGreaterThan(first);
});

test('a thread’s inbox tells answers from questions that were given up', () => {
  const ended: boolean[] = [];
  const sent: string[] = [];
  const inbox = new Inbox(
    { busy: 0, sendBatch: (text) => void sent.push(text), compress: () => undefined },
    {
      answered: null,
      slowAnswered: (_pending, _ms, isWhole) => ended.push(isWhole),
    },
  );
  const rest = { publicationId: 'p', clientId: '', clientMs: 0, expectedMs: 0, deadline: 1_000, deaths: 0 };
  for (const answer of [{ outcome: 'not-found' }, { outcome: 'unavailable', reason: 'timeout' }] as const) {
    inbox.put({ ...rest, question: batch(1), take: () => undefined }, 0);
    inbox.send();
    inbox.receive(Number.parseInt(sent.at(-1) ?? '', 10), 0, answer, 0);
  }
  expect(ended).toEqual([true, false]);
});
