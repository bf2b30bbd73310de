/** Cards: two bytes per document about its legal name, all in memory, to score very many documents coarsely. */
import { cardsPerChunk, type SearchTables } from '../format.ts';

/** Unit of a card's weight, chosen so that the weights of twenty rare words fit a byte. */
export const cardWeightUnit = 16;

/** The card's byte about its first term, 1 to 255. @param hash of the term's text */
export function cardHash(hash: number): number {
  return 1 + (hash % 255);
}

/** The weight on a card. @param weight sum of the weights of its terms */
export function cardWeight(weight: number): number {
  return Math.min(255, Math.round(weight / cardWeightUnit));
}

/** The cards by document: the weight in the low byte, the hash of the first term in the high byte. */
export type Cards = () => Uint16Array;

/**
 * Reads all cards when the first question needs them, and keeps them. A question for common words needs thousands of
 * cards from all rows, so each such question would copy every row.
 */
export function openCards(tables: SearchTables, places: number): Cards {
  let all: Uint16Array | null = null;
  return () => {
    all ??= readCards(tables, places);
    return all;
  };
}

function readCards(tables: SearchTables, places: number): Uint16Array {
  const all = new Uint16Array(places);
  const bytes = new Uint8Array(all.buffer);
  for (let chunk = 0; chunk * cardsPerChunk < places; chunk++) {
    const row = tables.cards.getBinaryFast(chunk);
    if (row === undefined) throw new Error(`The search index has no cards ${chunk}.`);
    // Cut lmdb's buffer to the row.
    bytes.set(row.subarray(0, row.length), chunk * cardsPerChunk * 2);
  }
  return all;
}
