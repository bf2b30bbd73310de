/** Reads the facts by which companies are told apart from a packed record, without rendering and parsing its JSON. */
import type { AnyFields } from '../lei/fields.ts';
import { type MappingKind, mappingKinds, mappingTable } from '../lei/identifier-kinds.ts';
import { level1Fields } from '../lei/level-1-fields.ts';
import type { Glimpse } from '../lmdb.ts';
import { addressField, repeating, slotOf } from './company-fields.ts';
import { mappingSlots } from './mapping-record.ts';
import { fieldSeparator, same, slotSeparator, unpack, unpackRows } from './packing.ts';

interface PlaceOfAddress {
  readonly city: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
}

/** What a match compares of a company. Names and places are in record order. */
export interface IdentifyingFacts {
  readonly lei: string;
  readonly legalName: string | null;
  readonly otherNames: readonly string[];
  readonly transliteratedNames: readonly string[];
  /** A code of ISO 20275, and the form in words where there is no code. */
  readonly legalForm: { readonly id: string | null; readonly other: string | null };
  readonly legalAddress: PlaceOfAddress;
  readonly headquarters: PlaceOfAddress;
  /** The other addresses, then the transliterated ones. */
  readonly otherPlaces: readonly PlaceOfAddress[];
  /** Its number at the register of its legal form, then at the authority that validated it. */
  readonly numbers: readonly { readonly authority: string | null; readonly number: string | null }[];
  readonly category: string | null;
  readonly registrationStatus: string | null;
  readonly identifierKinds: ReadonlySet<MappingKind>;
}

const { otherAddresses, otherNames } = level1Fields.entity;
const fieldIn = (members: AnyFields, name: string) => Object.keys(members).indexOf(name);
const nameField = fieldIn(otherNames.members, 'name');
/** In the addresses of lists, a type comes first. */
const listedAddressField = {
  city: fieldIn(otherAddresses.members, 'city'),
  country: fieldIn(otherAddresses.members, 'country'),
};

const slots = {
  lei: slotOf('lei'),
  legalName: slotOf('entity.legalName.name'),
  otherNames: slotOf('entity.otherNames'),
  transliteratedNames: slotOf('entity.transliteratedOtherNames'),
  legalAddress: slotOf('entity.legalAddress'),
  headquartersAddress: slotOf('entity.headquartersAddress'),
  otherAddresses: slotOf('entity.otherAddresses'),
  transliteratedAddresses: slotOf('entity.transliteratedOtherAddresses'),
  registeredAt: slotOf('entity.registeredAt.id'),
  registeredAs: slotOf('entity.registeredAs'),
  validatedAt: slotOf('validation.validatedAt.id'),
  validatedAs: slotOf('validation.validatedAs'),
  formId: slotOf('entity.legalForm.id'),
  formOther: slotOf('entity.legalForm.other'),
  category: slotOf('entity.category'),
  registrationStatus: slotOf('registration.status'),
} as const;

/** @param record with its provenance @param mappings null for none */
export function readIdentifyingFacts(record: Glimpse, mappings: Glimpse | null): IdentifyingFacts {
  const packed = record.bytes.toString('utf8', 0, record.length).split(slotSeparator);
  for (const { slot, repeated } of repeating) {
    if (packed[slot] === same) packed[slot] = packed[repeated] ?? '';
  }
  const text = (slot: number) => packed[slot] ?? '';
  const value = (slot: number) => unpack(text(slot));
  return {
    lei: text(slots.lei),
    legalName: value(slots.legalName),
    otherNames: namesIn(text(slots.otherNames)),
    transliteratedNames: namesIn(text(slots.transliteratedNames)),
    legalForm: { id: value(slots.formId), other: value(slots.formOther) },
    legalAddress: placeIn(text(slots.legalAddress).split(fieldSeparator), addressField),
    headquarters: placeIn(text(slots.headquartersAddress).split(fieldSeparator), addressField),
    otherPlaces: [
      ...unpackRows(text(slots.otherAddresses)),
      ...unpackRows(text(slots.transliteratedAddresses)),
    ].map((row) => placeIn(row, listedAddressField)),
    numbers: [
      { authority: value(slots.registeredAt), number: value(slots.registeredAs) },
      { authority: value(slots.validatedAt), number: value(slots.validatedAs) },
    ],
    category: value(slots.category),
    registrationStatus: value(slots.registrationStatus),
    identifierKinds: kindsIn(mappings),
  };
}

function namesIn(list: string): readonly string[] {
  return unpackRows(list)
    .map((row) => unpack(row[nameField] ?? ''))
    .filter((name) => name !== null);
}

function placeIn(fields: readonly string[], { city, country }: typeof listedAddressField): PlaceOfAddress {
  return { city: unpack(fields[city] ?? ''), country: unpack(fields[country] ?? '') };
}

const noKinds: ReadonlySet<MappingKind> = new Set();

function kindsIn(mappings: Glimpse | null): ReadonlySet<MappingKind> {
  if (mappings === null) return noKinds;
  const packed = mappingSlots(mappings.bytes.toString('utf8', 0, mappings.length));
  return new Set(mappingKinds.filter((kind) => packed[mappingTable[kind].slot] !== ''));
}
