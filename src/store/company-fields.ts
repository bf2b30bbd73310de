/**
 * The fields of a stored company, one row each: its place in the JSON, how it is packed and how it is rendered. The
 * compiler demands a row for every field of a {@link LegalEntityRecord} and refuses any other. Packing, rendering and
 * comparing are made of this table.
 */
import type { LegalEntityRecord } from '../lei/company.ts';
import type { Address, TypedAddress, TypedName } from '../lei/company-parts.ts';
import { piece } from '../protocol/json-bytes.ts';
import { putLabel } from './legal-form-json.ts';
import { member, objectOf, type PutPart, putElements, putValue, rowsOf } from './packed-json.ts';
import { pack, packCode, packElements, packRows, packTime } from './packing.ts';
import { fieldOf, type MemberPackers, type RowCodec, rowCodec } from './rows-of-fields.ts';

type AssociatedEntity = NonNullable<LegalEntityRecord['entity']['associatedEntity']>;
/** What one slot holds: a value, a list, or an object that is stored whole. */
type Whole = string | null | readonly unknown[] | Address | AssociatedEntity;
/** Paths of the fields below `Thing`, as `entity.legalName.name`. */
type PathsIn<Thing, Prefix extends string = ''> = {
  [Name in keyof Thing & string]: Thing[Name] extends Whole
    ? `${Prefix}${Name}`
    : PathsIn<Thing[Name], `${Prefix}${Name}.`>;
}[keyof Thing & string];
export type FieldPath = PathsIn<LegalEntityRecord>;

interface FieldRow {
  /** The slot's text: '' for null and for an empty list. */
  readonly pack: (record: LegalEntityRecord) => string;
  /** Writes the JSON of the slot's text. */
  readonly put: PutPart;
  /** The field whose value this one mostly repeats; it is then stored as "the same". */
  readonly repeats?: FieldPath;
  /** A member of the JSON that follows this field and is made from the stored text of another. */
  readonly derived?: { readonly path: string; readonly from: FieldPath; readonly put: PutPart };
}

const name = rowCodec<TypedName>({
  name: (name) => pack(name.name),
  language: (name) => pack(name.language),
  type: (name) => packCode(name.type),
});
const addressMembers: MemberPackers<Address> = {
  language: (address) => pack(address.language),
  addressLines: (address) => packElements(address.addressLines),
  addressNumber: (address) => pack(address.addressNumber),
  addressNumberWithinBuilding: (address) => pack(address.addressNumberWithinBuilding),
  mailRouting: (address) => pack(address.mailRouting),
  city: (address) => pack(address.city),
  region: (address) => pack(address.region),
  country: (address) => pack(address.country),
  postalCode: (address) => pack(address.postalCode),
};
const lines = { addressLines: putElements };
const address = rowCodec(addressMembers, lines);
const typedAddress = rowCodec<TypedAddress>(
  { type: (address) => pack(address.type), ...addressMembers },
  lines,
);
const associatedEntity = rowCodec<AssociatedEntity>({
  type: (associated) => pack(associated.type),
  lei: (associated) => pack(associated.lei),
  name: (associated) => pack(associated.name),
});
const successor = rowCodec<LegalEntityRecord['entity']['successorEntities'][number]>({
  lei: (successor) => pack(successor.lei),
  name: (successor) => pack(successor.name),
});
type Authority = LegalEntityRecord['validation']['otherValidationAuthorities'][number];
/** Its last member stands outside the object that the first two are in. */
const authority: Pick<RowCodec<Authority>, 'fields' | 'put'> = {
  fields: ({ validatedAt: { id, other }, validatedAs }) => [pack(id), pack(other), pack(validatedAs)],
  put: objectOf([member('"validatedAt":{"id":'), member(',"other":'), member('},"validatedAs":')]),
};

/** A field that is a string or null. */
function value(pack: FieldRow['pack']): FieldRow {
  return { pack, put: putValue };
}

/** A field that is a list of things, each a row. */
function list<Thing>(
  things: (record: LegalEntityRecord) => readonly Thing[],
  { fields, put }: Pick<RowCodec<Thing>, 'fields' | 'put'>,
): FieldRow {
  return { pack: (record) => packRows(things(record), fields), put: rowsOf(put) };
}

const putAssociated: PutPart = (json, bytes, from, to) =>
  (from === to ? putValue : associatedEntity.put)(json, bytes, from, to);

const emptyList = piece('[]');
/** Finished JSON of a list, or nothing. */
const putFinished: PutPart = (json, bytes, from, to) => {
  if (from === to) json.put(emptyList);
  else json.copy(bytes, from, to);
};

