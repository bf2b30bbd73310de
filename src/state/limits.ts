/** Limits of accounts and sign-ups that no setting changes. */
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
