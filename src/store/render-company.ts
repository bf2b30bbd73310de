/** Renders a packed company as the JSON of a Company. It joins constants and slots and parses nothing. */
import { legalFormLabel } from '../lei/legal-form-list.ts';
import { JsonBytes, type JsonPiece, nullPiece, piece } from '../protocol/json-bytes.ts';
import {
  companyPlaces,
  derived,
  leiLength,
  provenanceSlot,
  repeating,
  slotCount,
  slotOf,
} from './company-fields.ts';
import type { ProvenanceFile } from './company-record.ts';
import { jsonBetween } from './field-codecs.ts';
import { noMappings } from './mapping-record.ts';
import {
  digitsAt,
  endFrom,
  fieldEndFrom,
  findSlots,
  isSame,
  type Member,
  member,
  type PutPart,
  rowEndFrom,
} from './packed-json.ts';

/** Texts of an answer that no record stores, as JSON prepared once. */
export interface RecordTexts {
  /** Up to the value of `firstSeen`. */
  readonly files: readonly JsonPiece[];
  readonly versions: readonly JsonPiece[];
  readonly links: LinkTexts;
}

export function recordTexts(
  files: readonly ProvenanceFile[],
  versions: readonly string[],
  companyPath = companyPathBelow(''),
): RecordTexts {
  return {
    files: files.map(({ source, name, publishedAt }) =>
      piece(
        `{"source":${JSON.stringify(source)},"file":${JSON.stringify(name)},"publishedAt":${JSON.stringify(publishedAt)},"firstSeen":`,
      ),
    ),
    versions: versions.map((version) => piece(JSON.stringify(version))),
    links: linkTexts(companyPath),
  };
}

/** The path of a company's own address up to its LEI. @param basePath the path of LEI_BASE_URL; '' for none */
export function companyPathBelow(basePath: string): string {
  return `${basePath}/api/v1/lei/`;
}

/** Shared by all calls, because one record is rendered at a time. */
const out = new JsonBytes();
/** Start of each slot, and one past the end of the last. */
const starts = new Int32Array(slotCount + 1);

/**
 * Finished JSON of a Company; valid until the next is rendered.
 * @param stored its first `length` bytes are a record with its provenance
 * @param mappings JSON of its mappings
 */
export function renderCompany(
  stored: Uint8Array,
  length: number,
  texts: RecordTexts,
  mappings: JsonBytes,
): Uint8Array<ArrayBuffer> {
  out.begin();
  findSlots(starts, stored, length);
  let index = 0;
  for (const { before, put } of members) {
    out.put(before);
    put(out, stored, start(index), stop(index));
    index++;
  }
  putProvenance(stored, texts);
  out.put(mappingsPiece);
  out.append(mappings);
  putLinks(stored, texts.links);
  return out.bytes();
}

/** JSON text of a Company with empty mappings, for code that parses it. */
export function companyText(stored: string, texts: RecordTexts): string {
  const bytes = Buffer.from(stored);
  return Buffer.from(renderCompany(bytes, bytes.length, texts, noMappings.json)).toString();
}

/** The `lei` of a rendered company. @throws SyntaxError for a text that is not JSON */
export function leiInJson(json: Uint8Array): unknown {
  const value: unknown = JSON.parse(Buffer.from(json).toString());
  return typeof value === 'object' && value !== null && 'lei' in value ? value.lei : null;
}

function start(index: number): number {
  return starts[index] ?? 0;
}

/** One past the last byte of a slot. */
function stop(index: number): number {
  return (starts[index + 1] ?? 0) - 1;
}

/** Positions of the JSON of fields that other fields may repeat, by slot. */
const jsonFrom = new Int32Array(slotCount);
const jsonTo = new Int32Array(slotCount);

/** Records the position of the JSON of a field. */
function noted(slot: number, putField: PutPart): PutPart {
  return (json, bytes, from, to) => {
    jsonFrom[slot] = json.length;
    putField(json, bytes, from, to);
    jsonTo[slot] = json.length;
  };
}

/** Repeats the JSON of another field if this field is stored as a repetition of it. */
function repeated(other: number, putField: PutPart): PutPart {
  return (json, bytes, from, to) => {
    if (isSame(bytes, from, to)) json.repeat(jsonFrom[other] ?? 0, jsonTo[other] ?? 0);
    else putField(json, bytes, from, to);
  };
}

const beforeDerived = piece(jsonBetween(companyPlaces[derived.after]?.path ?? [], derived.path));

/** Adds the member that is not stored ({@link derived}). */
function followed(putField: PutPart): PutPart {
  return (json, bytes, from, to) => {
    putField(json, bytes, from, to);
    json.put(beforeDerived);
    putLabel(json, bytes, start(derived.from), stop(derived.from));
  };
}

