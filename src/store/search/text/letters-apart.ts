/** Finds the initials of a question that were typed one by one. */
import { foldedCharacters } from '../../../lei/names/fold.ts';

/** "S C trade", "S C C trade": two or three single letters without dots, folded and joined. */
export function lettersApart(q: string): ReadonlySet<string> {
  if (!mayBeApart.test(q)) return none;
  const found = foldedCharacters(q).matchAll(/(?<![\p{L}\p{N}])\p{L}(?:\s+\p{L}){1,2}(?![\p{L}\p{N}.])/gu);
  return new Set(Array.from(found, ([letters]) => letters.replaceAll(/\s+/g, '')));
}

/** Hardly any question has single letters; others need not be folded. */
const mayBeApart = /(?:^|\W)\S\s+\S(?:\W|$)/;
const none: ReadonlySet<string> = new Set();
