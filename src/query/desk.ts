/**
 * Queues the questions that a query thread has taken and not answered yet. Look-ups take microseconds, other questions
 * up to tens of milliseconds, and those are answered in turns of a few steps. The thread answers quick questions first
 * and looks for new ones between two turns.
 *
 * A turn belongs to the question whose client has cost least lately, this question included, so that whoever asks a
 * little need not wait for those who ask a lot. After some such turns the question that has waited longest has one, so
 * that none waits for ever.
 */
import type { AnswerAddress } from '../dispatch/answer-record.ts';
import { type Answer, isSlow, type QuestionBatch, type TextQuestion } from '../protocol/questions.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import type { Steps } from '../store/steps.ts';
import { queryLimits } from './limits.ts';

/** @template Line identifies the front to answer */
export interface TakenQuestion<Line> extends AnswerAddress {
  readonly line: Line;
  readonly publicationId: string;
  readonly question: TextQuestion;
  /** On the thread's clock, milliseconds. */
  readonly takenAt: number;
}

/** A slow question. */
export interface SlowQuestion<Line> extends TakenQuestion<Line> {
  /** The cost of the client's questions when it was sent, in milliseconds of a query thread. */
  readonly clientMs: number;
  /** The cost of this one so far. */
  spentMs: number;
  /** Null before its first turn. */
  begun: BegunAnswer | null;
}

interface BegunAnswer {
  readonly publication: PublicationReader;
  readonly steps: Steps<Answer>;
}

export class Desk<Line> {
  #quick: TakenQuestion<Line>[] = [];
  /** In order of arrival. */
  #slow: SlowQuestion<Line>[] = [];
  #publicationId: string | null = null;
  #turnsByCostInRow = 0;

  /** The publication of the last question; null before the first. */
  get publicationId(): string | null {
    return this.#publicationId;
  }

  take({ batch, publicationId, questions, clientMs }: QuestionBatch, takenAt: number, line: Line): void {
    this.#publicationId = publicationId;
    questions.forEach((question, position) => {
      const taken = { line, batch, position, publicationId, question, takenAt };
      if (!isSlow(question)) this.#quick.push(taken);
      else this.#slow.push({ ...taken, clientMs: clientMs[position] ?? 0, spentMs: 0, begun: null });
    });
  }

  /** The quick questions that have waited longest. */
  takeQuick(most: number): readonly TakenQuestion<Line>[] {
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

  /** The slow question whose turn it is. It stays until it is {@link finish finished}. */
  nextTurn(): SlowQuestion<Line> | null {
    const [oldest] = this.#slow;
    if (oldest === undefined) return null;
    this.#turnsByCostInRow++;
    if (this.#turnsByCostInRow <= queryLimits.turnsByCostInRowMax) {
      // A front sends few at a time, so looking at all of them is cheap.
      return this.#slow.reduce((least, each) => (costOf(each) < costOf(least) ? each : least));
    }
    this.#turnsByCostInRow = 0;
    return oldest;
  }

  finish(turning: SlowQuestion<Line>): void {
    this.#slow.splice(this.#slow.indexOf(turning), 1);
  }
}

function costOf({ clientMs, spentMs }: Pick<SlowQuestion<unknown>, 'clientMs' | 'spentMs'>): number {
  return clientMs + spentMs;
}
