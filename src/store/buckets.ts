/** Groups entries into buckets by a counting sort, for tables that are written bucket by bucket. */
import { bucketOf } from '../bytes/hash.ts';
import { type Memory, type NumberPieces, ownMemory } from '../bytes/memory.ts';

export interface BucketGroups {
  /** Entry indexes, bucket by bucket; within a bucket in ascending order. */
  readonly order: Uint32Array;
  /** Start of each bucket in the indexes, and the end of the last. */
  readonly starts: Uint32Array;
}

/** @param memory of the result */
export function groupByBucket(
  count: number,
  buckets: number,
  bucketAt: (index: number) => number,
  memory: Memory = ownMemory,
): BucketGroups {
  const starts = memory.numbers(buckets + 1);
  for (let i = 0; i < count; i++) {
    const bucket = bucketAt(i);
    starts[bucket] = (starts[bucket] ?? 0) + 1;
  }
  let end = 0;
  for (let bucket = 0; bucket <= buckets; bucket++) {
    end += starts[bucket] ?? 0;
    starts[bucket] = end;
  }
  // From the last entry to the first: placing an entry moves the end of its bucket down, finally to its start.
  const order = memory.numbers(count);
  for (let i = count - 1; i >= 0; i--) {
    const bucket = bucketAt(i);
    const place = (starts[bucket] ?? 0) - 1;
    order[place] = i;
    starts[bucket] = place;
  }
  return { order, starts };
}

/**
 * The members of each bucket that has any, sorted by hash; see {@link sortByHash}.
 * @param bucketHashes choose the bucket of each entry
 * @param hashes of the entries within their buckets
 */
export function* hashedBuckets(
  bucketHashes: NumberPieces,
  hashes: NumberPieces,
  buckets: number,
): Generator<[bucket: number, members: Uint32Array]> {
  const { order, starts } = groupByBucket(hashes.length, buckets, (i) =>
    bucketOf(bucketHashes.at(i), buckets),
  );
  for (let bucket = 0; bucket < buckets; bucket++) {
    const members = order.subarray(starts[bucket] ?? 0, starts[bucket + 1] ?? 0);
    if (members.length > 0) yield [bucket, sortByHash(members, (i) => hashes.at(i))];
  }
}

const placeRange = 2 ** 20;

/**
 * Sorts the members of a bucket by their 32-bit hash; equal hashes stay in order. It sorts plain numbers, because a
 * comparing function would be called about forty million times for an index.
 */
export function sortByHash(members: Uint32Array, hashAt: (member: number) => number): Uint32Array {
  if (members.length >= placeRange) return members.sort((a, b) => hashAt(a) - hashAt(b));
  const keys = new Float64Array(members.length);
  for (let place = 0; place < members.length; place++) {
    keys[place] = hashAt(members[place] ?? 0) * placeRange + place;
  }
  keys.sort();
  const sorted = new Uint32Array(members.length);
  for (let i = 0; i < sorted.length; i++) sorted[i] = members[(keys[i] ?? 0) % placeRange] ?? 0;
  return sorted;
}
