/**
 * Manages the questions of one query thread, from the dispatcher's choice until they end: collected into batches, sent
 * once a tick, ended by answers or deadlines.
 */
import type { Observer } from '../../ports/observer.ts';
import { lineLimits } from '../../protocol/limits.ts';
import { joinQuestion, openBatch } from '../../protocol/question-batch.ts';
import {
  type Answer,
  type AnswerPart,
  type CompressQuestion,
  isSlow,
  type Question,
} from '../../protocol/questions.ts';
import { threadLimits } from './limits.ts';
import {
  askedAt,
  isWaiting,
  type PendingQuestion,
  settle,
  settlePart,
  unavailable,
} from './pending-question.ts';

/** The connection to the thread. */
export interface Outlet {
  /** The thread's remaining work after its last round, of all fronts, in look-ups. */
  readonly busy: number;
  /** Sends a batch of questions (question-batch.ts). */
  ask(batch: string): void;
  /** Sends the one question that does not concern a publication; it is a batch of its own. */
  compress(batch: number, question: CompressQuestion): void;
}

/** Receives each question that a thread has answered. @param answerMs the time that the thread spent on it */
type SeeAnswered = (pending: PendingQuestion, answerMs: number) => void;

export interface InboxEvents {
  /** Null if nobody watches questions; threads then measure nothing. */
  readonly answered: SeeAnswered | null;
  /** The thread has answered a slow question and may take another. */
  slowAnswered(): void;
}

/** Questions that travel together. */
interface Batch {
  readonly id: number;
  readonly publicationId: string;
  readonly questions: PendingQuestion[];
  readonly createdAt: number;
  answered: number;
}

/** Batch numbers repeat after 2³² batches, so that no late answer is assigned to another batch. */
let lastBatchId = 0;

export class Inbox {
  readonly #outlet: Outlet;
  readonly #events: InboxEvents;
  /** Batches that miss some of their answers. */
  readonly #batches = new Map<number, Batch>();
  /** The batch that is being collected, and its text so far. */
  #open: Batch | null = null;
  #text = '';
  #quick = 0;
  #slow = 0;
  #heardSinceExpire = false;
  /** The last {@link expire} before which an answer had come. */
  #heardAt = Number.NEGATIVE_INFINITY;

  constructor(outlet: Outlet, events: InboxEvents) {
    this.#outlet = outlet;
    this.#events = events;
  }

  /** Unanswered questions by kind. Those whose caller has given up count too: they keep the thread busy. */
  get quick(): number {
    return this.#quick;
  }

  get slow(): number {
    return this.#slow;
  }

  /**
   * The thread's work, in look-ups: the unanswered questions of this front, or those of all fronts if there are more.
   */
  get work(): number {
    return Math.max(this.#quick + this.#slow * lineLimits.slowQuestionWork, this.#outlet.busy);
  }

  /** Adds a question to the batch of this tick. A full batch is sent at once. */
  put(pending: PendingQuestion, now: number): void {
    const { question } = pending;
    this.#count(question, 1);
    if (question.kind === 'compress') {
      const batch = this.#begin(pending, now);
      batch.questions.push(pending);
      this.#outlet.compress(batch.id, question);
      return;
    }
    const batch = this.#openFor(pending, now);
    this.#text = joinQuestion(this.#text, question);
    if (batch.questions.push(pending) >= threadLimits.batchedQuestionsMax) this.send();
  }

  /** Sends the batch that is being collected. */
  send(): void {
    if (this.#open === null) return;
    this.#open = null;
    this.#outlet.ask(this.#text);
  }

  #openFor(pending: PendingQuestion, now: number): Batch {
    if (this.#open !== null && this.#open.publicationId === pending.publicationId) return this.#open;
    this.send();
    const batch = this.#begin(pending, now);
    this.#open = batch;
    this.#text = openBatch(batch.id, batch.publicationId);
    return batch;
  }

  #begin({ publicationId }: PendingQuestion, now: number): Batch {
    lastBatchId = (lastBatchId + 1) | 0;
    const batch: Batch = { id: lastBatchId, publicationId, questions: [], createdAt: now, answered: 0 };
    this.#batches.set(batch.id, batch);
    return batch;
  }

  #count(question: Question, by: 1 | -1): void {
    if (isSlow(question)) this.#slow += by;
    else this.#quick += by;
  }

  /** Receives an answer of the thread. One that nobody waits for any more is dropped. */
  receive(batchId: number, position: number, answer: Answer | AnswerPart, answerMs: number): void {
    const batch = this.#batches.get(batchId);
    const pending = batch?.questions[position];
    if (batch === undefined || pending === undefined) return;
    this.#heardSinceExpire = true;
    if (answer.outcome === 'part') {
      settlePart(pending, answer);
      return;
    }
    this.#count(pending.question, -1);
    batch.answered++;
    if (batch.answered >= batch.questions.length) this.#batches.delete(batchId);
    this.#events.answered?.(pending, answerMs);
    settle(pending, answer, answerMs);
    if (isSlow(pending.question)) this.#events.slowAnswered();
  }

  /**
   * Ends the questions past their deadline.
   * @returns for how many milliseconds the thread has owed answers and given none
   */
  expire(now: number): number {
    if (this.#heardSinceExpire) this.#heardAt = now;
    this.#heardSinceExpire = false;
    let oldestMs = 0;
    for (const batch of this.#batches.values()) {
      for (const pending of batch.questions) {
        if (pending.deadline <= now) settle(pending, unavailable.timeout);
      }
      oldestMs = Math.max(oldestMs, now - batch.createdAt);
    }
    return Math.min(oldestMs, now - this.#heardAt);
  }

  /** Whether somebody waits for an answer from this publication. */
  isAboutPublication(publicationId: string): boolean {
    for (const batch of this.#batches.values()) {
      if (batch.publicationId === publicationId && batch.questions.some(isWaiting)) return true;
    }
    return false;
  }

  /** The questions that somebody still waits for. */
  unanswered(): readonly PendingQuestion[] {
    return [...this.#batches.values()].flatMap((batch) => batch.questions).filter(isWaiting);
  }
}

/** Reports answered questions to the observer. @returns null if nobody watches: threads then measure nothing */
export function questionWatch(observer: Observer, now: () => number): SeeAnswered | null {
  if (!observer.watchesQuestions) return null;
  /** The front takes several answers in a row, and the clock is read once for them. */
  let takenAt: number | null = null;
  const forget = () => {
    takenAt = null;
  };
  return (pending, answerMs) => {
    if (takenAt === null) {
      takenAt = now();
      queueMicrotask(forget);
    }
    const waitMs = Math.max(0, takenAt - askedAt(pending) - answerMs);
    observer.question(pending.question.kind, waitMs, answerMs);
  };
}
