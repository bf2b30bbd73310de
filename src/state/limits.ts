/** Bounds of accounts and of what is kept about clients; ours to choose, not the operator's. */
export const stateLimits = {
  emailCharactersMax: 254,
  companyCharactersMax: 200,
  useCharactersMax: 1_000,
  activeKeysPerAccountMax: 10,
  /** Days for which counts are kept: today and yesterday. */
  counterDaysKept: 2,
  /** Changes a running service can catch up on one by one; further behind it reads every account again. */
  changesKept: 10_000,
  /** Rows written or removed in one transaction, so that no transaction holds the front up. */
  rowsPerTransaction: 1_000,
  signupsPerClientAndDayMax: 10,
  signupsPerDayMax: 1_000,
  backupBytesMax: 256 * 1024 * 1024,
} as const;
