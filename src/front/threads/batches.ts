/** The questions one thread has: gathered into batches, sent once a tick, ended by answers or deadlines. */
import { encodeQuestion, joinPart, openQuestions } from '../../protocol/batch.ts';
import type { Answer } from '../../protocol/questions.ts';
import { type PendingQuestion, settle, unavailability } from './pending-question.ts';

/** Questions that travel together, and what of them is still to come. */
interface Batch {
  readonly id: number;
  readonly publicationId: string;
  readonly questions: PendingQuestion[];
  readonly createdAt: number;
  text: string;
  answered: number;
}

/** Batch numbers are used once per process, so that a late answer can't be taken for another. */
let lastBatchId = 0;

export class Batches {
  readonly #batches = new Map<number, Batch>();
  #open: Batch | null = null;
  #unsent: Batch[] = [];
  #owed = 0;

  /** Questions whose answers have not come, though nobody may wait for them: what keeps the thread busy. */
  get owed(): number {
    return this.#owed;
  }

  /** Puts a question into the batch of this tick. @returns how many the batch now holds */
  collect(pending: PendingQuestion, now: number): number {
    this.#owed++;
    // A body to compress is large and slow: it travels alone, so that the others of its tick don't wait for it.
    const batch =
      pending.question.kind === 'compress' ? this.#add(pending, now) : this.#openFor(pending, now);
    batch.text = joinPart(batch.text, encodeQuestion(pending.question));
    return batch.questions.push(pending);
  }

  #openFor(pending: PendingQuestion, now: number): Batch {
    if (this.#open?.publicationId !== pending.publicationId) this.#open = null;
    this.#open ??= this.#add(pending, now);
    return this.#open;
  }

  #add({ publicationId }: PendingQuestion, now: number): Batch {
    const id = ++lastBatchId;
    const text = openQuestions(id, publicationId);
    const batch: Batch = { id, publicationId, questions: [], createdAt: now, text, answered: 0 };
    this.#batches.set(id, batch);
    this.#unsent.push(batch);
    return batch;
  }

  /** The messages of this tick. */
  takeUnsent(): readonly string[] {
    const messages = this.#unsent.map((batch) => batch.text);
    for (const batch of this.#unsent) batch.text = '';
    this.#unsent = [];
    this.#open = null;
    return messages;
  }

  /** Takes answers to neighbouring questions of a batch. Those that nobody waits for any more are dropped. */
  answer(batchId: number, start: number, answers: readonly Answer[]): void {
    const batch = this.#batches.get(batchId);
    if (batch === undefined) return;
    for (let index = 0; index < answers.length; index++) {
      const pending = batch.questions[start + index];
      const answer = answers[index];
      if (pending !== undefined && answer !== undefined) settle(pending, answer);
    }
    this.#owed -= answers.length;
    batch.answered += answers.length;
    if (batch.answered >= batch.questions.length) this.#batches.delete(batchId);
  }

  /** Ends the questions past their deadline, and tells how long the oldest batch has been under way. */
  sweep(now: number): number {
    let oldestMs = 0;
    for (const batch of this.#batches.values()) {
      for (const pending of batch.questions) {
        if (pending.deadline <= now) settle(pending, unavailability('timeout'));
      }
      oldestMs = Math.max(oldestMs, now - batch.createdAt);
    }
    return oldestMs;
  }

  isAsked(publicationId: string): boolean {
    for (const batch of this.#batches.values()) {
      if (batch.publicationId === publicationId && batch.questions.some(isWaiting)) return true;
    }
    return false;
  }

  /** Forgets everything; the questions that somebody still waits for. */
  abandon(): readonly PendingQuestion[] {
    const orphans = [...this.#batches.values()].flatMap((batch) => batch.questions).filter(isWaiting);
    this.#batches.clear();
    this.#unsent = [];
    this.#open = null;
    this.#owed = 0;
    return orphans;
  }
}

function isWaiting(pending: PendingQuestion): boolean {
  return pending.resolve !== null;
}
