/** Secrets: the port that gives the secrets of one installation. Every node of an installation has the same ones. */

/** Random bytes, 32 for each purpose. Made at the first start, stored permanently, never shown. */
export interface Secrets {
  /** Signs cursors. */
  readonly cursor: Uint8Array;
  /** Keys entity tags. */
  readonly etag: Uint8Array;
  /** Keys the hashes that identify client addresses. */
  readonly client: Uint8Array;
}
