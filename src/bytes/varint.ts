/**
 * Whole numbers below 2^32 in one to five bytes: seven bits a byte, the lowest first, the top bit set while more
 * follow. {@link ByteWriter.varint} writes them.
 */

/** Where in some bytes the next number is read. */
interface ByteCursor {
  readonly bytes: Uint8Array;
  at: number;
}

/** Reads a number and moves past it. */
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
