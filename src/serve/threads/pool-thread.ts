/** One query thread under the pool's supervision: its life cycle, its commands, and the publications it holds. */
import { Inbox, type InboxEvents, type PendingQuestion } from '../../dispatch/inbox.ts';
import { threadLimits } from '../../dispatch/limits.ts';
import type { LineEnds } from '../../dispatch/line.ts';
import type { QueryNews } from '../../dispatch/query-threads.ts';
import { type CallFailure, type CallHandlers, failureOf } from '../../threads/calls.ts';
import type { SpawnThread, ThreadPort } from './thread-port.ts';

/** The events of a thread, for its pool. */
interface PoolThreadEvents extends InboxEvents {
  readonly news: CallHandlers<QueryNews>;
  /** @param abandon takes the answers that the thread gave before it ended, and returns the unanswered questions */
  ended(thread: PoolThread, reason: string, abandon: () => readonly PendingQuestion[]): void;
}

/** Threads have numbers that are never used again. */
let lastNumber = 0;

export class PoolThread {
  readonly number = ++lastNumber;
  readonly #events: PoolThreadEvents;
  readonly #port: ThreadPort;
  readonly #holds = new Set<string>();
  readonly #ended = Promise.withResolvers<void>();
  #hasEnded = false;
  /** The dispatcher's entry for questions. */
  readonly inbox: Inbox;
  /** Null when it has started, otherwise why it did not. */
  readonly ready: Promise<CallFailure>;

  constructor(spawn: SpawnThread, events: PoolThreadEvents) {
    this.#events = events;
    this.#port = spawn({
      timed: events.answered !== null,
      answer: (...answer) => this.inbox.receive(...answer),
      news: events.news,
      ended: (reason, takeLast) => this.#end(reason, takeLast),
    });
    this.inbox = new Inbox(this.#port.line, events);
    this.ready = failureOf(this.#port.ready, threadLimits.threadStartTimeoutMs);
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Publications that it has opened. */
  get holds(): ReadonlySet<string> {
    return this.#holds;
  }

  async open(id: string): Promise<CallFailure> {
    let isLate = false;
    const opened = this.#port.calls.call('open', [id]).then((failure) => {
      if (failure !== null) return failure;
      if (!isLate) this.#holds.add(id);
      // Close it again: after its time limit nobody needs it open.
      else if (!this.#holds.has(id)) this.#port.calls.tell('close', [id]);
      return null;
    });
    const failure = await failureOf(opened, threadLimits.openTimeoutMs);
    isLate = true;
    return failure;
  }

  close(id: string): Promise<CallFailure> {
    this.#holds.delete(id);
    return failureOf(this.#port.calls.call('close', [id]), threadLimits.openTimeoutMs);
  }

  /** Ends the questions past their deadline, and a thread that has been silent for much longer: it is stuck. */
  checkDeadlines(now: number): void {
    if (this.inbox.expire(now) > threadLimits.threadSilentMsMax) this.#port.terminate();
  }

  /** Lets it close everything and end by itself. Beyond the time limit it is terminated. */
  async end(): Promise<void> {
    this.#port.calls.tell('end', []);
    const timer = setTimeout(() => this.#port.terminate(), threadLimits.threadEndTimeoutMs);
    await this.#ended.promise;
    clearTimeout(timer);
  }

  /** Lets a front thread ask it. @returns the front's end of the line */
  join(front: number): LineEnds {
    return this.#port.join(front);
  }

  /** A front thread has ended. */
  leave(front: number): void {
    this.#port.calls.tell('leave', [front]);
  }

  terminate(): void {
    this.#port.terminate();
  }

  #end(reason: string, takeLast: () => void): void {
    this.#hasEnded = true;
    this.#ended.resolve();
    this.#events.ended(this, reason, () => {
      takeLast();
      return this.inbox.unanswered();
    });
  }
}
