/** Limits of the shared state that no setting changes. */
export const sharedLimits = {
  /** The version of the keys' content in the store. */
  storeFormat: 1,
  /** The longest that a request waits for the store. */
  requestDeadlineMs: 100,
  /** The longest wait of everything else: changes of accounts, heartbeats, commands. */
  workDeadlineMs: 2_000,
  /** The time for a connection with its handshake. */
  connectDeadlineMs: 900,
  /** The pause between two attempts to reach a store that is away. */
  retryMs: 1_000,
  /** How often a connection looks whether the node's main one has reached the store again. */
  lookMs: 100,
  /** How often a node reports its presence. */
  heartbeatMs: 1_000,
  /** A node that was silent for this long is not present. */
  presentMs: 5_000,
  /** A node that was silent for this long is forgotten. */
  nodeKeptMs: 60_000,
  /** The most characters of a text that a node reports about itself. */
  reportedCharactersMax: 1_000,
  /** The longest that a change of very many rows takes. */
  bulkDeadlineMs: 60_000,
  /** How often a node asks whether accounts have changed. */
  followMs: 500,
  /** How often it asks when keys were used on other nodes. */
  usesEveryMs: 10_000,
  /** Commits that a node can follow one by one; if it is further behind, it reads every row. */
  commitsKept: 1_000,
  /** Rows in one part of a change, and in one page of all rows. */
  rowsPerPart: 1_000,
  /** Tries of a change that other nodes keep getting ahead of, and the longest pause between two. */
  changeTriesMax: 50,
  changePauseMsMax: 50,
  /** Calls of one front that count requests at the same time, and the demands in each. */
  callsAtOnce: 2,
  operationsPerCall: 128,
  /** A call that takes longer than this is not waited for: the second one starts beside it. */
  callWaitedForMs: 2,
  /** Callers known to be over their limit, and how long they are refused without asking. */
  refusalsKept: 50_000,
  refusalKeptMs: 1_000,
  /** Callers whose units a front records while the store is away, about 300 bytes each. */
  debtorsMax: 200_000,
  /** Refunds that it records likewise. */
  refundsKept: 10_000,
} as const;
