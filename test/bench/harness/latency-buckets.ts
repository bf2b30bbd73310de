/** Counts latencies in buckets of two per cent, so that those of several generators can be added. */

/** The smallest latency of the second bucket, in milliseconds. */
const leastMs = 0.001;
const width = Math.log(1.02);
/** Enough for more than an hour. */
const bucketsMost = 1_200;

/** How many latencies are in each bucket, in ascending order. */
export type LatencyBuckets = readonly number[];

export function noLatencies(): number[] {
  return new Array<number>(bucketsMost).fill(0);
}

export function countLatency(buckets: number[], ms: number): void {
  const bucket = ms <= leastMs ? 0 : 1 + Math.floor(Math.log(ms / leastMs) / width);
  const place = Math.min(bucket, bucketsMost - 1);
  buckets[place] = (buckets[place] ?? 0) + 1;
}

/** @returns the latencies of all generators together */
export function addedUp(all: readonly LatencyBuckets[]): LatencyBuckets {
  const sum = noLatencies();
  for (const buckets of all) {
    for (const [place, count] of buckets.entries()) sum[place] = (sum[place] ?? 0) + count;
  }
  return sum;
}

/** A percentile in milliseconds, the middle of its bucket; null without any. */
export function bucketPercentile(buckets: LatencyBuckets, share: number): number | null {
  const total = buckets.reduce((sum, count) => sum + count, 0);
  const wanted = Math.ceil(total * share);
  let seen = 0;
  const place = buckets.findIndex((count) => {
    seen += count;
    return count > 0 && seen >= wanted;
  });
  if (place <= 0) return place < 0 ? null : leastMs;
  return leastMs * Math.exp((place - 0.5) * width);
}
