/**
 * The questions that a query thread has taken and not answered yet. Look-ups take microseconds, searches up to
 * milliseconds. The thread answers quick questions first and looks for new quick ones between two slow ones. Every
 * round answers one slow question, so none waits for ever.
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

  /** The publication of the last question; null before the first. */
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

  /** The quick questions that have waited longest. */
  takeQuick(most: number): readonly Taken[] {
    if (this.#quick.length > most) return this.#quick.splice(0, most);
    const quick = this.#quick;
    if (quick.length > 0) this.#quick = [];
    return quick;
  }

  get hasQuick(): boolean {
    return this.#quick.length > 0;
  }

  /** The slow question that has waited longest. A thread's queue is bounded, so `shift` is cheap. */
  nextSlow(): Taken | null {
    return this.#slow.shift() ?? null;
  }
}
