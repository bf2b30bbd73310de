/**
 * Manages the questions of one query thread, from the dispatcher's choice until they end: collected into batches, sent
 * once a tick. A question ends in one of three ways: an answer, its deadline, or the end of its thread.
 */
import { byKind } from '../lei/identifier-kinds.ts';
import type { Observer } from '../ports/observer.ts';
import {
  type Answer,
  type AnswerPart,
  isSlow,
  joinQuestion,
  openBatch,
  type Question,
  type TakePart,
  unavailabilities,
} from '../protocol/questions.ts';
import type { TakeAnswer } from './answer-record.ts';
import { lineLimits, threadLimits } from './limits.ts';
import type { AskingEnd } from './line.ts';
import type { TakeQuestionAnswer } from './query-threads.ts';

export interface PendingQuestion {
  readonly publicationId: string;
  readonly question: Question;
  /** The client: slow questions are served in turns by client. */
  readonly clientId: string;
  /** The cost of the client's questions when it was sent, a whole number of milliseconds. */
  clientMs: number;
  /** Its expected cost, in milliseconds of a query thread; 0 for a quick one. */
  readonly expectedMs: number;
  /** Whether the answer would be refused by now. */
  readonly isOutdated?: (() => boolean) | undefined;
  /** On the pool's clock, milliseconds. */
  readonly deadline: number;
  /** How many threads have ended with it. */
  deaths: number;
  /** Null once it has ended. */
  take: TakeQuestionAnswer | null;
  /** Absent if the answer comes in one piece. */
  readonly parts?: PartsTaken | undefined;
}

interface PartsTaken {
  /** Takes the next bytes of a found answer. */
  readonly take: TakePart;
  /** Bytes of the parts that were taken, and of those that the last asked thread has made. */
  bytes: number;
  bytesMade: number;
}

/** On the pool's clock, milliseconds. */
function askedAt({ deadline }: PendingQuestion): number {
  return deadline - lineLimits.questionTimeoutMs;
}

/** Whether somebody still waits for the answer. */
export function isWaiting(pending: PendingQuestion): boolean {
  return pending.take !== null;
}

/** Ends a pending question. One that has ended keeps its first end. */
export function settle(pending: PendingQuestion, answer: Answer, answerMs = 0): void {
  const { take } = pending;
  pending.take = null;
  const { parts } = pending;
  const isRest = parts !== undefined && answer.outcome === 'found';
  take?.(isRest ? { ...answer, data: freshOf(parts, answer.data) } : answer, answerMs);
}

/** Passes on a part of the answer. */
function settlePart({ take, parts }: PendingQuestion, { data }: AnswerPart): void {
  if (take === null || parts === undefined) return;
  const fresh = freshOf(parts, data);
  parts.bytes += fresh.length;
  if (fresh.length > 0) parts.take(fresh);
}

/**
 * The bytes that were not taken before. If a thread ends in the middle of an answer, another one makes the same answer
 * from its beginning, because a publication never changes.
 */
function freshOf(parts: PartsTaken, data: Uint8Array): Uint8Array {
  const known = Math.max(0, parts.bytes - parts.bytesMade);
  parts.bytesMade += data.length;
  return known === 0 ? data : data.subarray(known);
}

/** One object for each reason, so that refusing under load allocates nothing. */
export const unavailable = byKind(unavailabilities, (reason): Answer => ({ outcome: 'unavailable', reason }));

/** The connection to the thread. */
export type QuestionLine = Pick<AskingEnd, 'busy' | 'sendBatch' | 'compress'>;

/** Receives each question that a thread has answered. @param answerMs the time that the thread spent on it */
type SeeAnswered = (pending: PendingQuestion, answerMs: number) => void;

export interface InboxEvents {
  /** Null if nobody watches questions; threads then measure nothing. */
  readonly answered: SeeAnswered | null;
  /**
   * The thread has ended a slow question and may take another.
   * @param answerMs the time that it spent on it
   * @param isWhole false if it gave the question up, because of the time or a failure
   */
  slowAnswered(pending: PendingQuestion, answerMs: number, isWhole: boolean): void;
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
  readonly #line: QuestionLine;
  readonly #events: InboxEvents;
  /** Batches that miss some of their answers. */
  readonly #batches = new Map<number, Batch>();
  /** The batch that is being collected, and its text so far. */
  #open: Batch | null = null;
  #text = '';
  #quick = 0;
  #slow = 0;
  #expectedMs = 0;
  #heardSinceExpire = false;
  /** The last {@link expire} before which an answer had come. */
  #heardAt = Number.NEGATIVE_INFINITY;

  /** @param line whose answers come to {@link receive} */
  constructor(line: QuestionLine, events: InboxEvents) {
    this.#line = line;
    this.#events = events;
  }

  /** Unanswered questions by kind. Those whose caller has given up count too: they keep the thread busy. */
  get quick(): number {
    return this.#quick;
  }

  get slow(): number {
    return this.#slow;
  }

  /** Whether the thread should get a further slow question now, or rather one of another client later. */
  hasRoomFor({ expectedMs }: PendingQuestion): boolean {
    const { slowQuestionsInThreadMax, dearMs, dearMsInThreadMax } = threadLimits;
    const isDear = expectedMs > dearMs;
    return this.#slow < slowQuestionsInThreadMax && (!isDear || this.#expectedMs < dearMsInThreadMax);
  }

  /**
   * The thread's work, in look-ups: the unanswered questions of this front, or those of all fronts if there are more.
   */
  get work(): number {
    return Math.max(this.#quick + this.#slow * lineLimits.slowQuestionWork, this.#line.busy);
  }

  /** Adds a question to the batch of this tick. A full batch is sent at once. */
  put(pending: PendingQuestion, now: number): void {
    const { question } = pending;
    this.#count(pending, 1);
    if (question.kind === 'compress') {
      const batch = this.#begin(pending, now);
      batch.questions.push(pending);
      this.#line.compress(batch.id, question);
      return;
    }
    const batch = this.#openFor(pending, now);
    this.#text = joinQuestion(this.#text, question, pending.clientMs);
    if (batch.questions.push(pending) >= threadLimits.batchedQuestionsMax) this.send();
  }

  /** Sends the batch that is being collected. */
  send(): void {
    if (this.#open === null) return;
    this.#open = null;
    this.#line.sendBatch(this.#text);
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

  #count({ question, expectedMs }: PendingQuestion, by: 1 | -1): void {
    if (isSlow(question)) this.#slow += by;
    else this.#quick += by;
    this.#expectedMs += by * expectedMs;
  }

  /** Receives an answer of the thread. One that nobody waits for any more is dropped. */
  readonly receive: TakeAnswer = (batchId, position, answer, answerMs) => {
    const batch = this.#batches.get(batchId);
    const pending = batch?.questions[position];
    if (batch === undefined || pending === undefined) return;
    this.#heardSinceExpire = true;
    if (answer.outcome === 'part') {
      settlePart(pending, answer);
      return;
    }
    this.#count(pending, -1);
    batch.answered++;
    if (batch.answered >= batch.questions.length) this.#batches.delete(batchId);
    this.#events.answered?.(pending, answerMs);
    settle(pending, answer, answerMs);
    if (isSlow(pending.question))
      this.#events.slowAnswered(pending, answerMs, answer.outcome !== 'unavailable');
  };

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
