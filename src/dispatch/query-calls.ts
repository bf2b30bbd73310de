/** The calls between the main thread and a query thread. Questions and answers go through their line. */
import type { CallFailure, CallReply, ThreadCall } from '../threads/calls.ts';
import type { AnswerNews, LineCommand, LineEnds, LineMemory } from './line.ts';

/** The calls of the main thread. Each about a publication names its id. */
export interface QueryCalls {
  /** Answers what comes through this line. The first call. A `timed` thread measures how long each answer takes. */
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
  damaged(id: string, message: string): void;
  /** A bug prevented the answer to a question, of a caller or of practice. */
  fault(bug: QuestionFault): void;
}

interface QuestionFault {
  readonly question: string;
  readonly message: string;
  readonly stack: string;
}

export type ToQueryThread = ThreadCall<QueryCalls> | LineCommand;
export type FromQueryThread = CallReply<QueryCalls> | ThreadCall<QueryNews> | AnswerNews;
