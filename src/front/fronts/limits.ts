/** Limits of front threads. */
export const frontLimits = {
  /** Time for a front thread to load its code, and to listen. */
  startTimeoutMs: 30_000,
  /** The longest wait for a front thread to apply what it was told. */
  settleTimeoutMs: 5_000,
  /** Time for a front thread to end the questions about a publication that is being closed. */
  releaseTimeoutMs: 30_000,
  /** A front thread answers its requests in less time, because each question has a deadline. */
  stopTimeoutMs: 60_000,
  usesPostedEveryMs: 500,
} as const;
