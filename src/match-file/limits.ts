/** Limits of the memory that matching a file takes. */
export const matchFileLimits = {
  /** Bytes read from the file at a time. */
  chunkBytes: 1024 * 1024,
  /** Rows that are sent to a thread together, or fewer if they are long. */
  rowsPerBatch: 32,
  batchBytesMax: 256 * 1024,
  /** Batches that a thread is working on or that wait for it. */
  batchesPerThread: 3,
  /** In which the first line is looked for, to learn what separates the fields. */
  beginningBytes: 256 * 1024,
  /** Columns of the file. */
  columnsMax: 4096,
} as const;
