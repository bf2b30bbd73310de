/** Reports answered questions to the observer. */
import type { Observer } from '../../ports/observer.ts';
import type { SeeAnswered } from './inbox.ts';
import { askedAt } from './pending-question.ts';

/** @returns null if nobody watches: threads then measure nothing */
export function questionWatch(observer: Observer, now: () => number): SeeAnswered | null {
  if (!observer.watchesQuestions) return null;
  return (pending, answerMs) => {
    const waitMs = Math.max(0, now() - askedAt(pending) - answerMs);
    observer.question({ kind: pending.question.kind, waitMs, answerMs });
  };
}
