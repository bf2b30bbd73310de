import { expect, test } from 'bun:test';
import { Deadline, SearchTimeout } from '../../../src/store/search/deadline.ts';
import { company, smallIndex } from './small-index.ts';

/** @returns after how many steps the deadline ended the search; at most 10,000 */
function stepsUntilEnd(deadline: Deadline): number {
  for (let steps = 1; steps < 10_000; steps++) {
    try {
      deadline.check();
    } catch (error) {
      expect(error).toBeInstanceOf(SearchTimeout);
      return steps;
    }
  }
  return 10_000;
}

test('a deadline ends a search soon after its time is over, and reads the clock rarely', () => {
  let reads = 0;
  // Each look at the clock takes a millisecond.
  const deadline = new Deadline(() => reads++);
  deadline.start(3);
  const steps = stepsUntilEnd(deadline);
  expect(steps).toBeLessThan(500);
  expect(reads).toBeLessThan(10);
  expect(steps / reads).toBeGreaterThan(30);
});

test('a deadline without a limit ends nothing and reads no clock at its start', () => {
  let reads = 0;
  const deadline = new Deadline(() => reads++);
  deadline.start(Number.POSITIVE_INFINITY);
  expect(reads).toBe(0);
  expect(stepsUntilEnd(deadline)).toBe(10_000);
});

test('a search past its time is ended, and the next one answers as before', async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `Harbour Bank ${index.toString(36)} Trust`);
  const index = await smallIndex(names.map((name) => company({ names: [name] })));
  const question = 'harbuor bank trsut';
  const before = index.ask(question);
  expect(before).toMatchObject({ outcome: 'hits', total: 1_000 });
  expect(() => index.ask(question, {}, -1)).toThrow(SearchTimeout);
  expect(index.ask(question)).toEqual(before);
  expect(index.ask(question, {}, 60_000)).toEqual(before);
  await index.close();
});
