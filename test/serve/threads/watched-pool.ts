/** Starts pools of real query threads for tests, which watch them from the front. */
import { expect } from 'bun:test';
import type { Log } from '../../../src/log/log.ts';
import type { Answer, Question, Unavailability } from '../../../src/protocol/questions.ts';
import { type SpawnThread, type ThreadPort, workerThreads } from '../../../src/serve/threads/pool-thread.ts';
import { type QueryPoolOptions, QueryThreads } from '../../../src/serve/threads/query-pool.ts';
import { asking, jsonIn, keep } from '../../support/answers.ts';
import { memoryLog } from '../../support/log.ts';

export const publication = '20261004T160000Z-00000001';
export const later = '20261005T160000Z-00000002';
const workerUrl = new URL('./query-worker.ts', import.meta.url).href;

interface AskedThreads extends Omit<QueryThreads, 'ask' | 'hasTimeFor' | 'started'> {
  readonly ask: ReturnType<typeof asking>;
}

/** The pool of one test. The test watches and delays what crosses between it and its threads. */
export class WatchedPool {
  /** In the order in which they were started. */
  readonly ports: ThreadPort[] = [];
  /** Batches that went to threads. */
  readonly batches: string[] = [];
  /** Threads that have not ended. */
  alive = 0;
  /** The pool's clock. */
  clock = 0;
  /** While not null, answers of threads are collected here instead of being delivered. */
  heldBack: (() => void)[] | null = null;
  /** While not null, threads that start wait until it is resolved. */
  starts: PromiseWithResolvers<void> | null = null;
  #pool: QueryThreads | null = null;

  /** A pool whose threads may still be starting. */
  begin(
    threads: number,
    options: Partial<Pick<QueryPoolOptions, 'log' | 'giveUp' | 'observer'>> = {},
  ): QueryThreads {
    const now = () => this.clock;
    this.#pool = new QueryThreads({ threads, spawn: this.#spawn, log: memoryLog(), now, ...options });
    return this.#pool;
  }

  /** A pool whose threads hold the publication and can be asked. */
  async start(threads: number, log: Pick<Log, 'error'> = memoryLog()): Promise<AskedThreads> {
    const begun = this.begin(threads, { log });
    await begun.started;
    expect(await begun.open(publication)).toBeNull();
    return {
      ask: asking(begun),
      open: (id) => begun.open(id),
      close: (id) => begun.close(id),
      available: () => begun.available(),
      threads: () => begun.threads(),
      queued: () => begun.queued(),
      waitingForTurn: () => begun.waitingForTurn(),
      end: () => begun.end(),
    };
  }

  /** Delivers the delayed answers, and delays no more. */
  deliver(): void {
    for (const each of this.heldBack ?? []) each();
    this.heldBack = null;
  }

  async end(): Promise<void> {
    this.starts?.resolve();
    await this.#pool?.end();
  }

  async #started(ready: Promise<void>): Promise<void> {
    await Promise.all([ready, this.starts?.promise]);
  }

  /** Real workers, watched; the first gets the argument `first`, those that replace it do not. */
  readonly #spawn: SpawnThread = (events) => {
    const port = workerThreads(
      { dataDir: this.ports.length === 0 ? 'first' : 'later', basePath: '' },
      workerUrl,
    )({
      timed: events.timed,
      ended: (reason, takeLast) => {
        this.alive--;
        events.ended(reason, takeLast);
      },
      news: events.news,
      answer: (batch, position, answer, answerMs) => {
        if (this.heldBack === null) return events.answer(batch, position, answer, answerMs);
        const kept = keep(answer);
        this.heldBack.push(() => events.answer(batch, position, kept, answerMs));
      },
    });
    const watched: ThreadPort = {
      ...port,
      ready: this.#started(port.ready),
      line: {
        get busy() {
          return port.line.busy;
        },
        sendBatch: (batch) => {
          this.batches.push(batch);
          port.line.sendBatch(batch);
        },
        compress: (batch, question) => port.line.compress(batch, question),
      },
    };
    this.ports.push(watched);
    this.alive++;
    return watched;
  };
}

export const company = (lei: string): Question => ({ kind: 'company', lei });
export const unavailable = (reason: Unavailability): Answer => ({ outcome: 'unavailable', reason });
export const bodyOf = (answer: Answer) => (answer.outcome === 'found' ? jsonIn(answer.data) : answer);
