/**
 * The query threads as others see them: the questions of a front, from the main thread or from its own, and the calls of
 * the main thread. Questions and answers go through a line.
 */
import type { Answer, Question, TakePart } from '../protocol/questions.ts';
import type { CallFailure, CallReply, ThreadCall } from '../threads/calls.ts';
import type { AnswerNews, LineCommand, LineEnds, LineMemory } from './line.ts';

/** One question of one publication, and who takes its answer. */
export interface QuestionToAsk {
  readonly publicationId: string;
  readonly question: Question;
  /** Called exactly once, perhaps before `ask` returns; it must not throw. */
  readonly take: TakeQuestionAnswer;
  /** The client. Searches and other slow questions are served in turns by client. */
  readonly clientId?: string;
  /** Called when the turn comes; true if the answer would be refused, so that the question is not asked. */
  readonly isOutdated?: (() => boolean) | undefined;
  /**
   * Called with the parts of an answer that comes in parts, in order; `take` then receives the rest, or why nothing more
   * comes.
   */
  readonly takePart?: TakePart | undefined;
}

/**
 * Reads an answer, as a {@link ReadAnswer} does.
 * @param answerMs what the query thread spent on it; 0 if none did, or if threads measure nothing
 */
export type TakeQuestionAnswer = (answer: Answer, answerMs?: number) => void;

export interface QueryPool {
  /** Asks a question. Every failure is an answer. Questions of one tick travel together. */
  ask(asked: QuestionToAsk): void;
  /**
   * Whether questions of a client that are only of use together can be answered in time. If not, ask none of them: the
   * work on those that are in time would be lost.
   */
  hasTimeFor(questions: readonly Question[], clientId: string): boolean;
}

/** The calls of the main thread. Each about a publication names its id. */
export interface QueryCalls {
  /** Answers the questions of this line. The first call. A `timed` thread measures how long each answer takes. */
  listen(memory: LineMemory, timed: boolean): void;
  /** Answers a further front thread from now on. */
  join(front: number, line: LineEnds): void;
  /** Forgets a front thread that has ended. */
  leave(front: number): void;
  /** Opens a sealed publication and warms it. Null on success; otherwise why not. */
  open(id: string): CallFailure;
  close(id: string): void;
  /** Closes everything and ends. */
  end(): void;
}

/** The news of a query thread. */
export interface QueryNews {
  /** Bytes of this publication are not the written ones. The question that met them was answered as failed. */
  damaged(id: string, message: string, path: string): void;
  /**
   * An error prevented the answer to a question, of a caller or of practice: a bug, or bytes of the publication that are
   * read without a check and are not the written ones.
   */
  fault(bug: QuestionFault): void;
}

interface QuestionFault {
  /** The publication that was asked; null if none was. */
  readonly publication: string | null;
  readonly question: string;
  readonly message: string;
  readonly stack: string;
}

export type ToQueryThread = ThreadCall<QueryCalls> | LineCommand;
export type FromQueryThread = CallReply<QueryCalls> | ThreadCall<QueryNews> | AnswerNews;
