import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TimeLimit } from '../../../src/store/search/time-limit.ts';
import { company, type SmallIndex, smallIndex } from './small-index.ts';

/** More than the steps between two checks of the clock. */
const companies = Array.from({ length: 2_000 }, (_, i) =>
  company({ names: [`Larkmoor ${['Holding', 'Trading', 'Bank'][i % 3]} ${i}`] }),
);
/** The times that the next checks of the clock return; the last one is repeated. */
let times: number[] = [];
let looks = 0;
const msMax = 10;
const timeLimit = new TimeLimit(() => times[Math.min(looks++, times.length - 1)] ?? 0, msMax);
let index: SmallIndex;

beforeAll(async () => {
  index = await smallIndex(companies, timeLimit);
});
afterAll(() => index.close());

function ask(q: string, clock: number[]) {
  times = clock;
  looks = 0;
  return { outcome: index.ask(q), looks };
}

const questions = [
  'larkmoor',
  'larkmoor trading',
  'larkmoor tradnig holdign',
  'larkmoor quellbrook bank',
  'lark',
];

test('a search within its limit is answered, however often it checks the clock', () => {
  for (const q of questions) {
    const { outcome, looks } = ask(q, [0, msMax]);
    expect(outcome.outcome).toBe('hits');
    expect(looks).toBeGreaterThan(2);
  }
});

test('a search ends at the first check of the clock after its limit, wherever that is', () => {
  for (const q of questions) {
    const { looks: all } = ask(q, [0]);
    for (let late = 1; late < all; late++) {
      const { outcome, looks } = ask(q, [...Array<number>(late).fill(0), msMax + 1]);
      expect(outcome).toEqual({ outcome: 'timeout', detail: `The search took more than ${msMax} ms.` });
      expect(looks).toBe(late + 1);
    }
  }
});

test('an aborted search leaves nothing behind: the next one gives its usual answer', () => {
  const before = questions.map((q) => ask(q, [0]).outcome);
  for (const q of questions) ask(q, [0, 0, 0, msMax + 1]);
  expect(questions.map((q) => ask(q, [0]).outcome)).toEqual(before);
});
