/** Joins the three members of a 200 as bytes: `data` arrives as finished JSON from a query thread. */
import { JsonBytes, piece } from '../../protocol/json-bytes.ts';

const dataPiece = piece('{"data":');
const metaPiece = piece(',"meta":');
const selfPiece = piece(',"links":{"self":"');
const nextPiece = piece('","next":"');
const endPiece = piece('"}}');

const pieces = [dataPiece, metaPiece, selfPiece, nextPiece, endPiece];
const piecesBytes = pieces.reduce((sum, { length }) => sum + length, 0);

/** One buffer for all bodies: the caller copies the body, or keeps it, before another is made. */
const body = new JsonBytes();

/**
 * @param data finished JSON
 * @param meta finished JSON
 * @param self path and query, percent-encoded: ASCII that needs no escape in JSON
 * @param next cursor value, base64url; null on the last page
 * @returns the body in UTF-8, valid until the next one is made
 */
export function envelope(
  data: Uint8Array,
  meta: Uint8Array,
  self: string,
  next: string | null,
): Uint8Array<ArrayBuffer> {
  const texts = self.length + (next?.length ?? 0);
  // A text is given three bytes a character.
  body.begin(data.length + meta.length + 3 * texts + piecesBytes);
  body.put(dataPiece);
  body.block(data);
  body.put(metaPiece);
  body.block(meta);
  body.put(selfPiece);
  body.text(self);
  if (next !== null) {
    body.put(nextPiece);
    body.text(next);
  }
  body.put(endPiece);
  return body.bytes();
}

/** The last body, with its memory: nothing of a large one is copied. */
export function keepBody(): Uint8Array<ArrayBuffer> {
  return body.handOver();
}
