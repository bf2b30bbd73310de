/** Bounds of what the service does with publications. */
export const publicationLimits = {
  /** How long a swap reads the next publication into memory before it goes on without. */
  intoMemoryTimeoutMs: 30_000,
  /** Interval of the look at what the source announces. */
  announcementPollMs: 1_000,
} as const;
