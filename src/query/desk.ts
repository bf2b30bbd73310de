/**
 * Queues the questions that a query thread has taken and not answered yet. Look-ups take microseconds, searches up to
 * milliseconds. The thread answers quick questions first and looks for new quick ones between two slow ones. Every
 * round answers one slow question, so that none waits for ever.
 */
import type { AnswerAddress } from '../protocol/answer-record.ts';
import { isSlow, type QuestionBatch, type TextQuestion } from '../protocol/questions.ts';

/** @template Line identifies the front to answer */
export interface Taken<Line> extends AnswerAddress {
  readonly line: Line;
  readonly publicationId: string;
  readonly question: TextQuestion;
  /** On the thread's clock, milliseconds. */
  readonly takenAt: number;
}

export class Desk<Line> {
  #quick: Taken<Line>[] = [];
  #slow: Taken<Line>[] = [];
  #publicationId: string | null = null;

  /** The publication of the last question; null before the first. */
  get publicationId(): string | null {
    return this.#publicationId;
  }

  take({ batch, publicationId, questions }: QuestionBatch, takenAt: number, line: Line): void {
    this.#publicationId = publicationId;
    questions.forEach((question, position) => {
      (isSlow(question) ? this.#slow : this.#quick).push({
        line,
        batch,
        position,
        publicationId,
        question,
        takenAt,
      });
    });
  }

  /** The quick questions that have waited longest. */
  takeQuick(most: number): readonly Taken<Line>[] {
    if (this.#quick.length > most) return this.#quick.splice(0, most);
    const quick = this.#quick;
    if (quick.length > 0) this.#quick = [];
    return quick;
  }

  get quick(): number {
    return this.#quick.length;
  }

  get slow(): number {
    return this.#slow.length;
  }

  /** Forgets the questions of a line whose front has ended. */
  drop(line: Line): void {
    this.#quick = this.#quick.filter((taken) => taken.line !== line);
    this.#slow = this.#slow.filter((taken) => taken.line !== line);
  }

  /** The slow question that has waited longest. A thread's queue is bounded, so `shift` is cheap. */
  nextSlow(): Taken<Line> | null {
    return this.#slow.shift() ?? null;
  }
}
