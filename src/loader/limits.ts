/** Limits of what the loader keeps, and of the threads that it starts. */
export const loaderLimits = {
  /**
   * Versions whose changes can be followed: a year of three publications a day. The history itself is kept completely.
   */
  versionsFollowedMax: 1_100,
  /** Threads of a load, at most; one machine never needs as many. */
  threadsMax: 64,
  /** The default number of threads of a load at most: with more, storing takes longer than reading. */
  threadsUsual: 8,
  /**
   * The fewest threads with which rows are parsed in separate threads: the loader's and the search thread fill two
   * cores.
   */
  threadsToRead: 3,
  /**
   * Bytes of a compressed and of an uncompressed file from which on its rows are parsed in threads: about 4,000
   * companies.
   */
  threadedPackedBytesMin: 512 * 1024,
  threadedPlainBytesMin: 5 * 1024 * 1024,
  /** A thread makes the search index if all files together, as given, have this many bytes: about 4,000 companies. */
  indexThreadBytesMin: 512 * 1024,
  /**
   * A load is short if its files and the active publication have fewer bytes: some 10,000 companies. Compressed and other
   * files each take up a share of their limit.
   */
  shortPackedBytes: 2 * 2 ** 20,
  shortPlainBytes: 20 * 2 ** 20,
  shortBaseBytes: 16 * 2 ** 20,
  /** Bytes of a file that a thread parses at once: about 700 companies. */
  pieceBytes: 1024 * 1024,
  /** Pieces that wait or are parsed, per thread: enough to continue while the loader writes into the tables. */
  piecesPerThread: 4,
  /** One in this many packed companies also arrives unpacked, to be compared with what is stored. */
  companiesPerRecord: 16,
} as const;
