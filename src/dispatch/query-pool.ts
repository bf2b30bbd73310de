/** The query threads as a front sees them, from the main thread or from its own. */
import type { Answer, Question } from '../protocol/questions.ts';

/** One question of one publication, and who takes its answer. */
export interface QuestionToAsk {
  readonly publicationId: string;
  readonly question: Question;
  /**
   * Called exactly once, perhaps before `ask` returns; it must not throw. The answer is valid only while it runs.
   * `answerMs` is the time that the query thread spent on it: 0 if none did, or if nobody watches questions.
   */
  readonly take: (answer: Answer, answerMs?: number) => void;
  /** The client. Searches and other slow questions are served in turns by client. */
  readonly clientId?: string;
  /** Called when the turn comes; true if the answer would be refused, so that the question is not asked. */
  readonly isOutdated?: (() => boolean) | undefined;
  /**
   * Called with the parts of an answer that comes in parts, in order, each valid only while it runs; `take` then receives
   * the rest, or why nothing more comes.
   */
  readonly takePart?: ((data: Uint8Array) => void) | undefined;
}

export interface QueryPool {
  /** Asks a question. Every failure is an answer. Questions of one tick travel together. */
  ask(asked: QuestionToAsk): void;
  /**
   * Whether questions of a client that are only of use together can be answered in time. If not, ask none of them: the
   * work on those that are in time would be lost.
   */
  hasTimeFor(questions: readonly Question[], clientId: string): boolean;
}
