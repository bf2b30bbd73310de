/** Gives questions to threads: bounded, with deadlines, all of one event-loop tick together. */
import { limits } from '../../config.ts';
import type { Answer, Question, Unavailability } from '../../protocol/questions.ts';
import { type PendingQuestion, settle, unavailability } from './pending-question.ts';
import type { PoolThread } from './pool-thread.ts';

/** What a thread left when it died was accepted once and is not refused now, whatever others already have. */
const wasAccepted = () => true;

export class Dispatcher {
  readonly #now: () => number;
  readonly #threads: PoolThread[] = [];
  /** Questions that came while no thread was available. */
  #waiting: PendingQuestion[] = [];
  #refusal: Unavailability | null = null;
  #flushScheduled = false;
  /** The clock is read once a tick, not once a question. */
  #tickNow = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  get threads(): readonly PoolThread[] {
    return this.#threads;
  }

  ask(publicationId: string, question: Question, take: (answer: Answer) => void): void {
    const thread = this.#leastOwing((each) => each.hasRoomFor(question));
    const refusal = this.#refusal ?? (thread !== null || this.#mayWaitForThread() ? null : 'queue-full');
    if (refusal === null) {
      this.#scheduleFlush();
      const deadline = this.#tickNow + limits.questionTimeoutMs;
      this.#place({ publicationId, question, deadline, deaths: 0, take }, thread);
    } else {
      take(unavailability(refusal));
    }
  }

  /** A thread that can be asked from now on; it takes the questions that waited for one. */
  add(thread: PoolThread): void {
    this.#threads.push(thread);
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#scheduleFlush();
    for (const pending of waiting) thread.collect(pending, this.#tickNow);
  }

  /** False where the thread was never added. */
  remove(thread: PoolThread): boolean {
    const index = this.#threads.indexOf(thread);
    if (index >= 0) this.#threads.splice(index, 1);
    return index >= 0;
  }

  /**
   * Takes the questions of a thread that died. They are asked again, but not for ever: one of them may be what
   * killed it.
   */
  adopt(orphans: readonly PendingQuestion[]): void {
    this.#scheduleFlush();
    for (const pending of orphans) {
      pending.deaths++;
      if (this.#refusal !== null) settle(pending, unavailability(this.#refusal));
      else if (pending.deaths > limits.questionRetriesMax) settle(pending, unavailability('failed'));
      else this.#place(pending, this.#leastOwing(wasAccepted));
    }
  }

  isAsked(publicationId: string): boolean {
    return this.#threads.some((thread) => thread.isAsked(publicationId));
  }

  /** Ends what is past its deadline. */
  sweep(): void {
    const now = this.#now();
    for (const thread of this.#threads) thread.sweep(now);
    for (const pending of this.#waiting) {
      if (pending.deadline <= now) settle(pending, unavailability('timeout'));
    }
    this.#waiting = this.#waiting.filter((pending) => pending.take !== null);
  }

  /** Refuses every question from now on, those that wait for a thread too. */
  refuse(reason: Unavailability): void {
    this.#refusal = reason;
    for (const pending of this.#waiting) settle(pending, unavailability(reason));
    this.#waiting = [];
  }

  /** Sends what was collected, without waiting for the end of the tick. */
  readonly flush = () => {
    this.#flushScheduled = false;
    for (const thread of this.#threads) thread.flush();
  };

  #place(pending: PendingQuestion, thread: PoolThread | null): void {
    if (thread === null) this.#waiting.push(pending);
    else thread.collect(pending, this.#tickNow);
  }

  #mayWaitForThread(): boolean {
    return this.#threads.length === 0 && this.#waiting.length < limits.queuedSlowQuestionsPerThreadMax;
  }

  /** A thread may have the least to do and no room for one kind of question: look-ups and slow ones are counted apart. */
  #leastOwing(mayTake: (thread: PoolThread) => boolean): PoolThread | null {
    let best: PoolThread | null = null;
    for (const thread of this.#threads) {
      if ((best === null || thread.owed < best.owed) && mayTake(thread)) best = thread;
    }
    return best;
  }

  #scheduleFlush(): void {
    if (this.#flushScheduled) return;
    this.#flushScheduled = true;
    this.#tickNow = this.#now();
    setImmediate(this.flush);
  }
}
