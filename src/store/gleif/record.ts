/**
 * Renders a packed company as a resource `lei-records` of GLEIF's API. Like render-company.ts it joins constants and
 * slots, and parses nothing but events.
 */
import { kindsBySlot, type MappingKind } from '../../lei/identifier-kinds.ts';
import { type FieldPath, level1Fields } from '../../lei/level-1-fields.ts';
import { type JsonBytes, type JsonPiece, piece } from '../../protocol/json-bytes.ts';
import { companyPlaces, leiLength, repeating, slotCount, slotOf } from '../company-fields.ts';
import {
  fieldEndFrom,
  findSlots,
  isSame,
  type PutPart,
  putElements,
  putValue,
  rowEndFrom,
} from '../packed-json.ts';
import { putEventGroups } from './events.ts';
import type { GleifLinkTexts } from './gleif-reader.ts';
import { bitOf, putLinks } from './links.ts';
import { chosenObject, presentObject, putFirstOrNull, putListOrNull, putLists, putSeconds } from './parts.ts';

/** A stored company with the further data that its resource shows. */
interface GleifCompany {
  /** Its first `length` bytes are a record with its provenance. */
  readonly bytes: Uint8Array;
  readonly length: number;
  /** Its first `mappingsLength` bytes are the packed mappings. */
  readonly mappings: Uint8Array;
  readonly mappingsLength: number;
  /** Bits of the relations and exceptions that it has (links.ts). */
  readonly has: number;
}

/** Start of each slot, and one past the end of the last. Shared, because one record is rendered at a time. */
const starts = new Int32Array(slotCount + 1);
const mappingStarts = new Int32Array(kindsBySlot.length + 1);

/** Appends the resource of a company. */
export function putRecord(out: JsonBytes, company: GleifCompany, texts: GleifLinkTexts): void {
  const { bytes, mappings } = company;
  findSlots(starts, bytes, company.length);
  findSlots(mappingStarts, mappings, company.mappingsLength);
  out.put(resourcePiece);
  out.copy(bytes, 0, leiLength);
  out.put(attributesPiece);
  putMembers(out, bytes, mainMembers);
  for (const { before, put, slot } of mappingMembers) {
    // A company without identifiers has no slots.
    const to = (mappingStarts[slot + 1] ?? 0) - 1;
    out.put(before);
    put(out, mappings, Math.min(mappingStarts[slot] ?? 0, to), to);
  }
  putMembers(out, bytes, lastMembers);
  putLinks(out, bytes, company.has | linkedIn(bytes), texts);
  out.put(endPiece);
}

const resourcePiece = piece('{"type":"lei-records","id":"');
const attributesPiece = piece('","attributes":');
const endPiece = piece('}');

function start(slot: number): number {
  return starts[slot] ?? 0;
}

function stop(slot: number): number {
  return (starts[slot + 1] ?? 0) - 1;
}

/** A slot with the JSON before it. */
interface Shown {
  readonly before: JsonPiece;
  readonly slot: number;
  /** The slot whose value it usually repeats; itself if it repeats none. */
  readonly repeated: number;
  readonly put: PutPart;
}

/** @param put by default as the service's own answers write the field */
function shown(before: string, path: FieldPath, put?: PutPart): Shown {
  const slot = slotOf(path);
  const repeated = repeating.find((one) => one.slot === slot)?.repeated ?? slot;
  return { before: piece(before), slot, repeated, put: put ?? companyPlaces[slot]?.put ?? putValue };
}

function putMembers(out: JsonBytes, bytes: Uint8Array, members: readonly Shown[]): void {
  for (const { before, slot, repeated, put } of members) {
    out.put(before);
    const at = isSame(bytes, start(slot), stop(slot)) ? repeated : slot;
    put(out, bytes, start(at), stop(at));
  }
}

const linkedEntity = (lei: number, name: number) =>
  chosenObject([
    ['lei', lei, putValue],
    ['name', name, putValue],
  ]);
/** The packed fields of an associated entity are its type, its LEI and its name. */
const associatedFields = Object.keys(level1Fields.entity.associatedEntity.members);
const putAssociated = linkedEntity(associatedFields.indexOf('lei'), associatedFields.indexOf('name'));
const putOneSuccessor = linkedEntity(0, 1);
const putSuccessor: PutPart = (out, bytes, from, to) =>
  putOneSuccessor(out, bytes, from, rowEndFrom(bytes, from, to));

const rows =
  (put: PutPart): PutPart =>
  (out, bytes, from, to) =>
    putLists(out, bytes, [{ from, to, put }]);

const putSuccessors = rows(
  presentObject([
    ['lei', putValue],
    ['name', putValue],
    ['lang', putValue],
  ]),
);

const addressMembers = Object.keys(level1Fields.entity.legalAddress.members);
const otherAddress = (fieldType: string) =>
  presentObject(
    ['type', ...addressMembers].map((name) => [name, name === 'addressLines' ? putElements : putValue]),
    `"fieldType":"${fieldType}"`,
  );
const transliteratedSlot = slotOf('entity.transliteratedOtherAddresses');
const putOtherAddress = otherAddress('OtherAddress');
const putTransliterated = otherAddress('TransliteratedOtherAddress');
/** Other and transliterated addresses are one list. */
const putAddresses: PutPart = (out, bytes, from, to) =>
  putLists(out, bytes, [
    { from, to, put: putOtherAddress },
    { from: start(transliteratedSlot), to: stop(transliteratedSlot), put: putTransliterated },
  ]);

