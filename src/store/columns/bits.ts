/** Sets as bits, 32 in each word: of entities by number, and of the bits of words. */

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
