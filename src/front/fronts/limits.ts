/** Limits of front threads. */
export const frontLimits = {
  /** Time for a front thread to load its code. */
  startTimeoutMs: 30_000,
  /** Time for each task. */
  taskTimeoutMs: {
    listen: 30_000,
    renew: 30_000,
    settle: 5_000,
    /** To end the questions about a publication that is being closed. */
    release: 30_000,
    /** A front thread answers its requests in less time, because each question has a deadline. */
    stop: 60_000,
  },
  usesPostedEveryMs: 500,
} as const;
