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

export interface KeyHit {
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
  const hash = hashText(key, entrySeed);
  const entries = openBucket(tables, buckets, hashText(key, bucketSeed));
  const row = tables.keys.bytes;
  const hits: KeyHit[] = [];
  for (let entry = entryFrom(row, entries, hash, 0); entry < entries && hits.length < max; entry++) {
    if (uint32At(row, entry * keyEntryBytes) !== hash) break;
    const place = uint32At(row, entry * keyEntryBytes + 4);
    hits.push({ document: place >>> 8, nameIndex: place & 255 });
  }
  return hits;
}

/** Whether a key leads to a name of a document, however many others it leads to. */
export function leadsTo(
  tables: SearchTables,
  buckets: number,
  { bucket, hash }: KeyHashes,
  { document, nameIndex }: KeyHit,
): boolean {
  const entries = openBucket(tables, buckets, bucket);
  const row = tables.keys.bytes;
  const place = ((document << 8) | nameIndex) >>> 0;
  const entry = entryFrom(row, entries, hash, place);
  return (
    entry < entries &&
    uint32At(row, entry * keyEntryBytes) === hash &&
    uint32At(row, entry * keyEntryBytes + 4) === place
  );
}

/** Reads the bucket that a hash chooses. @returns how many entries it has */
function openBucket({ keys }: SearchTables, buckets: number, hash: number): number {
  return keys.read(bucketOf(hash, buckets)) / keyEntryBytes;
}

/** The first entry of a bucket that has the hash and is not before the place, or that is behind the hash. */
function entryFrom(row: Uint8Array, entries: number, hash: number, place: number): number {
  return firstNotBefore(0, entries, (entry) => {
    const other = uint32At(row, entry * keyEntryBytes);
    return other < hash || (other === hash && uint32At(row, entry * keyEntryBytes + 4) < place);
  });
}