/** The packed fields of another authority are its code, its text and the number there. */
const putAuthorities = rows((out, bytes, from, to) => {
  const idEnd = fieldEndFrom(bytes, from, to);
  const otherEnd = fieldEndFrom(bytes, Math.min(idEnd + 1, to), to);
  out.put(authorityPiece);
  putAuthority(out, bytes, from, otherEnd);
  out.put(numberPiece);
  putValue(out, bytes, Math.min(otherEnd + 1, to), to);
  out.put(endPiece);
});
const putAuthority = presentObject([
  ['id', putValue],
  ['other', putValue],
]);
const authorityPiece = piece('{"validatedAt":');
const numberPiece = piece(',"validatedAs":');

const mainMembers: readonly Shown[] = [
  shown('{"lei":', 'lei'),
  shown(',"entity":{"legalName":{"name":', 'entity.legalName.name'),
  shown(',"language":', 'entity.legalName.language'),
  shown('},"otherNames":', 'entity.otherNames'),
  shown(',"transliteratedOtherNames":', 'entity.transliteratedOtherNames'),
  shown(',"legalAddress":', 'entity.legalAddress'),
  shown(',"headquartersAddress":', 'entity.headquartersAddress'),
  shown(',"registeredAt":{"id":', 'entity.registeredAt.id'),
  shown(',"other":', 'entity.registeredAt.other'),
  shown('},"registeredAs":', 'entity.registeredAs'),
  shown(',"jurisdiction":', 'entity.jurisdiction'),
  shown(',"category":', 'entity.category'),
  shown(',"legalForm":{"id":', 'entity.legalForm.id'),
  shown(',"other":', 'entity.legalForm.other'),
  shown('},"associatedEntity":', 'entity.associatedEntity', putAssociated),
  shown(',"status":', 'entity.status'),
  shown(',"expiration":{"date":', 'entity.expiration.date', putSeconds),
  shown(',"reason":', 'entity.expiration.reason'),
  shown('},"successorEntity":', 'entity.successorEntities', putSuccessor),
  shown(',"successorEntities":', 'entity.successorEntities', putSuccessors),
  shown(',"creationDate":', 'entity.creationDate', putSeconds),
  shown(',"subCategory":', 'entity.subCategory'),
  shown(',"otherAddresses":', 'entity.otherAddresses', putAddresses),
  shown(',"eventGroups":', 'entity.eventGroups', putEventGroups),
  shown('},"registration":{"initialRegistrationDate":', 'registration.initialRegistrationDate', putSeconds),
  shown(',"lastUpdateDate":', 'registration.lastUpdateDate', putSeconds),
  shown(',"status":', 'registration.status'),
  shown(',"nextRenewalDate":', 'registration.nextRenewalDate', putSeconds),
  shown(',"managingLou":', 'registration.managingLou'),
  shown(',"corroborationLevel":', 'validation.corroborationLevel'),
  shown(',"validatedAt":{"id":', 'validation.validatedAt.id'),
  shown(',"other":', 'validation.validatedAt.other'),
  shown('},"validatedAs":', 'validation.validatedAs'),
  shown(',"otherValidationAuthorities":', 'validation.otherValidationAuthorities', putAuthorities),
];

const mapped = (kind: MappingKind, before: string, put: PutPart) => ({
  before: piece(before),
  slot: kindsBySlot.indexOf(kind),
  put,
});
const mappingMembers = [
  mapped('bic', '},"bic":', putListOrNull),
  mapped('mic', ',"mic":', putListOrNull),
  mapped('ocid', ',"ocid":', putFirstOrNull),
  mapped('qcc', ',"qcc":', putFirstOrNull),
  mapped('gem', ',"gem":', putListOrNull),
];
/** No open source has the numbers of S&P Global. */
const lastMembers = [shown(',"spglobal":null,"conformityFlag":', 'validation.conformityFlag'), closing()];

/** Closes the attributes: the LEI's slot writes nothing. */
function closing(): Shown {
  return shown('}', 'lei', () => undefined);
}

const associatedSlot = slotOf('entity.associatedEntity');
const successorsSlot = slotOf('entity.successorEntities');
const isinSlot = kindsBySlot.indexOf('isin');
const bits = {
  isins: bitOf('isins'),
  associated: bitOf('associated-entity'),
  successor: bitOf('successor-entity'),
};

/** Bits of the things in the record itself that have links: ISINs, and entities with an LEI. */
function linkedIn(bytes: Uint8Array): number {
  let has = 0;
  if ((mappingStarts[isinSlot + 1] ?? 0) - 1 > (mappingStarts[isinSlot] ?? 0)) has |= bits.isins;
  const associated = fieldEndFrom(bytes, start(associatedSlot), stop(associatedSlot)) + 1;
  if (hasText(bytes, associated, stop(associatedSlot))) has |= bits.associated;
  if (hasText(bytes, start(successorsSlot), stop(successorsSlot))) has |= bits.successor;
  return has;
}

/** Whether a field has a value. */
function hasText(bytes: Uint8Array, from: number, to: number): boolean {
  return from < to && fieldEndFrom(bytes, from, to) > from;
}
