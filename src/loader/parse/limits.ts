/** Bounds of what a source file may hold; messages name the one that was passed. */
export const limits = {
  /** One value of a source file; the longest real ones are a few kilobytes. */
  sourceFieldBytesMax: 1024 * 1024,
  /** One record of a source file, in its published form. */
  sourceRecordBytesMax: 16 * 1024 * 1024,
  /** Elements or brackets within each other; the formats have up to eight. */
  sourceDepthMax: 64,
  /** What one packed source file may unpack to; the largest real one is some 13 GB. */
  sourceUnpackedBytesMax: 128 * 1024 ** 3,
  /** Unpacked by packed size; real files stay under 40. */
  sourceUnpackRatioMax: 250,
  /** The ratio is not checked below this size. */
  sourceUnpackRatioFromBytes: 32 * 1024 * 1024,
} as const;
