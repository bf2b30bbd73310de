/** Sets as bits, 32 in each word: of entities by number, and of the bits of a signature. */

export function hasBit(words: Uint32Array, at: number): boolean {
  return (((words[at >>> 5] ?? 0) >>> (at & 31)) & 1) === 1;
}

export function clearBit(words: Uint32Array, at: number): void {
  words[at >>> 5] = (words[at >>> 5] ?? 0) & ~(1 << (at & 31));
}

export function setBit(words: Uint32Array, at: number): void {
  words[at >>> 5] = (words[at >>> 5] ?? 0) | (1 << (at & 31));
}

/** Clears the bits of `words` that `others` lack. @param flip all ones if those that it has are cleared in place of them */
export function intersect(words: Uint32Array, others: Uint32Array, flip = 0): void {
  for (let word = 0; word < words.length; word++) {
    words[word] = (words[word] ?? 0) & ((others[word] ?? 0) ^ flip);
  }
}

/**
 * Signatures of companies: bits that the words of their names, addresses and numbers set, three for each word. A company
 * with certain words has all of their bits; few others do, of which their records tell.
 *
 * A block has a slice for each bit of a signature, with that bit of all its companies. So a search for a word reads three
 * slices of each block, of the 256 that it has.
 */
export const signatureBits = 256;
const signatureWords = signatureBits / 32;

export function emptySignature(): Uint32Array {
  return new Uint32Array(signatureWords);
}

/** @param hash of a word */
export function addWord(signature: Uint32Array, hash: number): void {
  for (const bit of bitsOfWord(hash)) setBit(signature, bit);
}

/** The bits that a word sets, which need not be different. */
export function bitsOfWord(hash: number): readonly [number, number, number] {
  return [hash & 255, (hash >>> 8) & 255, (hash >>> 16) & 255];
}
