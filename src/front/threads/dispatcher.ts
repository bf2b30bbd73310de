/**
 * Chooses the thread that answers a question: bounded, with deadlines, all questions of one event-loop tick together.
 * Quick questions go to one thread as long as that keeps up, so that many of them travel together. Slow ones go to the
 * thread with the least work while it has few of them; beyond that they wait for their client's turn (fair-queue.ts).
 */
import { lineLimits } from '../../protocol/limits.ts';
import { isSlow, type Question, type Unavailability } from '../../protocol/questions.ts';
import type { QueryPool } from '../contracts.ts';
import { FairQueue } from './fair-queue.ts';
import { type Inbox, isWaiting, type PendingQuestion, settle, unavailable } from './inbox.ts';
import { threadLimits } from './limits.ts';

type MayTake = (inbox: Inbox) => boolean;
const takesQuick: MayTake = ({ quick }) => quick < threadLimits.queuedQuickQuestionsPerThreadMax;
const takesSlow: MayTake = ({ slow }) => slow < threadLimits.slowQuestionsInThreadMax;
/** Bodies to compress wait for no turn: the questions of their requests have been answered already. */
const takesBodies: MayTake = ({ slow }) => slow < threadLimits.queuedSlowQuestionsPerThreadMax;
/** Waives the limits, for questions that were accepted before. */
const takesAll: MayTake = () => true;

export class Dispatcher {
  readonly #now: () => number;
  readonly #first: number;
  /** The thread for quick questions. */
  #leader: Inbox | null = null;
  readonly #inboxes: Inbox[] = [];
  /** Slow questions that wait for their client's turn. */
  readonly #turns = new FairQueue();
  /** Questions that came while no thread was available. */
  #waiting: PendingQuestion[] = [];
  #refusal: Unavailability | null = null;
  #flushScheduled = false;
  /** The clock is read once per tick, not once per question. */
  #tickNow = 0;

  /**
   * @param now milliseconds; never goes back
   * @param first the place of the thread to choose if all have the same work: different for each front
   */
  constructor(now: () => number, first = 0) {
    this.#now = now;
    this.#first = first;
  }

