/** Secrets: the port that gives the secrets of one installation. Every node of an installation has the same ones. */

export const secretBytes = 32;
export const secretNames = ['cursor', 'etag', 'client'] as const;

/** Random bytes, {@link secretBytes} for each purpose. Made at the first start, stored permanently, never shown. */
export interface Secrets {
  /** Signs cursors. */
  readonly cursor: Uint8Array;
  /** Keys entity tags. */
  readonly etag: Uint8Array;
  /** Keys the hashes that identify client addresses. */
  readonly client: Uint8Array;
}
