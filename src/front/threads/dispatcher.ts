/** Chooses the thread that answers a question: bounded, with deadlines, all questions of one event-loop tick together. */
import { lineLimits } from '../../protocol/limits.ts';
import type { Answer, Question, Unavailability } from '../../protocol/questions.ts';
import type { Inbox } from './inbox.ts';
import { threadLimits } from './limits.ts';
import { type PendingQuestion, settle, unavailability } from './pending-question.ts';

/** Questions of a thread that died were accepted once and are not refused now, however full the others are. */
const wasAccepted = () => true;

export class Dispatcher {
  readonly #now: () => number;
  readonly #inboxes: Inbox[] = [];
  /** Questions that came while no thread was available. */
  #waiting: PendingQuestion[] = [];
  #refusal: Unavailability | null = null;
  #flushScheduled = false;
  /** The clock is read once a tick, not once a question. */
  #tickNow = 0;

  /** @param now milliseconds; never goes back */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** {@link QueryPool.ask} */
  readonly ask = (publicationId: string, question: Question, take: (answer: Answer) => void): void => {
    const inbox = this.#leastBusy((each) => each.hasRoomFor(question));
    const refusal = this.#refusal ?? (inbox !== null || this.#mayWaitForThread() ? null : 'queue-full');
    if (refusal !== null) {
      take(unavailability(refusal));
      return;
    }
    this.#scheduleFlush();
    const deadline = this.#tickNow + lineLimits.questionTimeoutMs;
    this.#place({ publicationId, question, deadline, deaths: 0, take }, inbox);
  };

  /** Makes a thread available. It takes the questions that waited for one. */
  add(inbox: Inbox): void {
    this.#inboxes.push(inbox);
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#scheduleFlush();
    for (const pending of waiting) inbox.put(pending, this.#tickNow);
  }

  /** A thread that was never added is left alone. */
  remove(inbox: Inbox): void {
    const index = this.#inboxes.indexOf(inbox);
    if (index >= 0) this.#inboxes.splice(index, 1);
  }

  /** Asks the questions of a dead thread again, a limited number of times: one of them may have killed it. */
  askAgain(orphans: readonly PendingQuestion[]): void {
    this.#scheduleFlush();
    for (const pending of orphans) {
      pending.deaths++;
      if (this.#refusal !== null) settle(pending, unavailability(this.#refusal));
      else if (pending.deaths > threadLimits.questionRetriesMax) settle(pending, unavailability('failed'));
      else this.#place(pending, this.#leastBusy(wasAccepted));
    }
  }

  /** Ends the questions past their deadline that wait for a thread. */
  expireWaiting(now: number): void {
    for (const pending of this.#waiting) {
      if (pending.deadline <= now) settle(pending, unavailability('timeout'));
    }
    this.#waiting = this.#waiting.filter((pending) => pending.take !== null);
  }

  /** Refuses every question from now on, and those that wait for a thread. */
  refuseAll(reason: Unavailability): void {
    this.#refusal = reason;
    for (const pending of this.#waiting) settle(pending, unavailability(reason));
    this.#waiting = [];
  }

  /** Sends what was collected in this tick. */
  readonly flush = () => {
    this.#flushScheduled = false;
    for (const inbox of this.#inboxes) inbox.send();
  };

  #place(pending: PendingQuestion, inbox: Inbox | null): void {
    if (inbox === null) this.#waiting.push(pending);
    else inbox.put(pending, this.#tickNow);
  }

  #mayWaitForThread(): boolean {
    return this.#inboxes.length === 0 && this.#waiting.length < threadLimits.queuedSlowQuestionsPerThreadMax;
  }

  /** The thread with the least work may be the one without room: quick and slow questions are counted apart. */
  #leastBusy(mayTake: (inbox: Inbox) => boolean): Inbox | null {
    let best: Inbox | null = null;
    for (const inbox of this.#inboxes) {
      if ((best === null || inbox.work < best.work) && mayTake(inbox)) best = inbox;
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
