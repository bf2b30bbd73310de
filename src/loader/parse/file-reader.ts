/** The common base of the readers of all formats: how a file reaches them, how they refuse a broken one, and their limits. */

/** Reads a file chunk by chunk. */
export interface ChunkReader {
  /** @param chunk belongs to the reader until the call returns */
  push(chunk: Uint8Array): void;
  /** Called once, after the last chunk. */
  end(): void;
}

/** Reads a file some pieces of which are read elsewhere. Its places are lines of CSV, records of XML and JSON. */
export interface PlaceReader extends ChunkReader {
  /** Whether the bytes so far end with a row or record: the following ones may be read elsewhere then. */
  readonly isWhole: boolean;
  /** Places so far; of records, the current one is included. */
  readonly places: number;
  /** Counts places that were read elsewhere. */
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

/**
 * The error of parsers about a broken file; {@link openSource} adds the file's path and turns it into a SourceError, so
 * that no parser needs to know where its bytes come from.
 */
export class FileRefusal extends Error {
  override readonly name = 'FileRefusal';
}

/** Limits of a source file; messages name the one that was exceeded. */
export const limits = {
  /** One value of a source file; the longest real ones are a few kilobytes. */
  sourceFieldBytesMax: 1024 * 1024,
  /** One record of a source file, in its published form. */
  sourceRecordBytesMax: 16 * 1024 * 1024,
  /** Nesting of elements or brackets; the formats have up to eight levels. */
  sourceDepthMax: 64,
  /** One compressed source file, decompressed; the largest real one is about 13 GB. */
  sourceUnpackedBytesMax: 128 * 1024 ** 3,
  /** Uncompressed by compressed size; real files stay under 40. */
  sourceUnpackRatioMax: 250,
  /** The ratio is not checked below this size. */
  sourceUnpackRatioFromBytes: 32 * 1024 * 1024,
} as const;
