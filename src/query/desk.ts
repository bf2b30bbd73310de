/**
 * The questions a query thread has taken and not answered yet. Look-ups of identifiers take microseconds, searches up
 * to milliseconds: those that are quick are answered first, and between two slow ones the thread looks for new
 * quick ones. Every round answers a slow one, so none waits for ever.
 */
import type { AnswerAddress } from '../protocol/answer-record.ts';
import type { QuestionBatch } from '../protocol/question-batch.ts';
import { isSlow, type TextQuestion } from '../protocol/questions.ts';

export interface Taken extends AnswerAddress {
  readonly publicationId: string;
  readonly question: TextQuestion;
  /** On the thread's clock, milliseconds. */
  readonly takenAt: number;
}

export class Desk {
  #quick: Taken[] = [];
  readonly #slow: Taken[] = [];
  #publicationId: string | null = null;

  /** The publication that was asked last; null before the first question. */
  get publicationId(): string | null {
    return this.#publicationId;
  }

  take({ batch, publicationId, questions }: QuestionBatch, takenAt: number): void {
    this.#publicationId = publicationId;
    questions.forEach((question, position) => {
      (isSlow(question) ? this.#slow : this.#quick).push({
        batch,
        position,
        publicationId,
        question,
        takenAt,
      });
    });
  }

  /** Those quick ones that have waited longest. */
  takeQuick(most: number): readonly Taken[] {
    if (this.#quick.length > most) return this.#quick.splice(0, most);
    const quick = this.#quick;
    if (quick.length > 0) this.#quick = [];
    return quick;
  }

  get hasQuick(): boolean {
    return this.#quick.length > 0;
  }

  /** The slow one that has waited longest. At most as many wait as a thread's queue may hold, so moving them is cheap. */
  nextSlow(): Taken | null {
    return this.#slow.shift() ?? null;
  }
}
