/** Pools of real query threads, watched from the front; what the tests of pools share. */
import { afterEach, expect } from 'bun:test';
import type { Log } from '../../../src/front/log.ts';
import { createQueryPool, type QueryThreads } from '../../../src/front/threads/query-pool.ts';
import { type SpawnThread, type ThreadPort, workerThreads } from '../../../src/front/threads/thread-port.ts';
import type { Answer, Question, Unavailability } from '../../../src/protocol/questions.ts';
import { asking, jsonIn, keep } from '../../support/answers.ts';
import { memoryLog } from '../../support/log.ts';

export const publication = '20261004T160000Z-00000001';
export const later = '20261005T160000Z-00000002';
const workerUrl = new URL('./query-worker.ts', import.meta.url).href;

export let ports: ThreadPort[] = [];
/** Batches that went to threads. */
export let batches: string[] = [];
/** Threads that have not ended. */
export let alive = 0;

/** What a test does to its pool and to the line between it and its threads. */
interface Hand {
  /** Ended after the test. */
  pool: QueryThreads | null;
  /** The time that the pool is told. */
  clock: number;
  /** Not null: what threads send is kept here instead of being delivered. */
  heldBack: (() => void)[] | null;
  /** Not null: what threads report from now on is told when it is resolved. */
  starts: PromiseWithResolvers<void> | null;
}
const untouched: Hand = { pool: null, clock: 0, heldBack: null, starts: null };
export const hand: Hand = { ...untouched };

/** For each test of the file that calls this: threads of its own, which are ended after it. */
export function eachWithItsOwnThreads(): void {
  afterEach(async () => {
    hand.starts?.resolve();
    await hand.pool?.end();
    Object.assign(hand, untouched);
    ports = [];
    batches = [];
    alive = 0;
  });
}

/** Real workers, watched; the first gets the argument `first`, those that replace it do not. */
export const spawn: SpawnThread = (events) => {
  const port = workerThreads(
    ports.length === 0 ? 'first' : 'later',
    workerUrl,
  )({
    ended(reason, takeLast) {
      alive--;
      events.ended(reason, takeLast);
    },
    report(report) {
      if (hand.starts === null) events.report(report);
      else void hand.starts.promise.then(() => events.report(report));
    },
    answer(batch, position, answer) {
      if (hand.heldBack === null) events.answer(batch, position, answer);
      else {
        const kept = keep(answer);
        hand.heldBack.push(() => events.answer(batch, position, kept));
      }
    },
  });
  const watched: ThreadPort = {
    ask(batch) {
      batches.push(batch);
      port.ask(batch);
    },
    post: (command) => port.post(command),
    terminate: () => port.terminate(),
  };
  ports.push(watched);
  alive++;
  return watched;
};

interface AskedThreads extends Omit<QueryThreads, 'ask' | 'started'> {
  readonly ask: ReturnType<typeof asking>;
}

export async function startPool(
  threads: number,
  log: Pick<Log, 'error'> = memoryLog(),
): Promise<AskedThreads> {
  const begun = createQueryPool({ threads, spawn, log, now: () => hand.clock });
  hand.pool = begun;
  await begun.started;
  expect(await begun.open(publication)).toBeNull();
  return {
    ask: asking(begun),
    open: (id) => begun.open(id),
    close: (id) => begun.close(id),
    available: () => begun.available(),
    end: () => begun.end(),
  };
}

export const company = (lei: string): Question => ({ kind: 'company', lei });
export const unavailable = (reason: Unavailability): Answer => ({ outcome: 'unavailable', reason });
export const bodyOf = (answer: Answer) => (answer.outcome === 'found' ? jsonIn(answer.data) : answer);
