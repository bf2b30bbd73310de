/** A question in flight. It ends in one of three ways: an answer, its deadline, or the end of its thread. */
import { byKind } from '../../lei/identifier-kinds.ts';
import { lineLimits } from '../../protocol/limits.ts';
import { type Answer, type AnswerPart, type Question, unavailabilities } from '../../protocol/questions.ts';

/** @param answerMs what the query thread spent on the answer; 0 if none did, or if threads measure nothing */
type TakeQuestionAnswer = (answer: Answer, answerMs?: number) => void;

export interface PendingQuestion {
  readonly publicationId: string;
  readonly question: Question;
  /** The client: slow questions are served in turns by client. */
  readonly clientId: string;
  /** Whether the answer would be refused by now. */
  readonly isOutdated?: (() => boolean) | undefined;
  /** On the pool's clock, milliseconds. */
  readonly deadline: number;
  /** How many threads have ended with it. */
  deaths: number;
  /** Null once it has ended. */
  take: TakeQuestionAnswer | null;
  /** Absent if the answer comes in one piece. */
  readonly parts?: PartsTaken | undefined;
}

interface PartsTaken {
  /** Takes the next bytes of a found answer, valid only during the call. */
  readonly take: (data: Uint8Array) => void;
  /** Bytes of the parts that were taken, and of those that the last asked thread has made. */
  bytes: number;
  bytesMade: number;
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
  const { parts } = pending;
  const isRest = parts !== undefined && answer.outcome === 'found';
  take?.(isRest ? { ...answer, data: freshOf(parts, answer.data) } : answer, answerMs);
}

/** Passes on a part of the answer. */
export function settlePart({ take, parts }: PendingQuestion, { data }: AnswerPart): void {
  if (take === null || parts === undefined) return;
  const fresh = freshOf(parts, data);
  parts.bytes += fresh.length;
  if (fresh.length > 0) parts.take(fresh);
}

/**
 * The bytes that were not taken before. If a thread ends in the middle of an answer, another one makes the same answer
 * from its beginning, because a publication never changes.
 */
function freshOf(parts: PartsTaken, data: Uint8Array): Uint8Array {
  const known = Math.max(0, parts.bytes - parts.bytesMade);
  parts.bytesMade += data.length;
  return known === 0 ? data : data.subarray(known);
}

/** One object for each reason, so that refusing under load allocates nothing. */
export const unavailable = byKind(unavailabilities, (reason): Answer => ({ outcome: 'unavailable', reason }));
