/** Joins the three members of a 200 as bytes: `data` arrives as finished JSON from a query thread. */
import { JsonBytes, piece } from '../../protocol/json-bytes.ts';

const dataPiece = piece('{"data":');
const metaPiece = piece(',"meta":');
const selfPiece = piece(',"links":{"self":"');
const nextPiece = piece('","next":"');
const endPiece = piece('"}}');

/** One buffer for all bodies: the caller copies the body before another is made. */
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
  body.begin();
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
