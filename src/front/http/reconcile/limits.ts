/** Bounds of the reconciliation service. */
export const reconcileLimits = {
  /** Queries in one batch. */
  queriesMax: 50,
  /** Companies in one data extension. */
  idsMax: 100,
  /** Candidates for one query: as many as a match finds. */
  candidatesMax: 10,
  /** A batch of 50 queries with all properties is some 30 KiB, form-encoded Chinese three times as much. */
  bodyBytesMax: 256 * 1024,
  bodyMsMax: 20_000,
  /** Bytes of bodies that are arriving, over all clients of the service and for each. */
  bodiesBytesMax: 16 * 1024 * 1024,
  clientBodiesBytesMax: 2 * 1024 * 1024,
  /** The frame that a client shows a preview in, in pixels. */
  previewWidth: 420,
  previewHeight: 220,
} as const;
