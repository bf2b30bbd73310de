/** Bounds of what crosses a thread or a process. */

/** Of the line between the front and one query thread. */
export const lineLimits = {
  /** Shared memory for questions on their way to the thread. A batch that does not fit is posted. */
  questionRingBytes: 256 * 1024,
  /** Shared memory for answers on their way back. Small enough to stay in a processor's cache. */
  answerRingBytes: 1024 * 1024,
  /** Bytes of an answer that cross before the rest is made, where its question takes parts (decision 138). */
  partBytes: 64 * 1024,
  /** An answer that will have fewer bytes comes whole. */
  partedBytesMin: 128 * 1024,
  /** Weight of a slow question in load balancing, in look-ups. */
  slowQuestionWork: 16,
  /** How long a question may wait for its answer. Both ends keep this time. */
  questionTimeoutMs: 5_000,
} as const;

/** Of the control socket. */
export const controlLimits = {
  /** Interval of the check that the socket's file is still there. */
  socketCheckMs: 1_000,
  messageBytesMax: 1024 * 1024,
  /** Commands that talk to the service at once. */
  connectionsMax: 64,
  /** How long a command waits for an answer that the service has in memory. */
  timeoutMs: 10_000,
  /** How long a command waits until every query thread serves another publication, or has closed one. */
  swapTimeoutMs: 300_000,
  /** A command that loads repeats its progress this often while a phase has nothing new to tell. */
  loadingRetoldMs: 10_000,
  /** Longest time between the end of a load's lock and its last message. A load that stays silent longer was killed. */
  loadingEndMsMax: 1_000,
  /** A load that has not been heard of for this long was killed, and is no longer shown. */
  loadingSilentMsMax: 60_000,
} as const;
