/** A question under way. It ends in one of three ways: an answer, its deadline, or the death of its thread. */
import { lineLimits } from '../../protocol/limits.ts';
import type { Answer, Question, Unavailability } from '../../protocol/questions.ts';

/** @param answerMs what the query thread spent on the answer; 0 where none did, or where threads measure nothing */
type TakeQuestionAnswer = (answer: Answer, answerMs?: number) => void;

export interface PendingQuestion {
  readonly publicationId: string;
  readonly question: Question;
  /** Who asks: slow questions take turns by client. */
  readonly clientId: string;
  /** Whether the answer would be refused by now. */
  readonly isOutdated?: (() => boolean) | undefined;
  /** On the pool's clock, milliseconds. */
  readonly deadline: number;
  /** How many threads have died with it. */
  deaths: number;
  /** Null once it has ended. */
  take: TakeQuestionAnswer | null;
}

/** On the pool's clock, milliseconds. */
export function askedAt({ deadline }: PendingQuestion): number {
  return deadline - lineLimits.questionTimeoutMs;
}

/** Whether somebody still waits for the answer. */
export function isWaiting(pending: PendingQuestion): boolean {
  return pending.take !== null;
}

/** Ends a pending question. One that has ended keeps its first end. */
export function settle(pending: PendingQuestion, answer: Answer, answerMs = 0): void {
  const { take } = pending;
  pending.take = null;
  take?.(answer, answerMs);
}

/** One object for each reason, so that refusing under load makes none. */
const unavailable: Record<Unavailability, Answer> = {
  'no-publication': { outcome: 'unavailable', reason: 'no-publication' },
  'publication-gone': { outcome: 'unavailable', reason: 'publication-gone' },
  'queue-full': { outcome: 'unavailable', reason: 'queue-full' },
  timeout: { outcome: 'unavailable', reason: 'timeout' },
  'shutting-down': { outcome: 'unavailable', reason: 'shutting-down' },
  failed: { outcome: 'unavailable', reason: 'failed' },
};

export function unavailability(reason: Unavailability): Answer {
  return unavailable[reason];
}
