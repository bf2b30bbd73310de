/**
 * Looks for expensive searches by hill climbing. It changes questions a little and keeps the most expensive, counted in
 * steps (store/search/time-limit.ts). It then asks those again with so little time that the limit must end them. One
 * round changes fifty questions.
 */
import { join } from 'node:path';
import { type Environment, openForBuilding, openReadOnly, syncAndClose } from '../../src/lmdb.ts';
import { openSearchReader } from '../../src/store/search/open-search.ts';
import type { SearchQuery, SearchReader } from '../../src/store/search/search-reader.ts';
import { TimeLimit } from '../../src/store/search/time-limit.ts';
import { createIndexing } from '../support/index-companies.ts';
import { type Attack, below, pick, type Random, randomOf } from './attack.ts';

const companies = 20_000;
const questionsPerRound = 50;
/** The most expensive questions, which the next round changes. */
const keptMax = 20;
/** A step counts as too long from so many milliseconds between two checks of the clock; a busy machine needs some. */
const stepMsMax = 100;
/** A busy machine sometimes pauses this process: a step is long only if it is long each time. */
const lookTimes = 5;

const common =
  'fund holdings investment capital partners trading group international services management real estate';
const rare = [
  'zorbia',
  'quellbrook',
  'larkmoor',
  'ünïcode',
  '三菱銀行',
  'газпром',
  'thames',
  'aaaaaaaa',
  'limitd',
];
const vocabulary = [...common.split(' '), ...rare, 'of', 'and', 'gmbh', 'ltd', 'sp. z o.o.', 'a', 'e'];

const word = (random: Random) => pick(random, vocabulary);

/** An index whose names share their words, as generated names do, so that common words have long lists. */
async function buildIndex(path: string, random: Random): Promise<Environment> {
  const building = openForBuilding(path);
  const indexing = createIndexing();
  for (let entity = 1; entity <= companies; entity++) {
    const words = Array.from({ length: 1 + below(random, 6) }, () => word(random));
    indexing.add({
      entity,
      lei: `5299${String(entity).padStart(16, '0')}`,
      names: [{ name: `${words.join(' ')} ${entity % 7 === 0 ? entity : ''}`, type: 'LEGAL_NAME' }],
      country: pick(random, ['DE', 'US', 'FR']),
      entityStatus: 'ACTIVE',
      registrationStatus: pick(random, ['ISSUED', 'LAPSED', 'DUPLICATE']),
      registeredAs: null,
      bics: [],
      directChildren: entity % 5,
    });
  }
  indexing.finish(building);
  await syncAndClose(building);
  return openReadOnly(path);
}

interface Tried {
  readonly query: SearchQuery;
  readonly steps: number;
  readonly ms: number;
}

const plain = { country: null, status: null, after: null, limit: 20 } as const;

/** One small change of a question: of its words, its letters, its filters, or its place among the pages. */
function changed(query: SearchQuery, random: Random): SearchQuery {
  const words = query.q.split(' ');
  const at = below(random, words.length);
  const old = words[at] ?? '';
  const letter = below(random, old.length);
  const withWords = (...parts: readonly string[]) => ({
    ...query,
    q: parts.join(' ').slice(0, 500).trim().padEnd(2, 'a'),
  });
  return pick(random, [
    () => withWords(...words, word(random)),
    () => withWords(...words.toSpliced(at, 1)),
    () => withWords(...words.with(at, word(random))),
    () => withWords(...words.with(at, old.slice(0, letter))),
    () => withWords(...words.with(at, `${old.slice(0, letter)}q${old.slice(letter)}`)),
    () => withWords(...words.with(at, old + word(random))),
    () => withWords(...words.toReversed()),
    () => ({ ...query, country: pick(random, [null, 'DE', 'ZZ']) }),
    () => ({ ...query, status: pick(random, [null, 'ISSUED', 'DUPLICATE']) }),
    () => ({ ...query, after: pick(random, [null, '500', '5000', '99999999']), limit: 100 }),
  ])();
}

