/** Bounds of front threads. */
export const frontLimits = {
  /** Time for a front thread to load its code, and to listen. */
  startTimeoutMs: 30_000,
  /** Time for a front thread to take over what it was told. One that is later is not waited for. */
  settleTimeoutMs: 5_000,
  /** Time for a front thread to end the questions about a publication that is being closed. */
  releaseTimeoutMs: 30_000,
  /** A front thread answers its requests in less time, as each question has a deadline. */
  stopTimeoutMs: 60_000,
  /** Pause before a second try to start a front thread; it doubles up to the second figure. */
  restartPauseMs: 100,
  restartPauseMsMax: 5_000,
  usesPostedEveryMs: 500,
} as const;
