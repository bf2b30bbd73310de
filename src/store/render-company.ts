/** Renders a packed company as the JSON of a Company: constants and slots joined, nothing parsed. */
import { JsonBytes, nullPiece, piece } from '../protocol/json-bytes.ts';
import { companyPlaces, derived, provenanceSlot, repeating, slotCount, slotOf } from './company-fields.ts';
import { leiLength, type ProvenanceFile } from './company-record.ts';
import { jsonBetween } from './field-codecs.ts';
import { noMappings } from './mapping-record.ts';
import {
  digitsAt,
  endFrom,
  fieldEndFrom,
  type Member,
  member,
  type PutPart,
  rowEndFrom,
  slotEndFrom,
} from './packed-json.ts';
import { same } from './packing.ts';

/** What the indexes in a record point to, as pieces of JSON made once. */
export interface ProvenanceTexts {
  /** Up to the value of `firstSeen`. */
  readonly files: readonly Uint8Array[];
  readonly versions: readonly Uint8Array[];
}

export function provenanceTexts(
  files: readonly ProvenanceFile[],
  versions: readonly string[],
): ProvenanceTexts {
  return {
    files: files.map(({ source, name, publishedAt }) =>
      piece(
        `{"source":${JSON.stringify(source)},"file":${JSON.stringify(name)},"publishedAt":${JSON.stringify(publishedAt)},"firstSeen":`,
      ),
    ),
    versions: versions.map((version) => piece(JSON.stringify(version))),
  };
}

/** One record is rendered at a time, so these serve all. */
const out = new JsonBytes();
/** Where each slot starts, and one past the end of the last. */
const starts = new Int32Array(slotCount + 1);

/**
 * Finished JSON of a whole Company, valid until the next one is rendered.
 * @param stored its first `length` bytes are a record with its provenance
 * @param mappings JSON of its mappings
 */
export function renderCompany(
  stored: Uint8Array,
  length: number,
  texts: ProvenanceTexts,
  mappings: JsonBytes,
): Uint8Array<ArrayBuffer> {
  out.begin();
  findSlots(stored, length);
  let index = 0;
  for (const { before, put } of members) {
    out.put(before);
    put(out, stored, start(index), stop(index));
    index++;
  }
  putProvenance(stored, texts);
  out.put(mappingsPiece);
  out.append(mappings);
  putLinks(stored);
  return out.bytes();
}

/** JSON text of a Company with empty mappings, for whoever reads it again. */
export function companyText(stored: string, texts: ProvenanceTexts): string {
  const bytes = Buffer.from(stored);
  return Buffer.from(renderCompany(bytes, bytes.length, texts, noMappings.json)).toString();
}

function findSlots(stored: Uint8Array, length: number): void {
  let from = 0;
  for (let index = 0; index < slotCount; index++) {
    starts[index] = from;
    from = Math.min(slotEndFrom(stored, from, length), length) + 1;
  }
  starts[slotCount] = length + 1;
}

function start(index: number): number {
  return starts[index] ?? 0;
}

/** One past the last byte of a slot. */
function stop(index: number): number {
  return (starts[index + 1] ?? 0) - 1;
}

const quote = same.charCodeAt(0);
const equals = same.charCodeAt(1);

function isSame(bytes: Uint8Array, from: number, to: number): boolean {
  return to - from === same.length && bytes[from] === quote && bytes[from + 1] === equals;
}

/** Where the JSON of a field stands that others may repeat, by its slot. */
const jsonFrom = new Int32Array(slotCount);
const jsonTo = new Int32Array(slotCount);

/** Notes where the JSON of a field stands. */
function noted(slot: number, putField: PutPart): PutPart {
  return (json, bytes, from, to) => {
    jsonFrom[slot] = json.length;
    putField(json, bytes, from, to);
    jsonTo[slot] = json.length;
  };
}

/** Repeats the JSON of another field where this one is stored as the same. */
function repeated(other: number, putField: PutPart): PutPart {
  return (json, bytes, from, to) => {
    if (isSame(bytes, from, to)) json.repeat(jsonFrom[other] ?? 0, jsonTo[other] ?? 0);
    else putField(json, bytes, from, to);
  };
}

const beforeDerived = piece(jsonBetween(companyPlaces[derived.after]?.path ?? [], derived.path));

/** Adds the member that is made from the stored text of another field. */
function followed(putField: PutPart): PutPart {
  return (json, bytes, from, to) => {
    putField(json, bytes, from, to);
    json.put(beforeDerived);
    derived.put(json, bytes, start(derived.from), stop(derived.from));
  };
}

