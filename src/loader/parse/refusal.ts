/** Refuses a broken file: the error of its parsers, and the limits that they check. */

/**
 * The error of parsers about a broken file; {@link openSource} adds the file's path and turns it into a SourceError, so
 * that no parser needs to know where its bytes come from.
 */
export class FileRefusal extends Error {
  override readonly name = 'Refusal';
}

/** Limits of a source file; messages name the one that was exceeded. */
export const limits = {
  /** One value of a source file; the longest real ones are a few kilobytes. */
  sourceFieldBytesMax: 1024 * 1024,
  /** One record of a source file, in its published form. */
  sourceRecordBytesMax: 16 * 1024 * 1024,
  /** Nesting of elements or brackets; the formats have up to eight levels. */
  sourceDepthMax: 64,
  /** What one compressed source file may decompress to; the largest real one is about 13 GB. */
  sourceUnpackedBytesMax: 128 * 1024 ** 3,
  /** Uncompressed by compressed size; real files stay under 40. */
  sourceUnpackRatioMax: 250,
  /** The ratio is not checked below this size. */
  sourceUnpackRatioFromBytes: 32 * 1024 * 1024,
} as const;
