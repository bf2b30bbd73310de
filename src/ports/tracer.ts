/** Tracer: the port that receives the details of sampled requests. */
import type { Question } from '../protocol/questions.ts';
import type { RequestSeen } from './observer.ts';

/** The trace of one request. Times are milliseconds on the clock of `performance.now()`. */
export interface RequestTrace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /**
   * A question of the request was answered.
   * @param answerMs what the query thread spent on it; 0 if none did
   */
  question(kind: Question['kind'], askedAt: number, answeredAt: number, answerMs: number): void;
  /** The response is made. */
  end(seen: RequestSeen): void;
}

export interface Tracer {
  /** @returns null if the request is not sampled */
  begin(request: Request, startedAt: number): RequestTrace | null;
  /** Sends what is still unsent. Never rejects. */
  stop(): Promise<void>;
}
