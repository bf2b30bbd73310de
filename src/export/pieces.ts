/** Joins small parts to pieces that are large enough for a write. */

const pieceBytes = 256 * 1024;

/** @param parts may each be overwritten once the next one is requested */
export function* pieces(parts: Iterable<Uint8Array>): Generator<Uint8Array> {
  let piece = Buffer.allocUnsafe(pieceBytes);
  let length = 0;
  for (const part of parts) {
    if (length + part.length > piece.length) {
      yield piece.subarray(0, length);
      // Start a new buffer: a piece is written while the next one is filled.
      piece = Buffer.allocUnsafe(Math.max(pieceBytes, part.length));
      length = 0;
    }
    piece.set(part, length);
    length += part.length;
  }
  yield piece.subarray(0, length);
}
