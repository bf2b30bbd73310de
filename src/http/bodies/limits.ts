/** Limits of JSON that clients send, of large bodies in flight, and of what the kernel keeps for each connection. */
export const bodyLimits = {
  /**
   * Levels of JSON that a client sends, values in it, and members of one object: a batch of 50 queries with all
   * properties has 2,500 values. An object of thousands of members is the dearest to parse.
   */
  jsonDepthMax: 16,
  jsonValuesMax: 5_000,
  jsonMembersMax: 256,
  /**
   * Larger bodies count against the budget and are delivered in pieces. The kernel takes a smaller one at once, so the
   * front is done with it.
   */
  weighedBytes: 128 * 1024,
  pieceBytes: 128 * 1024,
  /** Bytes of large bodies in flight to all clients, divided among the fronts. The last body may exceed it. */
  inFlightBytesMax: 64 * 1024 * 1024,
  /** The same for one client, whose connections may reach any of the fronts. */
  clientInFlightBytesMax: 16 * 1024 * 1024,
  /** A reader slower than this over {@link patienceMs} is ended. */
  paceBytesPerSecondMin: 8 * 1024,
  patienceMs: 20_000,
  /** While the budget is full, readers that took nothing for this long make room for others. */
  patienceWhenFullMs: 2_000,
  /** A client whose reader was ended gets no large body for this long. */
  pauseMs: 60_000,
  lookEveryMs: 500,
  /** While readers are ended or refused, it is logged at this interval. */
  loggedEveryMs: 60_000,
  /** Bytes of a connection that the kernel buffers beyond those that it can send at once. */
  kernelBytesMax: 128 * 1024,
  /** The kernel ends a connection whose other end accepts no data for this long, however little it is. */
  untakenMsMax: 40_000,
} as const;
