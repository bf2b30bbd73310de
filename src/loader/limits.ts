/** Bounds of what the loader keeps, and of the threads that it starts. */
export const loaderLimits = {
  /** Versions whose changes can be followed: a year of three publications a day. The history itself is kept whole. */
  versionsFollowedMax: 1_100,
  /** Threads of a load, at most; one machine never needs as many. */
  threadsMax: 64,
  /** Threads of a load that nobody asked for a number: with more, storing takes longer than reading. */
  threadsUsual: 8,
  /** The fewest with which rows are parsed in threads of their own: the loader's and the search thread fill two cores. */
  threadsToRead: 3,
  /** Bytes of a packed and of an unpacked file from which on its rows are parsed in threads: some 4,000 companies. */
  threadedPackedBytesMin: 512 * 1024,
  threadedPlainBytesMin: 5 * 1024 * 1024,
  /** Bytes of a file that a thread parses at once: some 700 companies. */
  pieceBytes: 1024 * 1024,
  /** Pieces that wait or are parsed, for each thread: enough to go on while the loader writes into the tables. */
  piecesPerThread: 4,
  /** Of so many companies that a thread packs, one also comes as it was, to be compared with what is stored. */
  companiesPerRecord: 16,
} as const;
