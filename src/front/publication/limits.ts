/** Limits of the work on publications. */
export const publicationLimits = {
  /** How long a swap reads the next publication into memory before it continues without. */
  intoMemoryTimeoutMs: 30_000,
  /** Interval of checking whether the pointer has moved. */
  pointerPollMs: 1_000,
} as const;
