/** Limits of accounts, sign-ups and counts that no setting changes. */
export const stateLimits = {
  emailCharactersMax: 254,
  companyCharactersMax: 200,
  useCharactersMax: 1_000,
  activeKeysPerAccountMax: 10,
  keyNameCharactersMax: 60,
  /** Changes that a running service can follow one by one; if it is further behind, it reads every account again. */
  changesKept: 10_000,
  /** Rows written or removed in one transaction, so that no transaction blocks the front. */
  rowsPerTransaction: 1_000,
  backupBytesMax: 256 * 1024 * 1024,
} as const;

/** Limits of the counts in memory, and the intervals at which they are saved. */
export const ledgerLimits = {
  /** Callers with their own record. Beyond it later callers of the day share records. */
  callersMax: 2_000_000,
  /** Records that later callers share when every limit is reached. */
  sharedRecords: 1_024,
  /** Memory of records, 136 bytes each, and of seconds, 16 bytes each. It is allocated as needed. */
  memoryBytesMax: 512 * 1024 * 1024,
  /** The part of it that only shared records may use. */
  memoryReservedBytes: 4 * 1024 * 1024,
  /** The step by which the shared buffer grows. */
  memoryGrowthBytes: 1024 * 1024,
  /** Tries to get a lock before a thread sleeps a millisecond between two. */
  lockSpins: 200,
  /** How long the main thread waits for a lock without yielding, in milliseconds: a thread that ended may hold it. */
  lockWaitMsMax: 20,
  /** How many times it then lets its event loop run, which notices such an end, and tries again. */
  lockTriesMax: 100,
  lockPauseMs: 10,
  /**
   * A request may reach the ledger this much later than another that came after it: its time then counts as the
   * other's.
   */
  lateMsMax: 1_000,
  /** Shards whose expired memory each save frees: all of them in half a minute. */
  shardsTidiedPerSave: 8,
  /** Changed callers per second that a killed process leaves behind between two saves: 64 bytes each, twice. */
  journalEntriesMax: 32_768,
  /** Rows packed and passed to the disk at once; the event loop runs in between. */
  rowsPerSave: 1_000,
} as const;
