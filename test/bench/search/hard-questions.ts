/**
 * Makes questions that are hard to answer, and questions of the most common words of the haystack, at the first and at
 * deep pages.
 */
import type { SearchReader } from '../../../src/store/search/search-reader.ts';
import { median } from '../harness/median.ts';

const commonWords =
  'fund holdings investment capital partners trading group international services management real estate';

const questions = [
  'fund',
  'fund holdings',
  commonWords,
  // A dozen again, one of them mistyped, and a few in another order.
  commonWords.replace('trading', 'tradnig'),
  'estate fund real holdings',
  'investment fund',
  'gmbh',
  'limited',
  'international hold',
  'a',
  'a'.repeat(500),
];
const positions = ['0', '5000', '100000'];
const times = 25;

export interface HardQuestion {
  readonly q: string;
  /** The position of the page. */
  readonly after: string;
  readonly hits: number;
  readonly medianMs: number;
  readonly slowestMs: number;
}

/** Each of them so many times, in turn; without pages beyond the last hit. */
export function askHardQuestions(reader: SearchReader): HardQuestion[] {
  const asked = questions.flatMap((q) =>
    positions.map((after) => ({ q, after, hits: 0, ms: [] as number[] })),
  );
  for (let time = 0; time < times; time++) {
    for (const question of asked) {
      const { q, after, ms } = question;
      const start = performance.now();
      const outcome = reader.search({ q, country: null, status: null, after, limit: 20 });
      ms.push(performance.now() - start);
      question.hits = outcome.outcome === 'hits' ? outcome.total : -1;
    }
  }
  return asked
    .filter(({ after, hits }) => hits >= Number(after))
    .map(({ q, after, hits, ms }) => ({
      q,
      after,
      hits,
      medianMs: median(ms),
      slowestMs: Math.max(...ms),
    }));
}
