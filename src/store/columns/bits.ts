/** Sets as bits, 32 in each word: of entities by number, and of the bits of words. */
import { populationOf } from '../search/sets/bitmap.ts';
import type { Steps } from '../steps.ts';

/** Entities by number, one bit each. */
export interface EntitySet {
  readonly words: Uint32Array;
  readonly count: number;
}

/** Words of a set, listed entities, or digits of one step: some 10 microseconds of work. */
export const wordsPerStep = 4096;
/** Codes whose values are looked at in one step: some 10 microseconds of work. */
export const codesPerStep = 1024;

export function hasBit(words: Uint32Array, at: number): boolean {
  return (((words[at >>> 5] ?? 0) >>> (at & 31)) & 1) === 1;
}

export function clearBit(words: Uint32Array, at: number): void {
  words[at >>> 5] = (words[at >>> 5] ?? 0) & ~(1 << (at & 31));
}

export function setBit(words: Uint32Array, at: number): void {
  words[at >>> 5] = (words[at >>> 5] ?? 0) | (1 << (at & 31));
}

/** Clears the bits of a set that `others` lack. @param flip all ones if those that it has are cleared in place of them */
export function* intersect(words: Uint32Array, others: Uint32Array, flip = 0): Steps<void> {
  for (let from = 0; from < words.length; from += wordsPerStep) {
    yield;
    const to = from + wordsPerStep;
    intersectPart(words.subarray(from, to), others.subarray(from, to), flip);
  }
}

/** The same for few words. */
export function intersectPart(words: Uint32Array, others: Uint32Array, flip = 0): void {
  for (let word = 0; word < words.length; word++) {
    words[word] = (words[word] ?? 0) & ((others[word] ?? 0) ^ flip);
  }
}

/** How many bits are set. */
export function* countIn(words: Uint32Array): Steps<number> {
  let count = 0;
  for (let from = 0; from < words.length; from += wordsPerStep) {
    yield;
    count += populationOf(words.subarray(from, from + wordsPerStep));
  }
  return count;
}

/** The members of a set, ascending. */
export function* entitiesIn({ words, count }: EntitySet): Steps<Uint32Array> {
  const entities = new Uint32Array(count);
  let at = 0;
  for (let word = 0; word < words.length; word++) {
    if (word % wordsPerStep === 0) yield;
    for (let bits = words[word] ?? 0; bits !== 0; bits &= bits - 1) {
      entities[at++] = word * 32 + (31 - Math.clz32(bits & -bits));
    }
  }
  return entities;
}