/** Length of an Entity Legal Form code (ISO 20275). */
const codeLength = 4;
/** Caches each name; there are a few thousand codes. A published code may be missing from the list. */
const labels = new Map<number, JsonPiece>();
const labelsMax = 20_000;

/** The name in the ISO 20275 list; null for a code that is not in it. */
function putLabel(json: JsonBytes, bytes: Uint8Array, from: number, to: number): void {
  json.put(to - from === codeLength ? labelOf(bytes, from) : nullPiece);
}

function labelOf(bytes: Uint8Array, from: number): JsonPiece {
  let key = 0;
  for (let at = from; at < from + codeLength; at++) key = (key << 8) | (bytes[at] ?? 0);
  const known = labels.get(key);
  if (known !== undefined) return known;
  const code = String.fromCharCode(...bytes.subarray(from, from + codeLength));
  const json = piece(JSON.stringify(legalFormLabel(code)));
  if (labels.size < labelsMax) labels.set(key, json);
  return json;
}

/** Renders a slot: by its codec, with the exceptions above. */
function putterOf(slot: number, put: PutPart): PutPart {
  const same = repeating.find((one) => one.slot === slot);
  if (same !== undefined) return repeated(same.repeated, put);
  if (repeating.some((one) => one.repeated === slot)) return noted(slot, put);
  return slot === derived.after ? followed(put) : put;
}

/** The JSON before the value of each slot, and how to write the value. */
const members: readonly Member[] = companyPlaces.map(({ path, put }, slot) =>
  member(jsonBetween(pathBefore(slot), path), putterOf(slot, put)),
);

/** Path of the value that is rendered just before a slot. */
function pathBefore(slot: number): readonly string[] {
  return slot - 1 === derived.after ? derived.path : (companyPlaces[slot - 1]?.path ?? []);
}

const provenancePiece = piece(jsonBetween(pathBefore(provenanceSlot), ['provenance']));
const lastChangedPiece = piece(',"lastChanged":');
const fileUnknown = piece('{"source":null,"file":null,"publishedAt":null,"firstSeen":');
const comma = 0x2c;
const quote = 0x22;

/** Renders provenance. Its slot holds three numbers: the indexes of the file and of two versions. */
function putProvenance(stored: Uint8Array, { files, versions }: RecordTexts): void {
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
const managingLouPiece = piece('/changes","managingLou":');
const successorsPiece = piece(',"successors":[');
const endPiece = piece(']}}');

/** The JSON before each LEI in the links of a record. */
interface LinkTexts {
  readonly self: JsonPiece;
  readonly relationships: JsonPiece;
  readonly changes: JsonPiece;
  /** Before the LEI of another company. */
  readonly other: JsonPiece;
}

function linkTexts(companyPath: string): LinkTexts {
  return {
    self: piece(`,"links":{"self":"${companyPath}`),
    relationships: piece(`","relationships":"${companyPath}`),
    changes: piece(`/relationships","changes":"${companyPath}`),
    other: piece(`"${companyPath}`),
  };
}

function putLinks(stored: Uint8Array, { self, relationships, changes, other }: LinkTexts): void {
  const lei = start(leiSlot);
  out.put(self);
  out.copy(stored, lei, lei + leiLength);
  out.put(relationships);
  out.copy(stored, lei, lei + leiLength);
  out.put(changes);
  out.copy(stored, lei, lei + leiLength);
  out.put(managingLouPiece);
  putLink(other, stored, start(managingLouSlot), stop(managingLouSlot));
  out.put(successorsPiece);
  putSuccessorLinks(other, stored);
  out.put(endPiece);
}

/** The address of another company, or null. */
function putLink(before: JsonPiece, bytes: Uint8Array, from: number, to: number): void {
  if (!hasAddress(bytes, from, to)) {
    out.put(nullPiece);
    return;
  }
  out.put(before);
  out.copy(bytes, from, to);
  out.byte(quote);
}

/** Whether a value can be an LEI. Published values may be something else, and get no link. */
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

/** Links to the successors with a known LEI. */
function putSuccessorLinks(before: JsonPiece, stored: Uint8Array): void {
  const to = stop(successorEntitiesSlot);
  const empty = out.length;
  for (let row = start(successorEntitiesSlot); row < to; row = rowEndFrom(stored, row, to) + 1) {
    const end = fieldEndFrom(stored, row, to);
    if (!hasAddress(stored, row, end)) continue;
    if (out.length > empty) out.byte(comma);
    putLink(before, stored, row, end);
  }
}
