/** Shapes that several answers share. */
import type { TextAnswer } from '../protocol/batch.ts';
import type { JsonBytes } from '../protocol/json-bytes.ts';
import { type Octets, octetsOf } from '../protocol/octets.ts';
import type { Notices } from '../protocol/questions.ts';

export const noNotices: Notices = { bic: false, mic: false, gem: false };
export const notFound: TextAnswer = { outcome: 'not-found' };

/** @param data JSON text */
export function found(data: string, notices: Notices = noNotices, next: string | null = null): TextAnswer {
  return foundOctets(octetsOf(data), notices, next);
}

/** @param out the answer's JSON; it may be used again once the answer has left the thread */
export function foundBytes(
  out: JsonBytes,
  notices: Notices = noNotices,
  next: string | null = null,
): TextAnswer {
  return foundOctets(out.octets(), notices, next);
}

export function foundOctets(data: Octets, notices: Notices, next: string | null = null): TextAnswer {
  return { outcome: 'found', data, next, notices };
}

/** JSON text of a string, or `null`. */
export function textOrNull(value: string | null): string {
  return value === null ? 'null' : JSON.stringify(value);
}
