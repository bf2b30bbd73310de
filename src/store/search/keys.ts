/**
 * Whole names and identifiers → documents, by hash: a name typed as it stands is found at once, however common its
 * words, and however its words are joined, split or abbreviated to initials.
 *
 *     bucket: hash (uint32), document << 8 | name index (uint32), … sorted by hash, then document
 *
 * The bucket's own hash and the one inside are independent, so two keys are confused once in some 10^13 pairs.
 */

import { firstNotBefore } from '../../bytes/binary-search.ts';
import { ByteWriter } from '../../bytes/byte-writer.ts';
import { bucketOf, hashText } from '../../bytes/hash.ts';
import type { NumberPieces } from '../../bytes/number-pieces.ts';
import { uint32At } from '../../bytes/numbers-in-bytes.ts';
import { append } from '../../lmdb.ts';
import { groupByBucket, sortByHash } from '../buckets.ts';
import type { Collection } from './collection.ts';
import { bucketBytes, keySeeds, type SearchTables } from './format.ts';
import type { SearchRows } from './rows.ts';

const entryBytes = 8;

export function keyBucketsFor(collection: Collection): number {
  return Math.max(1, Math.ceil((collection.keyHashes.length * entryBytes) / bucketBytes));
}

/** @param documents company → document */
export function writeKeys(
  tables: SearchRows,
  collection: Collection,
  documents: Uint32Array,
  buckets: number,
): void {
  const { keyBuckets, keyHashes, keyCompanies } = collection;
  const grouped = groupByBucket(keyHashes.length, buckets, (i) => bucketOf(keyBuckets.at(i), buckets));
  const place = (i: number) => {
    const company = keyCompanies.at(i);
    return (((documents[company >>> 8] ?? 0) << 8) | (company & 255)) >>> 0;
  };
  const row = new ByteWriter();
  for (let bucket = 0; bucket < buckets; bucket++) {
    const grouping = grouped.order.subarray(grouped.starts[bucket] ?? 0, grouped.starts[bucket + 1] ?? 0);
    if (grouping.length === 0) continue;
    const members = sortByHash(grouping, (i) => keyHashes.at(i));
    sortEqualHashes(members, keyHashes, place);
    row.clear();
    let before = -1;
    for (let index = 0; index < members.length; index++) {
      const member = members[index] ?? 0;
      const hash = keyHashes.at(member);
      const isNew = index === 0 || hash !== keyHashes.at(members[index - 1] ?? 0);
      // A company's BIC may also be its number in the register.
      if (!isNew && place(member) === before) continue;
      before = place(member);
      row.uint32(hash);
      row.uint32(before);
    }
    append(tables.keys, bucket, row.view());
  }
}

/** Companies with one key go by rank, not by the order in which they were added. */
function sortEqualHashes(
  members: Uint32Array,
  hashes: NumberPieces,
  place: (member: number) => number,
): void {
  let first = 0;
  for (let i = 1; i <= members.length; i++) {
    if (i < members.length && hashes.at(members[i] ?? 0) === hashes.at(members[first] ?? 0)) continue;
    if (i - first > 1) members.subarray(first, i).sort((a, b) => place(a) - place(b));
    first = i;
  }
}

export interface KeyHit {
  readonly document: number;
  readonly nameIndex: number;
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
  const row = tables.keys.getBinaryFast(bucketOf(hashText(key, bucketSeed), buckets));
  if (row === undefined) return [];
  const entries = row.length / entryBytes;
  const hits: KeyHit[] = [];
  const first = firstNotBefore(0, entries, (entry) => uint32At(row, entry * entryBytes) < hash);
  for (let entry = first; entry < entries && hits.length < max; entry++) {
    if (uint32At(row, entry * entryBytes) !== hash) break;
    const place = uint32At(row, entry * entryBytes + 4);
    hits.push({ document: place >>> 8, nameIndex: place & 255 });
  }
  return hits;
}
