/**
 * Looks up OpenCorporates ids, whose length varies, in a packed table by a hash of each. Another id may have the same
 * hash (one of 3,000 among a million and a half), so the ids that a company's mappings hold decide.
 */
import { hashText } from '../bytes/hash.ts';
import { type MappingKind, mappingTable } from '../lei/identifier-kinds.ts';
import { mappingValues } from './mapping-record.ts';

export const ocidKeyWidth = 4;

/** Registers write letters in numbers in either case; people write the other one. */
function folded(id: string): string {
  return id.toLowerCase();
}

/** Writes the key of an id. */
export function putOcidKey(id: string, into: Uint8Array, at: number): void {
  const hash = hashText(folded(id), 0);
  for (let i = 0; i < ocidKeyWidth; i++) into[at + i] = hash >>> (8 * i);
}

/** The key of an id, a character for each byte. */
export function ocidKey(id: string): string {
  const key = Buffer.alloc(ocidKeyWidth);
  putOcidKey(id, key, 0);
  return key.toString('latin1');
}

/** Whether packed mappings hold an id, in either case. */
export function hasOcid(mappings: string, id: string): boolean {
  const wanted = folded(id);
  return mappingValues(mappings, 'ocid').some((known) => folded(known) === wanted);
}

/** Bytes of the keys in the table of a kind. */
export function keyWidthOf(kind: MappingKind): number {
  return mappingTable[kind].width ?? ocidKeyWidth;
}
