/** Cards: two bytes a document about its legal name, all in memory, to score very many documents coarsely. */
import { cardsPerChunk, type SearchTables } from '../format.ts';

/** Unit of a card's weight: with it the weights of twenty rare words fit a byte. */
export const cardWeightUnit = 16;

/** The hash of a term on a card, 1 to 255. */
export function cardHash(id: number): number {
  return 1 + ((Math.imul(id, 0x9e3779b1) >>> 24) % 255);
}

/** The cards by document: the weight in the low byte, the hash of the first term in the high one. */
export type Cards = () => Uint16Array;

/**
 * Reads all cards when the first question needs them, and keeps them. A question for common words needs thousands of
 * cards from all rows, so each such question would copy every row.
 */
export function openCards(tables: SearchTables, documents: number): Cards {
  let all: Uint16Array | null = null;
  return () => {
    all ??= readCards(tables, documents);
    return all;
  };
}

function readCards(tables: SearchTables, documents: number): Uint16Array {
  const all = new Uint16Array(documents);
  const bytes = new Uint8Array(all.buffer);
  for (let chunk = 0; chunk * cardsPerChunk < documents; chunk++) {
    const row = tables.cards.getBinaryFast(chunk);
    if (row === undefined) throw new Error(`The search index has no cards ${chunk}.`);
    // lmdb's buffer is longer than the row.
    bytes.set(row.subarray(0, row.length), chunk * cardsPerChunk * 2);
  }
  return all;
}
