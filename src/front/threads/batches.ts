/** The questions one thread has: gathered into batches, sent once a tick, ended by answers or deadlines. */
import { limits } from '../../config.ts';
import { joinQuestion, openBatch } from '../../protocol/question-batch.ts';
import { type Answer, type CompressQuestion, isSlow, type Question } from '../../protocol/questions.ts';
import { type PendingQuestion, settle, unavailability } from './pending-question.ts';

/** Questions that travel together as text, or the one question that asks nothing of a publication. */
export type Outgoing = string | { readonly batch: number; readonly question: CompressQuestion };

/** Questions under way, and what of them is still to come. */
interface Batch {
  readonly id: number;
  readonly publicationId: string;
  readonly questions: PendingQuestion[];
  readonly createdAt: number;
  answered: number;
}

/** Batch numbers go round at 2³², so that a late answer can't be taken for another. */
let lastBatchId = 0;

export class Batches {
  readonly #batches = new Map<number, Batch>();
  /** The batch that is being collected, and its text so far. */
  #open: Batch | null = null;
  #text = '';
  #unsent: Outgoing[] = [];
  /** Questions whose answers have not come, though nobody may wait for them: what keeps the thread busy. */
  #quick = 0;
  #slow = 0;
  /** Whether an answer has come since the last sweep, and the time of the last sweep before which one had. */
  #heard = false;
  #heardAt = Number.NEGATIVE_INFINITY;

  /** All of them, in look-ups. */
  get owed(): number {
    return this.#quick + this.#slow * limits.slowQuestionWork;
  }

  /** Quick ones are answered first, so that slow ones never take their room. */
  hasRoomFor(question: Question): boolean {
    return isSlow(question)
      ? this.#slow < limits.queuedSlowQuestionsPerThreadMax
      : this.#quick < limits.queuedQuickQuestionsPerThreadMax;
  }

  /** Puts a question into the batch of this tick. @returns how many the batch now holds */
  collect(pending: PendingQuestion, now: number): number {
    const { question } = pending;
    this.#count(question, 1);
    if (question.kind === 'compress') {
      const batch = this.#add(pending, now);
      this.#unsent.push({ batch: batch.id, question });
      return batch.questions.push(pending);
    }
    const batch = this.#openFor(pending, now);
    this.#text = joinQuestion(this.#text, question);
    return batch.questions.push(pending);
  }

  #openFor(pending: PendingQuestion, now: number): Batch {
    if (this.#open !== null && this.#open.publicationId === pending.publicationId) return this.#open;
    this.#seal();
    const batch = this.#add(pending, now);
    this.#open = batch;
    this.#text = openBatch(batch.id, batch.publicationId);
    return batch;
  }

  #add({ publicationId }: PendingQuestion, now: number): Batch {
    lastBatchId = (lastBatchId + 1) | 0;
    const id = lastBatchId;
    const batch: Batch = { id, publicationId, questions: [], createdAt: now, answered: 0 };
    this.#batches.set(id, batch);
    return batch;
  }

  #count(question: Question, by: 1 | -1): void {
    if (isSlow(question)) this.#slow += by;
    else this.#quick += by;
  }

  /** Puts the batch that is being collected among those to send. */
  #seal(): void {
    if (this.#open !== null) this.#unsent.push(this.#text);
    this.#open = null;
  }

  /** What is to be sent now. */
  takeUnsent(): readonly Outgoing[] {
    this.#seal();
    const unsent = this.#unsent;
    this.#unsent = [];
    return unsent;
  }

  /** Takes an answer. One that nobody waits for any more is dropped. */
  answer(batchId: number, position: number, answer: Answer): void {
    const batch = this.#batches.get(batchId);
    const pending = batch?.questions[position];
    if (batch === undefined || pending === undefined) return;
    this.#count(pending.question, -1);
    this.#heard = true;
    batch.answered++;
    if (batch.answered >= batch.questions.length) this.#batches.delete(batchId);
    settle(pending, answer);
  }

  /** Ends the questions past their deadline, and tells for how long the thread has owed answers and given none. */
  sweep(now: number): number {
    if (this.#heard) this.#heardAt = now;
    this.#heard = false;
    let oldestMs = 0;
    for (const batch of this.#batches.values()) {
      for (const pending of batch.questions) {
        if (pending.deadline <= now) settle(pending, unavailability('timeout'));
      }
      oldestMs = Math.max(oldestMs, now - batch.createdAt);
    }
    return Math.min(oldestMs, now - this.#heardAt);
  }

  isAsked(publicationId: string): boolean {
    for (const batch of this.#batches.values()) {
      if (batch.publicationId === publicationId && batch.questions.some(isWaiting)) return true;
    }
    return false;
  }

  /** The questions that somebody still waits for. */
  waiting(): readonly PendingQuestion[] {
    return [...this.#batches.values()].flatMap((batch) => batch.questions).filter(isWaiting);
  }
}

function isWaiting(pending: PendingQuestion): boolean {
  return pending.take !== null;
}