/** Its order is that of the slots and of the JSON, and part of the format: another order needs a new format version. */
export const companyFields: Readonly<Record<FieldPath, FieldRow>> = {
  lei: value(({ lei }) => lei),
  'entity.legalName.name': value(({ entity }) => pack(entity.legalName.name)),
  'entity.legalName.language': value(({ entity }) => pack(entity.legalName.language)),
  'entity.otherNames': list(({ entity }) => entity.otherNames, name),
  'entity.transliteratedOtherNames': list(({ entity }) => entity.transliteratedOtherNames, name),
  'entity.legalAddress': { pack: ({ entity }) => address.pack(entity.legalAddress), put: address.put },
  'entity.headquartersAddress': {
    pack: ({ entity }) => address.pack(entity.headquartersAddress),
    put: address.put,
    repeats: 'entity.legalAddress',
  },
  'entity.otherAddresses': list(({ entity }) => entity.otherAddresses, typedAddress),
  'entity.transliteratedOtherAddresses': list(
    ({ entity }) => entity.transliteratedOtherAddresses,
    typedAddress,
  ),
  'entity.registeredAt.id': value(({ entity }) => pack(entity.registeredAt.id)),
  'entity.registeredAt.other': value(({ entity }) => pack(entity.registeredAt.other)),
  'entity.registeredAs': value(({ entity }) => pack(entity.registeredAs)),
  'entity.jurisdiction': value(({ entity }) => pack(entity.jurisdiction)),
  'entity.category': value(({ entity }) => packCode(entity.category)),
  'entity.subCategory': value(({ entity }) => pack(entity.subCategory)),
  'entity.legalForm.id': value(({ entity }) => pack(entity.legalForm.id)),
  'entity.legalForm.other': {
    ...value(({ entity }) => pack(entity.legalForm.other)),
    derived: { path: 'entity.legalForm.label', from: 'entity.legalForm.id', put: putLabel },
  },
  'entity.associatedEntity': {
    pack: ({ entity: { associatedEntity: associated } }) =>
      associated === null ? '' : associatedEntity.pack(associated),
    put: putAssociated,
  },
  'entity.status': value(({ entity }) => packCode(entity.status)),
  'entity.creationDate': value(({ entity }) => packTime(entity.creationDate)),
  'entity.expiration.date': value(({ entity }) => packTime(entity.expiration.date)),
  'entity.expiration.reason': value(({ entity }) => pack(entity.expiration.reason)),
  'entity.successorEntities': list(({ entity }) => entity.successorEntities, successor),
  'entity.eventGroups': {
    pack: ({ entity: { eventGroups } }) => (eventGroups.length === 0 ? '' : JSON.stringify(eventGroups)),
    put: putFinished,
  },
  'registration.status': value(({ registration }) => packCode(registration.status)),
  'registration.initialRegistrationDate': value(({ registration }) =>
    packTime(registration.initialRegistrationDate),
  ),
  'registration.lastUpdateDate': value(({ registration }) => packTime(registration.lastUpdateDate)),
  'registration.nextRenewalDate': value(({ registration }) => packTime(registration.nextRenewalDate)),
  'registration.managingLou': value(({ registration }) => pack(registration.managingLou)),
  'validation.corroborationLevel': value(({ validation }) => packCode(validation.corroborationLevel)),
  'validation.validatedAt.id': {
    ...value(({ validation }) => pack(validation.validatedAt.id)),
    repeats: 'entity.registeredAt.id',
  },
  'validation.validatedAt.other': value(({ validation }) => pack(validation.validatedAt.other)),
  'validation.validatedAs': {
    ...value(({ validation }) => pack(validation.validatedAs)),
    repeats: 'entity.registeredAs',
  },
  'validation.otherValidationAuthorities': list(
    ({ validation }) => validation.otherValidationAuthorities,
    authority,
  ),
  'validation.conformityFlag': value(({ validation }) => packCode(validation.conformityFlag)),
};

/** In slot order. */
export const fieldPaths: readonly FieldPath[] = Object.keys(companyFields).filter(
  (path): path is FieldPath => path in companyFields,
);
/** Which slot holds a field. */
export function slotOf(path: FieldPath): number {
  return fieldPaths.indexOf(path);
}
/** The slot behind those of the fields. */
export const provenanceSlot = fieldPaths.length;
export const slotCount = provenanceSlot + 1;

/** Where members of an address stand among the fields of its slot. */
export const addressField = {
  city: fieldOf(addressMembers, 'city'),
  country: fieldOf(addressMembers, 'country'),
} as const;
