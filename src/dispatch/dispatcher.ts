/**
 * Chooses the thread that answers a question: bounded, with deadlines, all questions of one event-loop tick together.
 * Quick questions go to one thread as long as that keeps up, so that many of them travel together. Slow ones go to the
 * thread with the least work in their client's turn (fair-queue.ts), while that has few of them.
 */
import { isSlow, type Question, type Unavailability } from '../protocol/questions.ts';
import { ClientCosts, Prices } from './costs.ts';
import { FairQueue } from './fair-queue.ts';
import {
  type Inbox,
  type InboxEvents,
  isWaiting,
  type PendingQuestion,
  settle,
  unavailable,
} from './inbox.ts';
import { lineLimits, threadLimits } from './limits.ts';
import type { QueryPool } from './query-threads.ts';

type MayTake = (inbox: Inbox) => boolean;
const takesQuick: MayTake = ({ quick }) => quick < threadLimits.queuedQuickQuestionsPerThreadMax;
/** Bodies to compress wait for no turn: the questions of their requests have been answered already. */
const takesBodies: MayTake = ({ slow }) => slow < threadLimits.queuedSlowQuestionsPerThreadMax;
/** Waives the limits, for questions that were accepted before. */
const takesAll: MayTake = () => true;

/** Whether a question is answered in its client's turn. */
function takesTurns(question: Question): boolean {
  return isSlow(question) && question.kind !== 'compress';
}

export class Dispatcher {
  readonly #now: () => number;
  readonly #first: number;
  /** The thread for quick questions. */
  #leader: Inbox | null = null;
  readonly #inboxes: Inbox[] = [];
  readonly #prices = new Prices();
  readonly #costs: ClientCosts;
  /** Slow questions that wait for their client's turn. */
  readonly #turns: FairQueue;
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
    this.#costs = new ClientCosts(now);
    this.#turns = new FairQueue(this.#costs);
  }

  readonly ask: QueryPool['ask'] = (asked) => {
    const { publicationId, question, take, clientId = '', isOutdated, takePart } = asked;
    const inbox = this.#inboxFor(question);
    const expectedMs = takesTurns(question) ? this.#prices.of(question) : 0;
    const hasRoom = inbox !== null || this.#mayWait(question, clientId, expectedMs);
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
      clientMs: 0,
      expectedMs,
      isOutdated,
      deadline,
      deaths: 0,
      take,
      parts: takePart && { take: takePart, bytes: 0, bytesMade: 0 },
    };
    if (inbox === null) this.#wait(pending);
    else inbox.put(pending, this.#tickNow);
  };

  /** Whether all these questions of a client can be answered in time, as far as costs are known. */
  readonly hasTimeFor: QueryPool['hasTimeFor'] = (questions, clientId) => {
    const ms = questions.reduce((sum, question) => sum + this.#prices.of(question), 0);
    return this.#turns.hasTimeFor(clientId, ms, this.#inboxes.length);
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
      if (takesTurns(pending.question)) this.#turns.add(pending);
      else inbox.put(pending, this.#tickNow);
    }
    this.#feed();
  }

  /** Ignores a thread that was never added. */
  remove(inbox: Inbox): void {
    const index = this.#inboxes.indexOf(inbox);
    if (index >= 0) this.#inboxes.splice(index, 1);
    if (this.#leader === inbox) this.#leader = null;
  }

  /** A thread has ended a slow question: learns what it cost, and sends further ones. */
  readonly slowAnswered: InboxEvents['slowAnswered'] = (pending, answerMs, isWhole) => {
    const { question, clientId, expectedMs } = pending;
    if (takesTurns(question)) {
      this.#prices.learn(question, answerMs, isWhole);
      this.#costs.add(clientId, answerMs - expectedMs);
    }
    this.#feed();
  };

  /** Sends slow questions in turn to threads that have room for them. */
  #feed(): void {
    let room: Inbox | null = null;
    const hasRoom = (pending: PendingQuestion) => {
      room = this.#leastBusy((inbox) => inbox.hasRoomFor(pending));
      return room !== null;
    };
    while (this.#turns.length > 0) {
      const pending = this.#turns.next(hasRoom);
      if (pending === null || room === null) return;
      this.#put(room, pending);
    }
  }

  #put(inbox: Inbox, pending: PendingQuestion): void {
    this.#scheduleFlush();
    // Its own expected cost is in it.
    pending.clientMs = Math.round(this.#costs.of(pending.clientId));
    inbox.put(pending, this.#tickNow);
  }

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
    const anywhere = () => true;
    for (let next = this.#turns.next(anywhere); next !== null; next = this.#turns.next(anywhere)) {
      this.#putAnywhere(next);
    }
    for (const pending of this.#waiting) settle(pending, unavailable[reason]);
    this.#waiting = [];
    this.flush();
  }

  /** Sends what was collected in this tick. */
  readonly flush = () => {
    this.#flushScheduled = false;
    for (const inbox of this.#inboxes) inbox.send();
  };

  /** The thread that gets a question at once; null if none has room, or if the question waits for its client's turn. */
  #inboxFor(question: Question): Inbox | null {
    if (!isSlow(question)) return this.#leading();
    return question.kind === 'compress' ? this.#leastBusy(takesBodies) : null;
  }

  /** Whether a question that no thread gets at once may wait: for its client's turn, or for any thread if there is none. */
  #mayWait(question: Question, clientId: string, expectedMs: number): boolean {
    const size = threadLimits.queuedSlowQuestionsPerThreadMax;
    const threads = this.#inboxes.length;
    if (threads === 0) return this.#waiting.length < size;
    if (!takesTurns(question) || !this.#turns.hasRoomFor(clientId, size * threads)) return false;
    // Cheap questions come before dear ones, so their number alone is a bound.
    return expectedMs <= threadLimits.dearMs || this.#turns.hasTimeFor(clientId, expectedMs, threads);
  }

  #wait(pending: PendingQuestion): void {
    if (this.#inboxes.length === 0) this.#waiting.push(pending);
    else {
      this.#turns.add(pending);
      this.#feed();
    }
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
