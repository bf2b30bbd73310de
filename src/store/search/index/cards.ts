/** Cards: two bytes per document about its legal name, all in memory, to score very many documents coarsely. */
import { uint24At } from '../../../bytes/numbers-in-bytes.ts';
import type { IndexShape, SearchTables } from '../format.ts';
import { readColumn } from './column.ts';

/** Unit of a card's weight, chosen so that the weights of twenty rare words fit a byte. */
export const cardWeightUnit = 16;

/** The card's byte about its first term, 1 to 255. @param hash of the term's text */
export function cardHash(hash: number): number {
  return 1 + (hash % 255);
}

/**
 * The weight on the card of a document: that of the legal name's core. Each term counts once, because a question for
 * "Taylor" has all of Taylor & Taylor.
 * @param names a chunk of names, in which the document begins at `start`
 * @param weights of all terms
 */
export function cardWeight(
  names: Uint8Array,
  start: number,
  { formsFrom, formsTo }: Pick<IndexShape, 'formsFrom' | 'formsTo'>,
  weights: Uint8Array,
): number {
  if (names[start + 4] === 0) return 0;
  const from = start + 7;
  const end = from + (names[start + 6] ?? 0) * 3;
  let weight = 0;
  for (let at = from; at < end; at += 3) {
    const id = uint24At(names, at);
    if ((id >= formsFrom && id < formsTo) || standsBefore(names, from, at, id)) continue;
    weight += weights[id] ?? 0;
  }
  return Math.min(255, Math.round(weight / cardWeightUnit));
}

/** Whether a name has the same term earlier. Names are short, so it reads the name again for each term. */
function standsBefore(names: Uint8Array, from: number, at: number, id: number): boolean {
  for (let before = from; before < at; before += 3) if (uint24At(names, before) === id) return true;
  return false;
}

/** The cards by document: the weight in the low byte, the hash of the first term in the high byte. */
export type Cards = () => Uint16Array;

/**
 * Reads all cards when the first question needs them, and keeps them. A question for common words needs thousands of
 * cards from all rows, so each such question would copy every row.
 */
export function openCards({ cards }: Pick<SearchTables, 'cards'>, places: number): Cards {
  let all: Uint16Array | null = null;
  return () => {
    all ??= new Uint16Array(readColumn(cards, places * 2, 'cards').buffer);
    return all;
  };
}
