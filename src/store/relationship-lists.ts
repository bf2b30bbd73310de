/** Packs the numbers of an entity's relationship records: how many it starts, the ones it starts, the ones it ends. */
import { uint32At } from '../bytes/numbers-in-bytes.ts';

export interface RelationshipLists {
  readonly asStart: readonly number[];
  readonly asEnd: readonly number[];
}
export const noRelationships: RelationshipLists = { asStart: [], asEnd: [] };

interface PackableLists {
  readonly asStart: Uint32Array;
  readonly asEnd: Uint32Array;
}

/** At least one list must have a number: two empty lists are not stored. */
export function packRelationshipLists(lists: PackableLists): Buffer {
  const { asStart, asEnd } = lists;
  const bytes = Buffer.allocUnsafe(4 * (1 + asStart.length + asEnd.length));
  let at = bytes.writeUInt32LE(asStart.length, 0);
  for (const number of asStart) at = bytes.writeUInt32LE(number, at);
  for (const number of asEnd) at = bytes.writeUInt32LE(number, at);
  return bytes;
}

/** @param length how many of the bytes belong to the lists */
export function unpackRelationshipLists(
  bytes: Uint8Array | undefined,
  length = bytes?.length ?? 0,
): RelationshipLists {
  if (bytes === undefined) return noRelationships;
  const starts = uint32At(bytes, 0);
  const asStart: number[] = [];
  const asEnd: number[] = [];
  for (let at = 4; at < length; at += 4) {
    const list = asStart.length < starts ? asStart : asEnd;
    list.push(uint32At(bytes, at));
  }
  return { asStart, asEnd };
}
