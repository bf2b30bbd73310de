/** Renders the name of a legal form from its code. */
import { legalFormLabel } from '../lei/codes.ts';
import { type JsonBytes, nullPiece, type Piece, piece } from '../protocol/json-bytes.ts';

/** An Entity Legal Form code (ISO 20275). */
const codeLength = 4;
/** Caches each name; there are a few thousand codes. A published code may be missing from the list. */
const labels = new Map<number, Piece>();
const labelsMax = 20_000;

/** The name in the ISO 20275 list; null for a code that is not in it. */
export function putLabel(out: JsonBytes, bytes: Uint8Array, from: number, to: number): void {
  out.put(to - from === codeLength ? labelOf(bytes, from) : nullPiece);
}

function labelOf(bytes: Uint8Array, from: number): Piece {
  let key = 0;
  for (let at = from; at < from + codeLength; at++) key = (key << 8) | (bytes[at] ?? 0);
  const known = labels.get(key);
  if (known !== undefined) return known;
  const code = String.fromCharCode(...bytes.subarray(from, from + codeLength));
  const json = piece(JSON.stringify(legalFormLabel(code)));
  if (labels.size < labelsMax) labels.set(key, json);
  return json;
}
