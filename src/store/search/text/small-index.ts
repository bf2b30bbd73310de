/** Searches a list of a few thousand short texts by words: all must be there, folded as in names, in any order. */
import { Index } from 'flexsearch';
import { foldedWords } from '../../../lei/names/fold.ts';

/** @returns a function that gives the places of the texts which have all words of a text */
export function smallIndex(texts: readonly string[]): (text: string) => ReadonlySet<number> {
  const index = new Index({ tokenize: 'strict', resolution: 1, encode: foldedWords });
  for (const [place, text] of texts.entries()) index.add(place, text);
  return (text) => new Set(index.search(text, { limit: texts.length }).map(Number));
}
