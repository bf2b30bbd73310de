/**
 * Keeps the weights of terms in memory: how much each says about a company, by how few have it (inverse document
 * frequency).
 */
import { type IndexShape, type SearchTables, weightsPerChunk } from '../format.ts';

/** One byte a term. */
export function readWeights(
  tables: Pick<SearchTables, 'weights'>,
  { terms, newTerms }: Pick<IndexShape, 'terms' | 'newTerms'>,
): Uint8Array {
  const all = new Uint8Array(terms + newTerms);
  for (let chunk = 0; chunk * weightsPerChunk < all.length; chunk++) {
    const row = tables.weights.getBinaryFast(chunk);
    if (row === undefined) throw new Error(`The search index has no weights ${chunk}.`);
    all.set(row.subarray(0, row.length), chunk * weightsPerChunk);
  }
  return all;
}

const lightShare = 0.3;
/** The weight of a legal form: almost zero, but the right one breaks a tie. */
export const formWeight = 4;

/** The weight of a word. @param frequency how many of the documents have it; @param light see `isLight` */
export function weightOf(frequency: number, documents: number, light: boolean): number {
  const rarity = Math.log(1 + documents / Math.max(1, frequency)) / Math.log(1 + documents);
  return Math.max(formWeight, Math.round(255 * rarity * (light ? lightShare : 1)));
}
