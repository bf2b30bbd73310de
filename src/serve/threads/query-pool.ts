/**
 * Runs the pool of query threads: all of them hold the same publications, and one that ends is replaced.
 *
 * | a thread is | that means                                     | next                                            |
 * |-------------|------------------------------------------------|-------------------------------------------------|
 * | starting    | it loads its code                              | catching up, or ended                           |
 * | catching up | it opens what the others hold, one by one      | available, or ended                             |
 * | available   | it is asked, and told to open and close        | ended                                           |
 * | ended       | it is gone, and others answer its questions    | a new one starts, after a pause where one failed |
 *
 * A question does not pass through here: `ask` is the dispatcher's.
 *
 * Threads start one after the other, because Bun's workers were fragile when several started at once under load.
 */

import { Dispatcher } from '../../dispatch/dispatcher.ts';
import { type PendingQuestion, questionWatch } from '../../dispatch/inbox.ts';
import { threadLimits } from '../../dispatch/limits.ts';
import type { QueryNews, QueryPool } from '../../dispatch/query-threads.ts';
import type { Log } from '../../log/log.ts';
import { nobody, type Observer } from '../../ports/observer.ts';
import type { CallFailure } from '../../threads/calls.ts';
import { PoolThread, type SpawnThread } from './pool-thread.ts';
import { replaceThread } from './replace.ts';

/** How many questions a thread has not answered yet. */
interface QueueLengths {
  readonly quick: number;
  readonly slow: number;
}

/** Front threads, which ask the same query threads as the main thread. */
export interface FrontsBeside {
  /** This thread can be asked from now on. */
  threadJoined(thread: PoolThread): void;
  threadLeft(thread: PoolThread): void;
  /** Resolves once no front has an open question about this publication. */
  released(id: string): Promise<void>;
}

export interface QueryPoolOptions {
  /** How many threads. */
  readonly threads: number;
  readonly spawn: SpawnThread;
  readonly log: Pick<Log, 'error'>;
  readonly observer?: Observer;
  readonly fronts?: FrontsBeside | undefined;
  /** Called when a replacement can't open this publication: whether the service continues without it. */
  readonly giveUp?: (id: string) => boolean;
  /** Called when a thread has read bytes of a publication that are not the written ones. */
  readonly damaged?: QueryNews['damaged'];
  /** Called when a question of a publication failed for a reason that nobody foresaw. */
  readonly failed?: (id: string) => void;
  /** Milliseconds; never goes back. */
  readonly now?: () => number;
}

/** A publication that is being opened. */
interface OpeningPublication {
  readonly id: string;
  failure: CallFailure;
}

export class QueryThreads implements QueryPool {
  readonly #spawn: SpawnThread;
  readonly #log: Pick<Log, 'error'>;
  readonly #observer: Observer;
  readonly #fronts: FrontsBeside | null;
  readonly #giveUp: (id: string) => boolean;
  readonly #damaged: QueryNews['damaged'];
  readonly #failed: (id: string) => void;
  readonly #now: () => number;
  readonly #dispatcher: Dispatcher;
  readonly ask: QueryPool['ask'];
  readonly hasTimeFor: QueryPool['hasTimeFor'];
  #available: readonly PoolThread[] = [];
  /** The publications that a thread must hold before it is available. */
  readonly #desired = new Set<string>();
  #opening: OpeningPublication | null = null;
  /** Resolves when the thread that is starting has started or failed. */
  #starting: Promise<unknown> = Promise.resolve();
  #ending = false;
  #changed = Promise.withResolvers<void>();
  readonly #sweeper: ReturnType<typeof setInterval>;
  /** Resolves once every thread can be asked. Rejects if one does not start. */
  readonly started: Promise<void>;

  /** Starts the threads. Each opens what the pool holds, and what is opened meanwhile, before it can be asked. */
  constructor(options: QueryPoolOptions) {
    const { threads, spawn, log, observer = nobody } = options;
    const { giveUp = () => false, damaged = () => {}, failed = () => {} } = options;
    const { now = performance.now.bind(performance) } = options;
    this.#spawn = spawn;
    this.#log = log;
    this.#observer = observer;
    this.#fronts = options.fronts ?? null;
    this.#giveUp = giveUp;
    this.#damaged = damaged;
    this.#failed = failed;
    this.#now = now;
    this.#dispatcher = new Dispatcher(now);
    this.ask = this.#dispatcher.ask;
    this.hasTimeFor = this.#dispatcher.hasTimeFor;
    this.#sweeper = setInterval(() => this.#sweep(), threadLimits.questionSweepMs);
    this.#sweeper.unref();
    this.started = this.#start(threads);
  }

