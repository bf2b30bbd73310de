/** Bounds of what the loader keeps. */
export const loaderLimits = {
  /** Versions whose changes can be followed: a year of three publications a day. The history itself is kept whole. */
  versionsFollowedMax: 1_100,
} as const;
