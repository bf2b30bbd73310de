/** Joins the three members of a 200 as bytes: `data` arrives as finished JSON from a query thread. */
import { JsonBytes, piece } from '../../protocol/json-bytes.ts';

const dataPiece = piece('{"data":');
const metaPiece = piece(',"meta":');
const nextPiece = piece('","next":"');
const endPiece = piece('"}}');

/**
 * @param data finished JSON
 * @param meta finished JSON
 * @param self path and query below the base path, percent-encoded: ASCII that needs no escape in JSON
 * @param next cursor value, base64url; null on the last page
 * @returns the body in UTF-8, valid until the next one is made
 */
export type Envelope = (
  data: Uint8Array,
  meta: Uint8Array,
  self: string,
  next: string | null,
) => Uint8Array<ArrayBuffer>;

/** @param basePath the path of LEI_BASE_URL, percent-encoded; '' for none */
export function createEnvelope(basePath: string): Envelope {
  // One buffer for all bodies: the caller copies the body before another is made.
  const body = new JsonBytes();
  const selfPiece = piece(`,"links":{"self":"${basePath}`);
  return (data, meta, self, next) => {
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
  };
}
