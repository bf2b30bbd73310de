/** What identifiers map to a company, as the environment holds it: one slot a kind, values separated by tabs. */
import { JsonBytes, piece } from '../protocol/json-bytes.ts';
import { fieldEndFrom, type Member, member, type PutPart, putFields, slotEndFrom } from './packed-json.ts';
import { fieldSeparator, pack, slotSeparator } from './packing.ts';

/** In slot order. The ISIN slot holds the count, then the first ones. */
export const mappingKinds = ['bic', 'mic', 'gem', 'qcc', 'ocid', 'isin'] as const;
export type MappingKind = (typeof mappingKinds)[number];

/** How many ISINs a company shows. */
export const isinsShownMax = 20;

const nothing = slotSeparator.repeat(mappingKinds.length - 1);

/** The slot of one kind. `values` ascending and distinct; of ISINs the first are enough beside their `count`. */
export function packMappingSlot(kind: MappingKind, values: readonly string[], count = values.length): string {
  if (count === 0) return '';
  if (kind !== 'isin') return values.map(pack).join(fieldSeparator);
  return [String(count), ...values.slice(0, isinsShownMax).map(pack)].join(fieldSeparator);
}

/** The packed slots of a company's mappings, in the order of {@link mappingKinds}. */
export function mappingSlots(stored: string | undefined): string[] {
  return (stored ?? nothing).split(slotSeparator);
}

/** Null where nothing is left to store. */
export function joinMappingSlots(slots: readonly string[]): string | null {
  const stored = slots.join(slotSeparator);
  return stored === nothing ? null : stored;
}

export function mappingSlot(stored: string | undefined, kind: MappingKind): string {
  return mappingSlots(stored)[mappingKinds.indexOf(kind)] ?? '';
}

export interface RenderedMappings {
  /** JSON of Mappings; used again for the next company. */
  readonly json: JsonBytes;
  readonly hasBic: boolean;
  readonly hasMic: boolean;
  readonly hasGem: boolean;
}

const noIsins = piece('{"count":0,"first":[]}');
const isinCount = piece('{"count":');
const isinFirst = piece(',"first":');
const end = piece('}');

/** The count, then the first of them. */
const putIsins: PutPart = (json, stored, from, to) => {
  if (from === to) {
    json.put(noIsins);
    return;
  }
  const countEnd = fieldEndFrom(stored, from, to);
  json.put(isinCount);
  json.copy(stored, from, countEnd);
  json.put(isinFirst);
  putFields(json, stored, Math.min(countEnd + 1, to), to);
  json.put(end);
};

/** In the order of {@link mappingKinds}. */
const members: readonly Member[] = [
  member('{"bic":', putFields),
  member(',"mic":', putFields),
  member(',"gem":', putFields),
  member(',"qcc":', putFields),
  member(',"ocid":', putFields),
  member(',"isin":', putIsins),
];

const out = new JsonBytes();

/** @param stored its first `length` bytes are the packed mappings of a company */
export function renderMappings(stored: Uint8Array, length: number): RenderedMappings {
  return renderInto(out, stored, length);
}

export const noMappings: RenderedMappings = renderInto(new JsonBytes(), new Uint8Array(0), 0);

function renderInto(json: JsonBytes, stored: Uint8Array, length: number): RenderedMappings {
  json.begin();
  const filled: boolean[] = [];
  let from = 0;
  for (const { before, put } of members) {
    const to = slotEndFrom(stored, from, length);
    filled.push(to > from);
    json.put(before);
    put(json, stored, from, to);
    from = Math.min(to + 1, length);
  }
  json.put(end);
  const [hasBic = false, hasMic = false, hasGem = false] = filled;
  return { json, hasBic, hasMic, hasGem };
}
