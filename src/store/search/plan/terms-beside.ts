/** Finds the terms of the few companies that have some words of a question. */
import type { IndexParts } from '../parts.ts';
import type { Union } from '../sets/document-list.ts';

/** The terms of the companies that have all these words; null if there are none, or more than `most`. */
export function termsBeside(
  { sets }: IndexParts,
  words: readonly Union[],
  most: number,
): ReadonlySet<number> | null {
  if (words.length === 0) return null;
  const { documents, total } = sets.intersect(words, 0, most, most + 1);
  if (total === 0 || total > most) return null;
  return new Set(Array.from(documents).flatMap((document) => sets.termsOf(document)));
}
