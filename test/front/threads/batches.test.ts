import { expect, test } from 'bun:test';
import { Batches } from '../../../src/front/threads/batches.ts';

/** Asks one question and sends it. @returns the number of its batch */
function ask(batches: Batches, now: number): number {
  const question = { kind: 'company', lei: '529900T8BM49AURSDO55' } as const;
  batches.collect({ publicationId: 'p', question, deadline: 1_000, deaths: 0, take: () => undefined }, now);
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