  async #start(threads: number): Promise<void> {
    for (let count = 0; count < threads; count++) {
      const failure = await this.#startThread();
      if (failure === null) continue;
      await this.end();
      throw new Error(`A query thread could not be started: ${failure}`);
    }
  }

  /** How many threads can be asked. */
  available(): number {
    return this.#available.length;
  }

  /** The threads that can be asked. */
  threads(): readonly PoolThread[] {
    return this.#available;
  }

  /** The questions that each available thread has not answered yet. */
  queued(): readonly QueueLengths[] {
    return this.#available.map(({ inbox: { quick, slow } }) => ({ quick, slow }));
  }

  /** Slow questions that wait for their turn, of all clients. */
  waitingForTurn(): number {
    return this.#dispatcher.waitingForTurn;
  }

  /** Opens a publication in one thread after the other. Null on success; otherwise why not, and no thread holds it. */
  async open(id: string): Promise<CallFailure> {
    this.#desired.add(id);
    const opening: OpeningPublication = { id, failure: null };
    this.#opening = opening;
    await this.#openEverywhere(opening);
    this.#opening = null;
    if (opening.failure !== null) {
      this.#desired.delete(id);
      await this.#closeEverywhere(id);
    }
    return opening.failure;
  }

  async #openEverywhere(opening: OpeningPublication): Promise<void> {
    const deadline = performance.now() + threadLimits.openTimeoutMs;
    while (opening.failure === null) {
      const thread = this.#available.find(({ holds }) => !holds.has(opening.id));
      if (thread !== undefined) {
        const failure = await thread.open(opening.id);
        // Go on: the end of a thread says nothing about the publication, and its replacement opens it while catching
        // up.
        if (failure !== null && !thread.hasEnded) opening.failure = failure;
      } else if (this.available() > 0) {
        return;
      } else if (this.#ending || performance.now() > deadline) {
        opening.failure = 'no query thread is available';
      } else {
        await this.#changed.promise;
      }
    }
  }

  /** Closes a publication in every thread, once no question about it is open. */
  async close(id: string): Promise<void> {
    this.#desired.delete(id);
    while (this.#isAsked(id)) await this.#changed.promise;
    if (this.#fronts !== null) await this.#fronts.released(id);
    await this.#closeEverywhere(id);
    // A thread that is catching up may have it open. It closes what is not desired before it becomes available.
    await this.#starting;
  }

  #isAsked(id: string): boolean {
    const isAbout = (each: Pick<Dispatcher, 'isAboutPublication'>) => each.isAboutPublication(id);
    return isAbout(this.#dispatcher) || this.#available.some(({ inbox }) => isAbout(inbox));
  }

  async #closeEverywhere(id: string): Promise<void> {
    for (const thread of this.#available.filter(({ holds }) => holds.has(id))) {
      const failure = await thread.close(id);
      // A thread that does not close may hold the files for ever, and a deleted file frees no space while it is open.
      if (failure !== null && !thread.hasEnded) thread.terminate();
    }
  }

  /** Refuses new questions, lets the threads finish those they have, and ends them. */
  async end(): Promise<void> {
    this.#ending = true;
    clearInterval(this.#sweeper);
    this.#dispatcher.refuseAll('shutting-down');
    await this.#starting;
    await Promise.all(this.#available.map((thread) => thread.end()));
    this.#announce();
  }

  #sweep(): void {
    const now = this.#now();
    for (const thread of this.#available) thread.checkDeadlines(now);
    this.#dispatcher.expireWaiting(now);
    this.#announce();
  }

  /** Wakes everyone who waits for a change of the threads. */
  #announce(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }

  #startThread(): Promise<CallFailure> {
    const started = this.#starting.then(() => (this.#ending ? 'the service is stopping' : this.#startNext()));
    this.#starting = started;
    return started;
  }

  async #startNext(): Promise<CallFailure> {
    const thread = new PoolThread(this.#spawn, {
      ended: (ended, reason, abandon) => this.#threadEnded(ended, reason, abandon),
      news: {
        fault: ({ message, ...bug }) => {
          this.#log.error(`A question failed: ${message}`, bug);
          if (bug.publication !== null) this.#failed(bug.publication);
        },
        damaged: this.#damaged,
      },
      answered: questionWatch(this.#observer, this.#now),
      slowAnswered: this.#dispatcher.slowAnswered,
    });
    const failure = (await thread.ready) ?? (await this.#catchUp(thread));
    if (failure !== null) thread.terminate();
    return failure;
  }

  /** Opens what the others hold and makes the thread available. What they hold may change meanwhile. */
  async #catchUp(thread: PoolThread): Promise<CallFailure> {
    for (;;) {
      const missing = [...this.#desired].find((id) => !thread.holds.has(id));
      const surplus = [...thread.holds].find((id) => !this.#desired.has(id));
      if (missing !== undefined) {
        const failure = await thread.open(missing);
        if (failure !== null && !this.#isDispensable(missing, failure))
          return `it could not open ${missing}: ${failure}`;
      } else if (surplus !== undefined) {
        await thread.close(surplus);
      } else if (thread.hasEnded) {
        return 'it ended while it was starting';
      } else {
        // Do this in the same step as the check above: otherwise an opening could start in between and miss this
        // thread.
        this.#available = [...this.#available, thread];
        this.#dispatcher.add(thread.inbox);
        this.#fronts?.threadJoined(thread);
        this.#announce();
        return null;
      }
    }
  }

  /** Whether a thread may start without this publication: nobody needs it open any more, or it is given up. */
  #isDispensable(id: string, failure: string): boolean {
    this.#blame(id, failure);
    if (this.#desired.has(id) && this.#giveUp(id)) void this.close(id);
    return !this.#desired.has(id);
  }

  /** A publication that fails during its first opening fails that opening, not the thread. */
  #blame(id: string, failure: string): void {
    if (this.#opening?.id !== id) return;
    this.#opening.failure ??= failure;
    this.#desired.delete(id);
  }

  #threadEnded(thread: PoolThread, reason: string, abandon: () => readonly PendingQuestion[]): void {
    // Remove the thread before taking its last answers, whose receivers may ask further questions.
    const wasAvailable = this.#available.includes(thread);
    this.#available = this.#available.filter((each) => each !== thread);
    this.#dispatcher.remove(thread.inbox);
    if (wasAvailable) this.#fronts?.threadLeft(thread);
    const orphans = abandon();
    this.#dispatcher.askAgain(orphans);
    if (!wasAvailable || this.#ending) return;
    void replaceThread({
      kind: 'query',
      end: { reason, orphans: orphans.length },
      start: () => this.#startThread(),
      isOver: () => this.#ending,
      log: this.#log,
      observer: this.#observer,
    });
  }
}
