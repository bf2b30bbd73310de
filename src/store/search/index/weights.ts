/** Computes the weights of terms: how much each says about a company, by how few have it (inverse document frequency). */

/** The greatest weight: they are stored as bytes. */
export const weightMax = 255;
const lightShare = 0.3;
/** The weight of a legal form or filter: almost zero, but the right form breaks a tie. */
const formWeight = 4;

/** Ids from the first up to the last (exclusive). */
export type IdRange = readonly [from: number, to: number];

/**
 * One byte a term, by id.
 * @param frequencies how many of the documents have each term
 * @param forms ids of legal forms and filters
 * @param light ids of words that hardly distinguish companies
 */
export function weightsOf(
  frequencies: Uint32Array,
  documents: number,
  forms: readonly IdRange[],
  light: readonly number[],
): Uint8Array {
  const weights = new Uint8Array(frequencies.length);
  // Compute the weights of rare frequencies once: most terms share one of them.
  const ofRare = Uint8Array.from({ length: 4_096 }, (_, frequency) => weightOf(frequency, documents, 1));
  for (let id = 0; id < weights.length; id++) {
    const frequency = frequencies[id] ?? 0;
    weights[id] = ofRare[frequency] ?? weightOf(frequency, documents, 1);
  }
  for (const [from, to] of forms) weights.fill(formWeight, from, to);
  for (const id of light) weights[id] = weightOf(frequencies[id] ?? 0, documents, lightShare);
  return weights;
}

/** The weight of a word, or of words that mean the same, by how many of the companies have it. @param share 1 but for light words */
export function weightOf(frequency: number, documents: number, share: number): number {
  const rarity = Math.log(1 + documents / Math.max(1, frequency)) / Math.log(1 + documents);
  return Math.max(formWeight, Math.round(weightMax * rarity * share));
}
