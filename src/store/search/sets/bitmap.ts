/** Works on bitmaps of one chunk of documents: 65,536 bits in 2,048 words of 32. */
import { lowerBound } from '../../../bytes/binary-search.ts';
import { uint16At } from '../../../bytes/numbers-in-bytes.ts';
import { chunkDocuments, chunkWords } from '../format.ts';

export const bitmapBytes = chunkWords * 4;

/** Sets the bits of a stored list: sorted 16-bit numbers in the bytes `from` up to `to` (exclusive). */
export function addStoredList(words: Uint32Array, row: Uint8Array, from: number, to: number): void {
  for (let at = from; at < to; at += 2) {
    const bit = uint16At(row, at);
    words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }
}

/** Sets the bits of those documents (ascending) that are in the chunk that begins with document `first`. */
export function addDocuments(words: Uint32Array, documents: Uint32Array, first: number): void {
  for (let i = lowerBound(documents, first); i < documents.length; i++) {
    const bit = (documents[i] ?? 0) - first;
    if (bit >= chunkDocuments) return;
    words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }
}

/**
 * Sets `member` to 1 for each document from `first` up to `end` (exclusive), all in one chunk, whose bit is set in the
 * bitmap that begins at `from`.
 */
export function markBits(
  member: Uint8Array,
  documents: Uint32Array,
  first: number,
  end: number,
  bytes: Uint8Array,
  from: number,
): void {
  for (let i = first; i < end; i++) {
    const bit = (documents[i] ?? 0) & (chunkDocuments - 1);
    if (((bytes[from + (bit >>> 3)] ?? 0) & (1 << (bit & 7))) !== 0) member[i] = 1;
  }
}

/** How many bits are set. */
export function populationOf(words: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < words.length; i++) {
    let word = words[i] ?? 0;
    if (word === 0) continue;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/**
 * How many bits are set below a position.
 * @param position may be outside the chunk
 * @param all how many bits are set in total
 */
export function populationBelow(words: Uint32Array, position: number, all: number): number {
  if (position >= chunkDocuments) return all;
  if (position <= 0) return 0;
  const whole = position >>> 5;
  const rest = (words[whole] ?? 0) & ((1 << (position & 31)) - 1);
  return populationOf(words.subarray(0, whole)) + populationOf(Uint32Array.of(rest));
}

/**
 * Appends the documents of set bits to `taken`, from index `from` on, until it is full.
 * @param first the first document of the chunk
 * @param skip how many set bits to leave out first
 * @returns the resulting number of documents in `taken`
 */
export function takeBits(
  taken: Uint32Array,
  from: number,
  words: Uint32Array,
  first: number,
  skip: number,
): number {
  let left = skip;
  let length = from;
  for (let i = 0; i < words.length; i++) {
    for (let word = words[i] ?? 0; word !== 0; word &= word - 1) {
      if (left-- > 0) continue;
      if (length === taken.length) return length;
      taken[length++] = first + i * 32 + (31 - Math.clz32(word & -word));
    }
  }
  return length;
}
