/** Tracer: the port that single requests are told to in detail, for those of them that are sampled. */
import type { Question } from '../protocol/questions.ts';
import type { RequestSeen } from './observer.ts';

/** The trace of one request. Times are milliseconds on the clock of `performance.now()`. */
export interface RequestTrace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /**
   * A question of the request was answered.
   * @param answerMs what the query thread spent on it; 0 where none did
   */
  question(kind: Question['kind'], askedAt: number, answeredAt: number, answerMs: number): void;
  /** The response is made. */
  end(seen: RequestSeen): void;
}

export interface Tracer {
  /** @returns null where the request is not sampled */
  begin(request: Request, startedAt: number): RequestTrace | null;
  /** Sends what is not sent yet. Never rejects. */
  stop(): Promise<void>;
}
