/**
 * Signatures of companies: bits that the words of their names, addresses and numbers set, three for each word. A company
 * with certain words has all of their bits; few others do, of which their records tell.
 *
 * A block has a slice for each bit of a signature, with that bit of all its companies. So a search for a word reads three
 * slices of each block, of the 256 that it has.
 */
import { setBit } from './bits.ts';

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
