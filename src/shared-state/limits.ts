/** Bounds of the shared state that no setting changes. */
export const sharedLimits = {
  /** The longest that a request waits for the store. */
  requestDeadlineMs: 100,
  /** The longest that everything else does: changes of accounts, heartbeats, commands. */
  workDeadlineMs: 2_000,
  /** The time for a connection with its handshake. */
  connectDeadlineMs: 900,
  /** The pause between two attempts to reach a store that is away. */
  retryMs: 1_000,
  /** How often a node says that it is there. */
  heartbeatMs: 1_000,
  /** A node that was silent for so long is not present. */
  presentMs: 5_000,
  /** A node that was silent for so long is forgotten. */
  nodeKeptMs: 60_000,
} as const;
