/** Finds the words of a question that may be abbreviated. */
import { foldedCharacters } from '../../../lei/names/fold.ts';

/** "glob. trading": words of three letters or more with a dot behind, folded. Shorter ones are initials; "larkmoor.com" is a domain. */
export function wordsWithDot(q: string): ReadonlySet<string> {
  if (!q.includes('.')) return none;
  return new Set(Array.from(foldedCharacters(q).matchAll(/\p{L}{3,}(?=\.(?:\P{L}|$))/gu), ([word]) => word));
}

const none: ReadonlySet<string> = new Set();
