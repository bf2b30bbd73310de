/** Secrets: the port that gives the secrets of one installation. Every node of an installation has the same ones. */

/** Random bytes, 32 for each purpose. Made at the first start, kept for good, never shown. */
export interface Secrets {
  /** Signs cursors. */
  readonly cursor: Uint8Array;
  /** Keys entity tags. */
  readonly etag: Uint8Array;
  /** Keys the hashes that stand for client addresses. */
  readonly client: Uint8Array;
}
