import { expect, test } from 'bun:test';
import { limits } from '../../../src/config.ts';
import { Batches } from '../../../src/front/threads/batches.ts';

const lei = '529900T8BM49AURSDO55';

/** Asks one question and sends it. @returns the number of its batch */
function ask(batches: Batches, now: number, kind: 'company' | 'relationships' = 'company'): number {
  const pending = { publicationId: 'p', deadline: 1_000, deaths: 0, take: () => undefined };
  batches.collect({ ...pending, question: { kind, lei } }, now);
  const [text] = batches.takeUnsent();
  return typeof text === 'string' ? Number.parseInt(text, 10) : 0;
}

test('a thread has been silent since its last answer, however long its oldest question waits', () => {
  const batches = new Batches();
  expect(batches.sweep(0)).toBe(0);
  ask(batches, 0);
  const second = ask(batches, 10);
  expect(batches.sweep(20)).toBe(20);
  batches.answer(second, 0, { outcome: 'not-found' });
  expect(batches.sweep(30)).toBe(0);
  expect(batches.sweep(50)).toBe(20);
});

test('a thread that has answered everything is not silent, however long nobody asks it', () => {
  const batches = new Batches();
  const batch = ask(batches, 0);
  batches.answer(batch, 0, { outcome: 'not-found' });
  batches.sweep(10);
  expect(batches.sweep(1_000_000)).toBe(0);
});

test('a thread with a slow question has more to do than one with a look-up, until it is answered', () => {
  const batches = new Batches();
  ask(batches, 0);
  const slow = ask(batches, 0, 'relationships');
  expect(batches.owed).toBe(1 + limits.slowQuestionWork);
  batches.answer(slow, 0, { outcome: 'not-found' });
  expect(batches.owed).toBe(1);
});

test('a question past its deadline keeps no publication open, though its thread still owes the answer', () => {
  const batches = new Batches();
  ask(batches, 0);
  expect(batches.isAsked('p')).toBe(true);
  batches.sweep(1_000);
  expect([batches.isAsked('p'), batches.owed]).toEqual([false, 1]);
});
