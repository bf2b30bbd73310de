/**
 * Reads whole numbers below 2^32 from one to five bytes: seven bits per byte, the lowest first, the top bit set while
 * more follow. {@link ByteWriter.varint} writes them.
 */

/** The position of the next number. */
interface ByteCursor {
  readonly bytes: Uint8Array;
  at: number;
}

/** Reads a number and moves behind it. */
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
