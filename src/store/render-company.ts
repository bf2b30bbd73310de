/** Renders a packed company as the JSON of a Company: constants and slots joined, nothing parsed. */
import { JsonBytes, nullPiece, piece } from '../protocol/json-bytes.ts';
import { leiLength, type ProvenanceFile, slot, slotCount } from './company-record.ts';
import { putLabel } from './legal-form-json.ts';
import { noMappings } from './mapping-record.ts';
import {
  digitsAt,
  endFrom,
  fieldEndFrom,
  type Member,
  member,
  objectOf,
  type PutPart,
  putElements,
  putValue,
  rowEndFrom,
  rowsOf,
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
/** Where the JSON of the legal address stands, for a headquarters address that is the same. */
const addressJson = { from: 0, to: 0 };

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

const addressMembers: readonly Member[] = [
  member(',"addressLines":', putElements),
  member(',"addressNumber":'),
  member(',"addressNumberWithinBuilding":'),
  member(',"mailRouting":'),
  member(',"city":'),
  member(',"region":'),
  member(',"country":'),
  member(',"postalCode":'),
];
const putAddress = objectOf([member('"language":'), ...addressMembers]);
const putTypedAddress = objectOf([member('"type":'), member(',"language":'), ...addressMembers]);
const putName = objectOf([member('"name":'), member(',"language":'), member(',"type":')]);
const putAssociatedEntity = objectOf([member('"type":'), member(',"lei":'), member(',"name":')]);
const putSuccessor = objectOf([member('"lei":'), member(',"name":')]);
// The last member stands outside the object that the first two are in.
const putAuthority = objectOf([
  member('"validatedAt":{"id":'),
  member(',"other":'),
  member('},"validatedAs":'),
]);

const putLegalAddress: PutPart = (json, bytes, from, to) => {
  addressJson.from = json.length;
  putAddress(json, bytes, from, to);
  addressJson.to = json.length;
};

const putHeadquarters: PutPart = (json, bytes, from, to) => {
  if (isSame(bytes, from, to)) json.repeat(addressJson.from, addressJson.to);
  else putAddress(json, bytes, from, to);
};

/** A value that may be the same as that of another slot. */
function valueOrThatOf(other: number): PutPart {
  return (json, bytes, from, to) => {
    if (isSame(bytes, from, to)) putValue(json, bytes, start(other), stop(other));
    else putValue(json, bytes, from, to);
  };
}

const labelPiece = piece(',"label":');

/** A legal form's other name, then what follows from its code: its name in the ISO 20275 list. */
const putOtherFormAndLabel: PutPart = (json, bytes, from, to) => {
  putValue(json, bytes, from, to);
  json.put(labelPiece);
  putLabel(json, bytes, start(slot.legalForm), stop(slot.legalForm));
};

const putAssociated: PutPart = (json, bytes, from, to) => {
  if (from === to) putValue(json, bytes, from, to);
  else putAssociatedEntity(json, bytes, from, to);
};

const emptyList = piece('[]');

/** Finished JSON of a list, or nothing. */
const putList: PutPart = (json, bytes, from, to) => {
  if (from === to) json.put(emptyList);
  else json.copy(bytes, from, to);
};

/** In the order of the slots. */
const members: readonly Member[] = [
  member('{"lei":'),
  member(',"entity":{"legalName":{"name":'),
  member(',"language":'),
  member('},"otherNames":', rowsOf(putName)),
  member(',"transliteratedOtherNames":', rowsOf(putName)),
  member(',"legalAddress":', putLegalAddress),
  member(',"headquartersAddress":', putHeadquarters),
  member(',"otherAddresses":', rowsOf(putTypedAddress)),
  member(',"transliteratedOtherAddresses":', rowsOf(putTypedAddress)),
  member(',"registeredAt":{"id":'),
  member(',"other":'),
  member('},"registeredAs":'),
  member(',"jurisdiction":'),
  member(',"category":'),
  member(',"subCategory":'),
  member(',"legalForm":{"id":'),
  member(',"other":', putOtherFormAndLabel),
  member('},"associatedEntity":', putAssociated),
  member(',"status":'),
  member(',"creationDate":'),
  member(',"expiration":{"date":'),
  member(',"reason":'),
  member('},"successorEntities":', rowsOf(putSuccessor)),
  member(',"eventGroups":', putList),
  member('},"registration":{"status":'),
  member(',"initialRegistrationDate":'),
  member(',"lastUpdateDate":'),
  member(',"nextRenewalDate":'),
  member(',"managingLou":'),
  member('},"validation":{"corroborationLevel":'),
  member(',"validatedAt":{"id":', valueOrThatOf(slot.registeredAt)),
  member(',"other":'),
  member('},"validatedAs":', valueOrThatOf(slot.registeredAs)),
  member(',"otherValidationAuthorities":', rowsOf(putAuthority)),
  member(',"conformityFlag":'),
];

const provenancePiece = piece('},"provenance":');
const lastChangedPiece = piece(',"lastChanged":');
const fileUnknown = piece('{"source":null,"file":null,"publishedAt":null,"firstSeen":');
const comma = 0x2c;

/** The slot holds three numbers: indexes of the file and of two versions. */
function putProvenance(stored: Uint8Array, { files, versions }: ProvenanceTexts): void {
  const from = start(slot.provenance);
  const to = stop(slot.provenance);
  const fileEnd = endFrom(comma, stored, from, to);
  const firstSeenEnd = endFrom(comma, stored, fileEnd + 1, to);
  out.put(provenancePiece);
  out.put(files[digitsAt(stored, from, fileEnd)] ?? fileUnknown);
  out.put(versions[digitsAt(stored, fileEnd + 1, firstSeenEnd)] ?? nullPiece);
  out.put(lastChangedPiece);
  out.put(versions[digitsAt(stored, firstSeenEnd + 1, to)] ?? nullPiece);
}

const mappingsPiece = piece('},"mappings":');
const companyPath = '/api/v1/lei/';
const selfPiece = piece(`,"links":{"self":"${companyPath}`);
const relationshipsPiece = piece(`","relationships":"${companyPath}`);
const changesPiece = piece(`/relationships","changes":"${companyPath}`);
const managingLouPiece = piece('/changes","managingLou":');
const successorsPiece = piece(',"successors":[');
const endPiece = piece(']}}');
const linkPiece = piece(`"${companyPath}`);

function putLinks(stored: Uint8Array): void {
  const lei = start(slot.lei);
  out.put(selfPiece);
  out.copy(stored, lei, lei + leiLength);
  out.put(relationshipsPiece);
  out.copy(stored, lei, lei + leiLength);
  out.put(changesPiece);
  out.copy(stored, lei, lei + leiLength);
  out.put(managingLouPiece);
  putLink(out, stored, start(slot.managingLou), stop(slot.managingLou));
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
  const to = stop(slot.successorEntities);
  const empty = out.length;
  for (let row = start(slot.successorEntities); row < to; row = rowEndFrom(stored, row, to) + 1) {
    const end = fieldEndFrom(stored, row, to);
    if (!hasAddress(stored, row, end)) continue;
    if (out.length > empty) out.byte(comma);
    putLink(out, stored, row, end);
  }
}
