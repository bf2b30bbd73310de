/** Defines shapes that several answers share. */
import { type Notices, noNotices } from '../lei/notices.ts';
import { JsonBytes } from '../protocol/json-bytes.ts';
import type { Answer } from '../protocol/questions.ts';

export const notFound: Answer = { outcome: 'not-found' };

/** Shared by all answers: each leaves the thread before the next is made. */
export const out = new JsonBytes();

/** @param json the answer's JSON; its memory may be reused once the answer has left the thread */
export function found(json: JsonBytes, notices: Notices = noNotices, next: string | null = null): Answer {
  return { outcome: 'found', data: json.bytes(), next, notices };
}

/** JSON text of a string, or `null`. */
export function textOrNull(value: string | null): string {
  return value === null ? 'null' : JSON.stringify(value);
}
