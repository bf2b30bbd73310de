/**
 * Lends real query threads to the services of this process, one after the other: a new one reads its modules and
 * compiles what it runs, which takes several times as long as opening a publication in one that has done so.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../../src/config.ts';
import {
  type SpawnThread,
  type ThreadEvents,
  type ThreadPort,
  workerThreads,
} from '../../src/serve/threads/pool-thread.ts';
import { temporaryFolder } from './folders.ts';

/** What a thread reads before it opens a publication. */
export type Borrower = Pick<Config, 'dataDir' | 'basePath'>;

const workerUrl = new URL('./lent-query-thread.ts', import.meta.url).href;

/** Each keeps its memory, and few tests need more at once. */
const idleMax = 3;
/** The threads that no service uses, the one that was idle longest first. They hold no publication. */
let idle: LentThread[] = [];

/**
 * Query threads as `workerThreads` starts them, for a service whose test neither ends them nor counts the threads of the
 * process.
 */
export function lentThreads(borrower: Borrower): SpawnThread {
  return (events) => {
    const thread = idle.find(({ timed }) => timed === events.timed) ?? new LentThread(events.timed);
    idle = idle.filter((each) => each !== thread);
    return thread.lend(borrower, events);
  };
}

class LentThread {
  readonly timed: boolean;
  readonly #place = join(temporaryFolder('lent'), 'borrower.json');
  readonly #port: ThreadPort;
  /** Those of the service; null while there is none. */
  #events: ThreadEvents | null = null;
  readonly #held = new Set<string>();
  /** Of the service: what is being opened. */
  readonly #opening: Promise<unknown>[] = [];
  readonly #fronts = new Set<number>();

  constructor(timed: boolean) {
    this.timed = timed;
    // A query thread gets its data folder as its argument. This one gets the file that names the folder.
    this.#port = workerThreads(
      { dataDir: this.#place, basePath: '' },
      workerUrl,
    )({
      timed,
      answer: (...answer) => this.#events?.answer(...answer),
      news: {
        damaged: (...values) => this.#events?.news.damaged(...values),
        fault: (...values) => this.#events?.news.fault(...values),
      },
      ended: (...end) => {
        idle = idle.filter((each) => each !== this);
        this.#events?.ended(...end);
      },
    });
  }

  /** The thread as its service sees it. Where a real one ends, this one closes what it holds and is idle. */
  lend(borrower: Borrower, events: ThreadEvents): ThreadPort {
    // The folders of a test file go with it.
    mkdirSync(dirname(this.#place), { recursive: true });
    writeFileSync(this.#place, JSON.stringify(borrower));
    this.#events = events;
    const { calls, line, ready } = this.#port;
    return {
      line,
      ready,
      calls: {
        call: (op, values, transfer) => {
          const called = calls.call(op, values, transfer);
          if (op === 'open') {
            this.#held.add(String(values[0]));
            this.#opening.push(called);
          }
          return called;
        },
        tell: (op, values, transfer) => {
          if (op === 'end') void this.#giveBack().catch(() => this.#port.terminate());
          else calls.tell(op, values, transfer);
        },
      },
      join: (front) => {
        this.#fronts.add(front);
        return this.#port.join(front);
      },
      terminate: () => this.#port.terminate(),
    };
  }

  /** A thread that ends answers no call: the last one fails once it has ended. */
  async end(): Promise<void> {
    await this.#port.calls.call('end', []).catch(() => undefined);
  }

  async #giveBack(): Promise<void> {
    const { calls } = this.#port;
    for (const front of this.#fronts) calls.tell('leave', [front]);
    // What is opened later than it is closed would stay open.
    await Promise.allSettled(this.#opening.splice(0));
    await Promise.all([...this.#held].map((id) => calls.call('close', [id])));
    this.#fronts.clear();
    this.#held.clear();
    const events = this.#events;
    this.#events = null;
    idle.push(this);
    // Until then the service would terminate the thread, also if another one has borrowed it.
    events?.ended('it ended', () => undefined);
    const surplus = idle.length > idleMax ? idle.shift() : undefined;
    await surplus?.end();
  }
}
