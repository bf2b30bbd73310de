/** Bounds of large bodies on their way to clients, and of what the kernel holds of each connection. */
export const bodyLimits = {
  /**
   * Larger bodies are weighed against the budget and handed on in pieces. A smaller one the kernel takes at once, so the
   * front is done with it.
   */
  weighedBytes: 128 * 1024,
  pieceBytes: 128 * 1024,
  /** Bytes of large bodies in flight to all clients, divided among the fronts. The last body may exceed it. */
  inFlightBytesMax: 64 * 1024 * 1024,
  /** The same to one client, whose connections come to any of the fronts. */
  clientInFlightBytesMax: 16 * 1024 * 1024,
  /** A reader slower than this over {@link patienceMs} is ended. */
  paceBytesPerSecondMin: 8 * 1024,
  patienceMs: 20_000,
  /** While the budget is full, readers that took nothing for this long make room for others. */
  patienceWhenFullMs: 2_000,
  /** A client with a reader that was ended gets no large body for this long. */
  pauseMs: 60_000,
  lookEveryMs: 500,
  /** While readers are ended or refused, it is logged this often. */
  loggedEveryMs: 60_000,
  /** Bytes of a connection that the kernel takes beyond those that it can send at once. */
  kernelBytesMax: 128 * 1024,
  /** The kernel ends a connection whose other end takes nothing of what is sent for this long, however small it is. */
  untakenMsMax: 40_000,
} as const;