  readonly ask: QueryPool['ask'] = (publicationId, question, take, clientId = '', isOutdated, takePart) => {
    const inbox = this.#inboxFor(question);
    const hasRoom = inbox !== null || this.#mayWait(question, clientId);
    const refusal = this.#refusal ?? (hasRoom ? null : 'queue-full');
    if (refusal !== null) {
      take(unavailable[refusal]);
      return;
    }
    this.#scheduleFlush();
    const deadline = this.#tickNow + lineLimits.questionTimeoutMs;
    const pending: PendingQuestion = {
      publicationId,
      question,
      clientId,
      isOutdated,
      deadline,
      deaths: 0,
      take,
      parts: takePart && { take: takePart, bytes: 0, bytesMade: 0 },
    };
    if (inbox === null) this.#wait(pending);
    else inbox.put(pending, this.#tickNow);
  };

  /** Slow questions that wait for their turn. */
  get waitingForTurn(): number {
    return this.#turns.length;
  }

  /** Makes a thread available. It receives the questions that waited for one. */
  add(inbox: Inbox): void {
    this.#inboxes.push(inbox);
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#scheduleFlush();
    for (const pending of waiting) {
      if (isSlow(pending.question)) this.#turns.add(pending);
      else inbox.put(pending, this.#tickNow);
    }
    this.feed();
  }

  /** Ignores a thread that was never added. */
  remove(inbox: Inbox): void {
    const index = this.#inboxes.indexOf(inbox);
    if (index >= 0) this.#inboxes.splice(index, 1);
    if (this.#leader === inbox) this.#leader = null;
  }

  /** Sends slow questions in turn to threads that have room for them. */
  readonly feed = (): void => {
    if (this.#turns.length === 0) return;
    for (let inbox = this.#leastBusy(takesSlow); inbox !== null; inbox = this.#leastBusy(takesSlow)) {
      const pending = this.#turns.next();
      if (pending === null) return;
      this.#scheduleFlush();
      inbox.put(pending, this.#tickNow);
    }
  };

  /** Asks the questions of an ended thread again, a limited number of times: one of them may have ended it. */
  askAgain(orphans: readonly PendingQuestion[]): void {
    this.#scheduleFlush();
    for (const pending of orphans) {
      pending.deaths++;
      if (pending.parts !== undefined) pending.parts.bytesMade = 0;
      if (this.#refusal !== null) settle(pending, unavailable[this.#refusal]);
      else if (pending.deaths > threadLimits.questionRetriesMax) settle(pending, unavailable.failed);
      else this.#putAnywhere(pending);
    }
  }

  /** Whether a question about this publication waits for its turn. */
  isAboutPublication(publicationId: string): boolean {
    return this.#turns.waiting().some((pending) => pending.publicationId === publicationId);
  }

  /** Ends the questions past their deadline that wait for a thread or for their turn. */
  expireWaiting(now: number): void {
    for (const pending of [...this.#waiting, ...this.#turns.waiting()]) {
      if (pending.deadline <= now) settle(pending, unavailable.timeout);
    }
    this.#waiting = this.#waiting.filter(isWaiting);
  }

  /** Refuses every question from now on, and those that wait for a thread. Those that wait for their turn are asked. */
  refuseAll(reason: Unavailability): void {
    this.#refusal = reason;
    for (let next = this.#turns.next(); next !== null; next = this.#turns.next()) this.#putAnywhere(next);
    for (const pending of this.#waiting) settle(pending, unavailable[reason]);
    this.#waiting = [];
    this.flush();
  }

  /** Sends what was collected in this tick. */
  readonly flush = () => {
    this.#flushScheduled = false;
    for (const inbox of this.#inboxes) inbox.send();
  };

  #inboxFor(question: Question): Inbox | null {
    if (!isSlow(question)) return this.#leading();
    if (question.kind === 'compress') return this.#leastBusy(takesBodies);
    // Let no question overtake those that wait for their turn.
    return this.#turns.length === 0 ? this.#leastBusy(takesSlow) : null;
  }

  #mayWait(question: Question, clientId: string): boolean {
    const size = threadLimits.queuedSlowQuestionsPerThreadMax;
    if (this.#inboxes.length === 0) return this.#waiting.length < size;
    const takesTurns = isSlow(question) && question.kind !== 'compress';
    return takesTurns && this.#turns.hasRoomFor(clientId, size * this.#inboxes.length);
  }

  #wait(pending: PendingQuestion): void {
    if (this.#inboxes.length === 0) this.#waiting.push(pending);
    else this.#turns.add(pending);
  }

  #putAnywhere(pending: PendingQuestion): void {
    const inbox = this.#leastBusy(takesAll);
    if (inbox === null) this.#waiting.push(pending);
    else inbox.put(pending, this.#tickNow);
  }

  /** The preferred thread until it falls behind, or has a slow question while another has none; then the least busy. */
  #leading(): Inbox | null {
    const leader = this.#leader;
    if (leader !== null && leader.quick < threadLimits.quickQuestionsKeptUpMax) {
      if (leader.slow === 0 || this.#inboxes.every(({ slow }) => slow > 0)) return leader;
    }
    this.#leader = this.#leastBusy(takesQuick);
    return this.#leader;
  }

  /** The thread with the least work may have no room: quick and slow questions are counted separately. */
  #leastBusy(mayTake: MayTake): Inbox | null {
    const { length } = this.#inboxes;
    let best: Inbox | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (let place = 0; place < length; place++) {
      const inbox = this.#inboxes[(this.#first + place) % length];
      if (inbox === undefined || inbox.work >= least || !mayTake(inbox)) continue;
      best = inbox;
      least = inbox.work;
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