/** How a slot is rendered, with what stands beside its own codec. */
function putterOf(slot: number, put: PutPart): PutPart {
  const same = repeating.find((one) => one.slot === slot);
  if (same !== undefined) return repeated(same.repeated, put);
  if (repeating.some((one) => one.repeated === slot)) return noted(slot, put);
  return slot === derived.after ? followed(put) : put;
}

/** Up to the value of each slot, and how that is written. */
const members: readonly Member[] = companyPlaces.map(({ path, put }, slot) =>
  member(slot === 0 ? `{"${path.join()}":` : jsonBetween(pathBefore(slot), path), putterOf(slot, put)),
);

/** Of the value that is rendered last before that of a slot. */
function pathBefore(slot: number): readonly string[] {
  return slot - 1 === derived.after ? derived.path : (companyPlaces[slot - 1]?.path ?? []);
}

const provenancePiece = piece(jsonBetween(pathBefore(provenanceSlot), ['provenance']));
const lastChangedPiece = piece(',"lastChanged":');
const fileUnknown = piece('{"source":null,"file":null,"publishedAt":null,"firstSeen":');
const comma = 0x2c;

/** The slot holds three numbers: indexes of the file and of two versions. */
function putProvenance(stored: Uint8Array, { files, versions }: ProvenanceTexts): void {
  const from = start(provenanceSlot);
  const to = stop(provenanceSlot);
  const fileEnd = endFrom(comma, stored, from, to);
  const firstSeenEnd = endFrom(comma, stored, fileEnd + 1, to);
  out.put(provenancePiece);
  out.put(files[digitsAt(stored, from, fileEnd)] ?? fileUnknown);
  out.put(versions[digitsAt(stored, fileEnd + 1, firstSeenEnd)] ?? nullPiece);
  out.put(lastChangedPiece);
  out.put(versions[digitsAt(stored, firstSeenEnd + 1, to)] ?? nullPiece);
}

const mappingsPiece = piece('},"mappings":');
const leiSlot = slotOf('lei');
const managingLouSlot = slotOf('registration.managingLou');
const successorEntitiesSlot = slotOf('entity.successorEntities');
const companyPath = '/api/v1/lei/';
const selfPiece = piece(`,"links":{"self":"${companyPath}`);
const relationshipsPiece = piece(`","relationships":"${companyPath}`);
const changesPiece = piece(`/relationships","changes":"${companyPath}`);
const managingLouPiece = piece('/changes","managingLou":');
const successorsPiece = piece(',"successors":[');
const endPiece = piece(']}}');
const linkPiece = piece(`"${companyPath}`);

function putLinks(stored: Uint8Array): void {
  const lei = start(leiSlot);
  out.put(selfPiece);
  out.copy(stored, lei, lei + leiLength);
  out.put(relationshipsPiece);
  out.copy(stored, lei, lei + leiLength);
  out.put(changesPiece);
  out.copy(stored, lei, lei + leiLength);
  out.put(managingLouPiece);
  putLink(out, stored, start(managingLouSlot), stop(managingLouSlot));
  out.put(successorsPiece);
  putSuccessorLinks(stored);
  out.put(endPiece);
}

/** An address of the API, or null. */
const putLink: PutPart = (json, bytes, from, to) => {
  if (!hasAddress(bytes, from, to)) {
    json.put(nullPiece);
    return;
  }
  json.put(linkPiece);
  json.copy(bytes, from, to);
  json.byte(quote);
};

/** Whether a value can be an LEI: one that is kept as published though it is none leads nowhere. */
function hasAddress(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from !== leiLength) return false;
  for (let at = from; at < to; at++) if (!isLetterOrDigit(bytes[at] ?? 0)) return false;
  return true;
}

function isLetterOrDigit(byte: number): boolean {
  if (byte <= 0x39) return byte >= 0x30;
  const small = byte | 0x20;
  return small >= 0x61 && small <= 0x7a;
}

/** Of the successors whose LEI is known. */
function putSuccessorLinks(stored: Uint8Array): void {
  const to = stop(successorEntitiesSlot);
  const empty = out.length;
  for (let row = start(successorEntitiesSlot); row < to; row = rowEndFrom(stored, row, to) + 1) {
    const end = fieldEndFrom(stored, row, to);
    if (!hasAddress(stored, row, end)) continue;
    if (out.length > empty) out.byte(comma);
    putLink(out, stored, row, end);
  }
}
