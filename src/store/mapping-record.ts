/**
 * Packs the identifiers that map to a company: one slot for each kind, its values separated by tabs. Makes the keys of
 * OpenCorporates ids.
 */

import { hashText } from '../bytes/hash.ts';
import { kindsBySlot, type MappingKind, mappingTable } from '../lei/identifier-kinds.ts';
import { type Notices, noNotices, noticeOf } from '../lei/notices.ts';
import { JsonBytes, piece } from '../protocol/json-bytes.ts';
import { fieldEndFrom, type Member, member, type PutPart, putFields, slotEndFrom } from './packed-json.ts';
import { fieldSeparator, pack, slotSeparator, unpack } from './packing.ts';

const nothing = slotSeparator.repeat(kindsBySlot.length - 1);

/**
 * The slot of one kind. If answers show only part of a kind, the count precedes its values.
 * @param values ascending and distinct; only the shown ones are needed
 */
export function packMappingSlot(kind: MappingKind, values: readonly string[], count = values.length): string {
  if (count === 0) return '';
  const { shownMax } = mappingTable[kind];
  if (shownMax === null) return values.map(pack).join(fieldSeparator);
  return [String(count), ...values.slice(0, shownMax).map(pack)].join(fieldSeparator);
}

/** The packed slots of a company's mappings, in the order of {@link kindsBySlot}. */
export function mappingSlots(stored: string | undefined): string[] {
  return (stored ?? nothing).split(slotSeparator);
}

/** Null if no kind has a value. */
export function joinMappingSlots(slots: readonly string[]): string | null {
  const stored = slots.join(slotSeparator);
  return stored === nothing ? null : stored;
}

export function mappingSlot(stored: string | undefined, kind: MappingKind): string {
  return mappingSlots(stored)[mappingTable[kind].slot] ?? '';
}

/** All identifiers of a kind, from packed mappings; those of ISINs have only the first. */
export function mappingValues(stored: string | undefined, kind: Exclude<MappingKind, 'isin'>): string[] {
  const slot = mappingSlot(stored, kind);
  return slot === '' ? [] : slot.split(fieldSeparator).map((value) => unpack(value) ?? '');
}

/** The number of ISINs of a company, and the first of them, which its packed mappings contain. */
export function isinsShown(stored: string): { readonly count: number; readonly shown: readonly string[] } {
  const [count = '', ...shown] = mappingSlot(stored, 'isin').split(fieldSeparator);
  return { count: Number(count), shown };
}

interface RenderedMappings {
  /** JSON of Mappings; the next company reuses its memory. */
  readonly json: JsonBytes;
  /** Notices that the identifiers require. */
  readonly notices: Notices;
}

const noneShown = piece('{"count":0,"first":[]}');
const countPiece = piece('{"count":');
const firstPiece = piece(',"first":');
const end = piece('}');

/** Renders a count and the first values. */
const putFirst: PutPart = (json, stored, from, to) => {
  if (from === to) {
    json.put(noneShown);
    return;
  }
  const countEnd = fieldEndFrom(stored, from, to);
  json.put(countPiece);
  json.copy(stored, from, countEnd);
  json.put(firstPiece);
  putFields(json, stored, Math.min(countEnd + 1, to), to);
  json.put(end);
};

/** In the order of the slots. */
const members: readonly (Member & { readonly notices: Notices })[] = kindsBySlot.map((kind, slot) => ({
  ...member(
    `${slot === 0 ? '{' : ','}"${kind}":`,
    mappingTable[kind].shownMax === null ? putFields : putFirst,
  ),
  notices: noticeOf[kind],
}));

const out = new JsonBytes();

/** @param stored its first `length` bytes are the packed mappings of a company */
export function renderMappings(stored: Uint8Array, length: number): RenderedMappings {
  return renderInto(out, stored, length);
}

export const noMappings: RenderedMappings = renderInto(new JsonBytes(), new Uint8Array(0), 0);

function renderInto(json: JsonBytes, stored: Uint8Array, length: number): RenderedMappings {
  json.begin();
  let notices = noNotices;
  let from = 0;
  for (const { before, put, notices: called } of members) {
    const to = slotEndFrom(stored, from, length);
    if (to > from) notices |= called;
    json.put(before);
    put(json, stored, from, to);
    from = Math.min(to + 1, length);
  }
  json.put(end);
  return { json, notices };
}

/**
 * Bytes of the key of an OpenCorporates id. Their length varies, so a packed table holds a hash of each. Another id may
 * have the same hash (one of 3,000 among a million and a half), so the ids that a company's mappings hold decide.
 */
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
