/** Reads numbers in rows of lmdb: unsigned, little-endian. */

/** Four bytes. Several times as fast as Buffer's own method on a row of lmdb. */
export function uint32At(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] ?? 0) |
      ((bytes[at + 1] ?? 0) << 8) |
      ((bytes[at + 2] ?? 0) << 16) |
      ((bytes[at + 3] ?? 0) << 24)) >>>
    0
  );
}

/** Two bytes. */
export function uint16At(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
}

/** Three bytes. */
export function uint24At(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
}

/** The position of the next number. */
interface ByteCursor {
  readonly bytes: Uint8Array;
  at: number;
}

/**
 * Reads a number below 2^32 of one to five bytes and moves behind it: seven bits per byte, the lowest first, the top bit
 * set while more follow. {@link ByteWriter.varint} writes them.
 */
export function readVarint(cursor: ByteCursor): number {
  const { bytes } = cursor;
  let byte = bytes[cursor.at++] ?? 0;
  let value = byte & 127;
  for (let shift = 7; byte > 127; shift += 7) {
    byte = bytes[cursor.at++] ?? 0;
    value |= (byte & 127) << shift;
  }
  return value >>> 0;
}
