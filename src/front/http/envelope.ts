/** Joins the three members of a 200 as bytes: `data` arrives as finished JSON from a query thread. */
import { JsonBytes, piece } from '../../protocol/json-bytes.ts';

const dataPiece = piece('{"data":');
const metaPiece = piece(',"meta":');
const nextPiece = piece('","next":"');
const endPiece = piece('"}}');

export interface Envelope {
  /**
   * @param data finished JSON
   * @param meta finished JSON
   * @param self path and query below the base path, percent-encoded: ASCII that needs no escape in JSON
   * @param next cursor value, base64url; null on the last page
   * @returns the body in UTF-8, valid until the next one is made
   */
  around(data: Uint8Array, meta: Uint8Array, self: string, next: string | null): Uint8Array<ArrayBuffer>;
  /** The beginning of a body whose data comes in parts, with the first of them, in the caller's memory. */
  opening(data: Uint8Array): Uint8Array<ArrayBuffer>;
  /** The end of such a body, with the rest of the data, in the caller's memory. */
  closing(data: Uint8Array, meta: Uint8Array, self: string): Uint8Array<ArrayBuffer>;
  /** A body of finished JSON without an envelope; equally valid until the next one is made. */
  bare(json: Uint8Array): Uint8Array<ArrayBuffer>;
  /** The last body with its memory, which then belongs to the caller: a large body is not copied. */
  keepLast(): Uint8Array<ArrayBuffer>;
}

/** @param basePath the path of LEI_BASE_URL, percent-encoded; '' for none */
export function createEnvelope(basePath: string): Envelope {
  // One buffer for all bodies: the caller copies the body, or keeps it, before another is made.
  const body = new JsonBytes();
  const selfPiece = piece(`,"links":{"self":"${basePath}`);
  const piecesBytes = [dataPiece, metaPiece, selfPiece, nextPiece, endPiece].reduce(
    (sum, { length }) => sum + length,
    0,
  );
  const putAfterData = (meta: Uint8Array, self: string, next: string | null) => {
    body.put(metaPiece);
    body.block(meta);
    body.put(selfPiece);
    body.text(self);
    if (next !== null) {
      body.put(nextPiece);
      body.text(next);
    }
    body.put(endPiece);
  };
  return {
    around(data, meta, self, next) {
      const texts = self.length + (next?.length ?? 0);
      // UTF-8 takes at most three bytes for each UTF-16 unit.
      body.begin(data.length + meta.length + 3 * texts + piecesBytes);
      body.put(dataPiece);
      body.block(data);
      putAfterData(meta, self, next);
      return body.bytes();
    },
    opening(data) {
      body.begin();
      body.put(dataPiece);
      body.block(data);
      return new Uint8Array(body.bytes());
    },
    closing(data, meta, self) {
      body.begin();
      body.block(data);
      putAfterData(meta, self, null);
      return new Uint8Array(body.bytes());
    },
    bare(json) {
      body.begin(json.length);
      body.block(json);
      return body.bytes();
    },
    keepLast: () => body.handOver(),
  };
}
