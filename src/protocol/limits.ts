/** Limits of what crosses a thread or a process. */

/** Limits of the line between the front and one query thread. */
export const lineLimits = {
  /** Shared memory for questions on their way to the thread. A batch that does not fit is posted. */
  questionRingBytes: 256 * 1024,
  /** Shared memory for answers on their way back. Small enough to stay in a processor's cache. */
  answerRingBytes: 1024 * 1024,
  /** Bytes of an answer that cross before the rest is made, if its question takes parts (decision 138). */
  partBytes: 64 * 1024,
  /** An answer that will have fewer bytes comes in one piece. */
  partedBytesMin: 128 * 1024,
  /** Weight of a slow question in load balancing, in look-ups. */
  slowQuestionWork: 16,
  /** How long a question may wait for its answer. Both ends enforce this time. */
  questionTimeoutMs: 5_000,
} as const;

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
