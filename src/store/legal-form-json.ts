/** The JSON of a legal form's name, which follows from its code. */
import { legalFormLabel } from '../lei/codes.ts';
import { type JsonBytes, nullPiece, piece } from '../protocol/json-bytes.ts';

/** An Entity Legal Form code (ISO 20275). */
const codeLength = 4;
/** The codes number a few thousand, so each name is made once. Codes are kept as published: nobody says they all exist. */
const labels = new Map<number, Uint8Array>();
const labelsMax = 20_000;

/** The name in the ISO 20275 list, or null where the code is none of it. */
export function putLabel(out: JsonBytes, bytes: Uint8Array, from: number, to: number): void {
  out.put(to - from === codeLength ? labelOf(bytes, from) : nullPiece);
}

function labelOf(bytes: Uint8Array, from: number): Uint8Array {
  let key = 0;
  for (let at = from; at < from + codeLength; at++) key = (key << 8) | (bytes[at] ?? 0);
  const known = labels.get(key);
  if (known !== undefined) return known;
  const code = String.fromCharCode(...bytes.subarray(from, from + codeLength));
  const json = piece(JSON.stringify(legalFormLabel(code)));
  if (labels.size < labelsMax) labels.set(key, json);
  return json;
}
