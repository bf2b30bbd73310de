/**
 * The one hash of the project: FNV-1a with the finisher of MurmurHash3, 32 bits, unsigned. Publications contain its
 * results, so it is part of their format. Keys of a fixed width that are found by it, such as LEIs: one byte per character.
 */

const fnvOffset = 0x811c9dc5;
const fnvPrime = 0x01000193;

/** Hashes the bytes, or the UTF-16 units, from `from` up to `to` (exclusive). */
export function hashItems(items: Uint8Array | Uint16Array, from: number, to: number, seed = 0): number {
  let hash = fnvOffset ^ seed;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ (items[i] ?? 0), fnvPrime);
  return scrambled(hash);
}

/** Hashes the UTF-16 units of a text: the same number as {@link hashItems} over an array of them. */
export function hashText(text: string, seed: number): number {
  let hash = fnvOffset ^ seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), fnvPrime);
  return scrambled(hash);
}

/** MurmurHash3's finisher: a bijection on 32 bits in which every input bit moves every output bit. */
export function scrambled(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The bucket, from 0, of a 32-bit hash. */
export function bucketOf(hash: number, buckets: number): number {
  return Math.floor((hash / 2 ** 32) * buckets);
}

/** CRC-32, as zlib computes it: finds every change of up to 32 neighbouring bits. */
export function checksum(bytes: Uint8Array): number {
  return Bun.hash.crc32(bytes);
}

/** Writes the bytes of a key. @returns false if it is not a key of this width: too short or long, or beyond Latin-1 */
export function putKey(key: string, into: Uint8Array): boolean {
  if (key.length !== into.length) return false;
  for (let i = 0; i < into.length; i++) {
    const code = key.charCodeAt(i);
    if (code > 0xff) return false;
    into[i] = code;
  }
  return true;
}

/** Less than, equal to or greater than 0, comparing the key at `aFrom` of `a` with the key at `bFrom` of `b`. */
export function compareKeys(
  a: Uint8Array,
  aFrom: number,
  b: Uint8Array,
  bFrom: number,
  width: number,
): number {
  for (let i = 0; i < width; i++) {
    const difference = (a[aFrom + i] ?? 0) - (b[bFrom + i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
