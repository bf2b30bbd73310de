/** Reads a file chunk by chunk. */
export interface ChunkReader {
  /** @param chunk the reader's until the call returns */
  push(chunk: Uint8Array): void;
  /** Once, after the last chunk. */
  end(): void;
}
