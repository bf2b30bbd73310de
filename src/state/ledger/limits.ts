/** Bounds of the counts in memory, and the pace at which they are saved. */
export const ledgerLimits = {
  /** Callers with a bucket in memory. Past it, and past `restingMax`, later callers of the day share buckets. */
  bucketsMax: 200_000,
  /** Buckets that later callers share when every bound is reached. */
  sharedBuckets: 1_024,
  /** Resting counts of one day, 40 bytes each in tables that are three eighths to three quarters full. */
  restingMax: 2_000_000,
  /** Days with resting counts: today, yesterday, and days that a wrong clock names. */
  restingDaysMax: 4,
  /** A bucket comes to rest when nobody asked for it this long. */
  bucketIdleMs: 120_000,
  /** The same while more than half of the buckets are taken: long enough for a save. */
  bucketIdleCrowdedMs: 2_000,
  /** Buckets looked at for idleness in one save. */
  bucketsSweptPerSave: 10_000,
  /** And at each newcomer while it is crowded, so that room is made as fast as it is taken. */
  bucketsSweptPerNewcomer: 4,
  /** Rows packed and handed to the disk at once; the event loop runs between. */
  rowsPerSave: 1_000,
} as const;
