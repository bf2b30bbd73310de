/** Limits of the reconciliation service. */
export const reconcileLimits = {
  /** Queries in one batch. */
  queriesMax: 50,
  /** Queries of a batch that cross to a query thread together. */
  queriesTogetherMax: 10,
  /** Companies in one data extension. */
  idsMax: 100,
  /** Candidates for one query: as many as a match finds. */
  candidatesMax: 10,
  /** Properties of one query, or of one data extension: more than there are. */
  propertiesMax: 50,
  /** A longer text of a query is refused, so it is not tidied first. UTF-16 units. */
  textUnitsMax: 2_000,
  /** Fields of a form; one of them is read, and clients add few of their own. */
  fieldsMax: 32,
  /** A batch of 50 queries with all properties is about 30 KiB, and three times as much in form-encoded Chinese. */
  bodyBytesMax: 128 * 1024,
  bodyMsMax: 20_000,
  /** Bytes of arriving bodies, in total and per client. */
  bodiesBytesMax: 16 * 1024 * 1024,
  clientBodiesBytesMax: 2 * 1024 * 1024,
  /** The size of the frame for a preview, in pixels. */
  previewWidth: 420,
  previewHeight: 220,
} as const;