/** A reader whose clock records the longest time between two checks. */
function openWatched(environment: Environment, msMax: number) {
  let lookedAt = 0;
  let longestMs = 0;
  const timeLimit = new TimeLimit(() => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - lookedAt);
    lookedAt = now;
    return now;
  }, msMax);
  const reader = openSearchReader(environment, String, timeLimit);
  return {
    /** @returns the steps, the milliseconds and the longest step of a search */
    time(query: SearchQuery) {
      lookedAt = performance.now();
      longestMs = 0;
      const { ms, outcome } = timed(reader, query);
      return {
        ms,
        outcome,
        steps: timeLimit.steps,
        longestMs: Math.max(longestMs, performance.now() - lookedAt),
      };
    },
  };
}

function timed(reader: SearchReader, query: SearchQuery) {
  const start = performance.now();
  const { outcome } = reader.search(query);
  return { outcome, ms: performance.now() - start };
}

const run: Attack['run'] = async ({ rounds, seed, say, folder }) => {
  const random = randomOf(seed);
  const environment = await buildIndex(join(folder, 'index'), random);
  const wrong: string[] = [];
  try {
    const dearest = climb(environment, { rounds, random, say }, wrong);
    holdToLimit(environment, dearest, wrong);
  } finally {
    await environment.close();
  }
  return { tried: rounds * questionsPerRound, wrong };
};

/** Repeats the measurement until nothing took too long, a few times at most. @returns the best */
function atBest<Timing>(measure: () => Timing, msOf: (timing: Timing) => number): Timing {
  let best = measure();
  for (let time = 1; time < lookTimes && msOf(best) > stepMsMax; time++) {
    const next = measure();
    if (msOf(next) < msOf(best)) best = next;
  }
  return best;
}

interface Climb {
  readonly rounds: number;
  readonly random: Random;
  readonly say: (line: string) => void;
}

function climb(environment: Environment, { rounds, random, say }: Climb, wrong: string[]): readonly Tried[] {
  const watched = openWatched(environment, Number.POSITIVE_INFINITY);
  let dearest: readonly Tried[] = [common, ...vocabulary].map((q) => ({
    query: { q, ...plain },
    steps: 0,
    ms: 0,
  }));
  for (let round = 0; round < rounds; round++) {
    const tried: Tried[] = [];
    for (let i = 0; i < questionsPerRound; i++) {
      const query = changed(pick(random, dearest).query, random);
      const { steps, ms, longestMs } = atBest(
        () => watched.time(query),
        (timing) => timing.longestMs,
      );
      tried.push({ query, steps, ms });
      if (longestMs > stepMsMax)
        wrong.push(`One step took ${longestMs.toFixed(0)} ms: ${JSON.stringify(query)}`);
    }
    dearest = [...dearest, ...tried].sort((a, b) => b.steps - a.steps).slice(0, keptMax);
  }
  const [worst] = dearest;
  if (worst !== undefined) {
    say(`the dearest takes ${worst.steps} steps, ${worst.ms.toFixed(1)} ms: ${JSON.stringify(worst.query)}`);
  }
  return dearest;
}

/** With no time at all, every search must end at its second check of the clock. */
function holdToLimit(environment: Environment, dearest: readonly Tried[], wrong: string[]): void {
  const watched = openWatched(environment, 0);
  for (const { query, steps } of dearest) {
    const {
      outcome,
      ms,
      steps: taken,
    } = atBest(
      () => watched.time(query),
      (timing) => timing.ms,
    );
    const ended = outcome === 'timeout' && taken < steps && ms <= stepMsMax;
    if (steps > 0 && !ended)
      wrong.push(`${outcome} after ${taken} steps and ${ms.toFixed(0)} ms: ${JSON.stringify(query)}`);
  }
}

export const attack: Attack = { name: 'searches', run };
