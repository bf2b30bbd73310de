/** Bounds of the counts in memory, and the pace at which they are saved. */
export const ledgerLimits = {
  /** Callers with a record. Past it later callers of the day share records. */
  callersMax: 2_000_000,
  /** Records that later callers share when every bound is reached. */
  sharedRecords: 1_024,
  /** Memory of records, 136 bytes each, and of seconds, 16 bytes each. It is taken as it is needed. */
  memoryBytesMax: 512 * 1024 * 1024,
  /** Of that, what only shared records may take. */
  memoryReservedBytes: 4 * 1024 * 1024,
  /** The step by which the shared buffer grows. */
  memoryGrowthBytes: 1024 * 1024,
  /** Tries to get a lock before a thread sleeps a millisecond between two. */
  lockSpins: 200,
  /** How long the main thread waits for a lock at once, in milliseconds: a thread that ended may hold it. */
  lockWaitMsMax: 20,
  /** How many times it then lets its event loop run, which learns of such an end, and tries again. */
  lockTriesMax: 100,
  lockPauseMs: 10,
  /** A request may reach the ledger so much later than another that came after it: its time then counts as the other's. */
  lateMsMax: 1_000,
  /** Shards of which each save frees what is over: all of them in half a minute. */
  shardsTidiedPerSave: 8,
  /** Changed callers, by the second, that a killed process leaves behind between two saves: 64 bytes each, twice. */
  journalEntriesMax: 32_768,
  /** Rows packed and handed to the disk at once; the event loop runs between. */
  rowsPerSave: 1_000,
} as const;
