/** Limits of the control socket. */
export const controlLimits = {
  /** Interval of the check that the socket's file is still there. */
  socketCheckMs: 1_000,
  messageBytesMax: 1024 * 1024,
  /** The most commands that talk to the service at once. */
  connectionsMax: 64,
  /** The longest wait of a command for an answer that the service has in memory. */
  timeoutMs: 10_000,
  /** The longest wait of a command until every query thread serves another publication, or has closed one. */
  swapTimeoutMs: 300_000,
  /** The interval at which a loading command repeats its progress while there is no news. */
  loadingRetoldMs: 10_000,
  /** Longest time between the end of a load's lock and its last message. A load that stays silent longer was killed. */
  loadingEndMsMax: 1_000,
  /** A load that has not been heard of for this long was killed, and is no longer shown. */
  loadingSilentMsMax: 60_000,
} as const;
