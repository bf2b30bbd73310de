/** Bounds of what access keeps in memory and how often it tidies up. */
export const accessLimits = {
  /** A longer `Authorization` header can't be a key; it is not even looked at. */
  authorizationCharactersMax: 256,
  /** Entries of `X-Forwarded-For` that are looked at, from the right. */
  forwardedHopsMax: 32,
  /** Longest text of an address with brackets and port. */
  addressCharactersMax: 64,
  /** Addresses, and keys in use, whose hash is remembered, in each of two generations. */
  rememberedMax: 50_000,
  rememberedMs: 60_000,
  /** Callers whose buckets are in memory; idle ones make room, their counts being on disk. */
  bucketsMax: 200_000,
  /** Where nothing can be evicted, since the disk takes no counts, later clients share this many buckets. */
  sharedBuckets: 1_024,
  /** A bucket nobody asked for this long leaves the memory. */
  bucketIdleMs: 120_000,
  /** The same while more than half of the buckets are taken: long enough for a save. */
  bucketIdleCrowdedMs: 2_000,
  /** Buckets looked at for idleness in one tick. */
  bucketsSweptPerTick: 10_000,
  /** And at each newcomer while it is crowded, so that room is made as fast as it is taken. */
  bucketsSweptPerNewcomer: 4,
  /** Rows packed and handed to the disk at once; the event loop runs between. */
  rowsPerSave: 1_000,
  saveEveryMs: 1_000,
  /** Days that are over are forgotten this many ticks after the start, and then this often. */
  forgetFirstTick: 60,
  forgetEveryTicks: 3_600,
  /** While saving keeps failing, it is logged this often (in ticks). */
  failureLoggedEveryTicks: 60,
} as const;

/** The burst window of the contract, in milliseconds and seconds. */
export const burstMs = 60_000;
export const burstSeconds = 60;
export const dayMs = 86_400_000;
export const daySeconds = 86_400;
