/** Reads a file chunk by chunk. */
export interface ChunkReader {
  /** @param chunk belongs to the reader until the call returns */
  push(chunk: Uint8Array): void;
  /** Called once, after the last chunk. */
  end(): void;
}

/** Reads a file some pieces of which are read elsewhere. Its places are lines of CSV, records of XML and JSON. */
export interface PlaceReader extends ChunkReader {
  /** Whether what was read so far ends with a row or record: what follows may be read elsewhere then. */
  readonly isWhole: boolean;
  /** Places so far; of records, the current one is included. */
  readonly places: number;
  /** Counts the places of what was read elsewhere. */
  skip(places: number): void;
}

export interface PieceReader extends PlaceReader {
  /**
   * What it takes to read pieces elsewhere. Asked after the first piece of the file, and after each further one until it
   * is known.
   * @param piece the last one that was pushed
   * @returns null where it is not known yet
   */
  startAfter(piece: Uint8Array): PieceStart | null;
}

/** How the reading of pieces begins, as plain data. */
export type PieceStart =
  | { readonly format: 'csv'; readonly header: readonly string[] }
  /** All that comes before the first record. */
  | { readonly format: 'xml'; readonly before: Uint8Array }
  /** The name of the list of records. */
  | { readonly format: 'json'; readonly list: string };

/** Reads a piece that begins with a row or record. @returns its places; null where it does not end with one */
export type ReadPiece = (piece: Uint8Array) => number | null;
