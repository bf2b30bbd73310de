/**
 * Looks up whole names and identifiers by their hash. It finds a fully typed name in one read, even if its words are
 * common, or are joined, split or abbreviated to initials.
 *
 *     bucket: hash (uint32), document << 8 | name index (uint32), … sorted by hash, then document
 *
 * The hash that chooses the bucket and the hash inside it are independent, so one pair of keys in about 10^13 collides.
 */
import { firstNotBefore } from '../../../bytes/binary-search.ts';
import { bucketOf, hashText } from '../../../bytes/hash.ts';
import { uint32At } from '../../../bytes/numbers-in-bytes.ts';
import { keyEntryBytes, keySeeds, type SearchTables } from '../format.ts';

interface KeyHit {
  readonly document: number;
  readonly nameIndex: number;
}

/** The two hashes of a key: one chooses the bucket, the other distinguishes the entries inside it. */
export interface KeyHashes {
  readonly bucket: number;
  readonly hash: number;
}

/** Documents under a key in order of rank, at most `max`. */
export function findKey(
  tables: SearchTables,
  buckets: number,
  kind: keyof typeof keySeeds,
  key: string,
  max: number,
): KeyHit[] {
  const [bucketSeed, entrySeed] = keySeeds[kind];
  return findHashed(
    tables,
    buckets,
    { bucket: hashText(key, bucketSeed), hash: hashText(key, entrySeed) },
    max,
  );
}

/** Documents under the hashes of a key in order of rank, at most `max`. */
export function findHashed(
  tables: SearchTables,
  buckets: number,
  { bucket, hash }: KeyHashes,
  max: number,
): KeyHit[] {
  const entries = tables.keys.read(bucketOf(bucket, buckets)) / keyEntryBytes;
  const row = tables.keys.bytes;
  const hits: KeyHit[] = [];
  const first = firstNotBefore(0, entries, (entry) => uint32At(row, entry * keyEntryBytes) < hash);
  for (let entry = first; entry < entries && hits.length < max; entry++) {
    if (uint32At(row, entry * keyEntryBytes) !== hash) break;
    const place = uint32At(row, entry * keyEntryBytes + 4);
    hits.push({ document: place >>> 8, nameIndex: place & 255 });
  }
  return hits;
}
