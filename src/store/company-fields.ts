/**
 * Defines the slots of a stored company: one for each separately stored field of the level 1 table, then its
 * provenance.
 */
import { type FieldPath, level1Fields } from '../lei/level-1-fields.ts';
import { packerOf, placesOf } from './field-codecs.ts';

/** In slot order. */
export const companyPlaces = placesOf(level1Fields);
/** Packs a record into the texts of its slots, in slot order, without the last slot (provenance). */
export const packFields = packerOf(level1Fields);

const paths = companyPlaces.map(({ path }) => path.join('.'));

/** The slot that holds a field. */
export function slotOf(path: FieldPath): number {
  return paths.indexOf(path);
}
/** The last slot, after those of the fields. */
export const provenanceSlot = paths.length;
export const slotCount = provenanceSlot + 1;

/** Of the first slot. */
export const leiLength = 20;

/** Whether a stored text contains a record. Otherwise it is the LEI alone. */
export function isRecord(stored: { readonly length: number }): boolean {
  return stored.length > leiLength;
}

/** Fields that mostly have the same value as another field. Such a value is stored as {@link same}. */
export const repeating: readonly { readonly slot: number; readonly repeated: number }[] = [
  repeats('entity.headquartersAddress', 'entity.legalAddress'),
  repeats('validation.validatedAt.id', 'entity.registeredAt.id'),
  repeats('validation.validatedAs', 'entity.registeredAs'),
];
function repeats(path: FieldPath, other: FieldPath) {
  return { slot: slotOf(path), repeated: slotOf(other) };
}

/** The one member of the JSON that is not stored: it follows a field and is made from the stored text of another. */
export const derived = {
  path: ['entity', 'legalForm', 'label'],
  after: slotOf('entity.legalForm.other'),
  from: slotOf('entity.legalForm.id'),
} as const;

const addressMembers = level1Fields.entity.legalAddress.members;
/** Index of a member of an address among the fields of its slot. */
function fieldOfAddress(name: keyof typeof addressMembers): number {
  return Object.keys(addressMembers).indexOf(name);
}
export const addressField = {
  city: fieldOfAddress('city'),
  country: fieldOfAddress('country'),
  postalCode: fieldOfAddress('postalCode'),
} as const;
