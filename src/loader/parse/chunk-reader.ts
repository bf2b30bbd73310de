/** Reads a file chunk by chunk. */
export interface ChunkReader {
  /** @param chunk belongs to the reader until the call returns */
  push(chunk: Uint8Array): void;
  /** Called once, after the last chunk. */
  end(): void;
}
