/** Names the texts of a stored record in which words are looked for, and finds their fields. */
import { level1Fields } from '../lei/level-1-fields.ts';
import { slotOf } from './company-fields.ts';
import { isSame } from './packed-json.ts';
import { elementSeparator, fieldSeparator, rowSeparator, unpack } from './packing.ts';

/** The parts of a record whose words a filter looks for. */
export type TextPart =
  | 'everything'
  | 'names'
  | 'legalName'
  | 'addresses'
  | 'cities'
  | 'postalCodes'
  | 'registeredAs'
  | 'registeredAtOther'
  | 'validatedAs'
  | 'otherLegalForm'
  | 'associatedEntity'
  | 'successorEntities'
  | 'successorLeis'
  | 'successorNames'
  | 'successorLanguages'
  | 'otherAuthorityIds'
  | 'otherAuthorityTexts'
  | 'otherAuthorityNumbers'
  | 'creationDate'
  | 'expirationDate';

/** Where texts stand: each row of the slot is one. A slot that is no list is one row. */
interface WordPlace {
  readonly slot: number;
  /** The wanted fields of a row: a bit for each. */
  readonly fields: number;
  /** The slot that is read if this one repeats another; null for none. */
  readonly repeated: number | null;
  /** Whether the signs between the letters and digits of a field mean nothing. */
  readonly isNumber: boolean;
}

const bitsOf = (fields: readonly number[]) => fields.reduce((bits, field) => bits | (1 << field), 0);
const place = (slot: number, fields: readonly number[] = [0]): WordPlace => ({
  slot,
  fields: bitsOf(fields),
  repeated: null,
  isNumber: false,
});

const addressMembers = Object.keys(level1Fields.entity.legalAddress.members);
const associatedMembers = Object.keys(level1Fields.entity.associatedEntity.members);
/** The members of an address with words. */
const wordMembers = addressMembers.filter((name) => name !== 'language');
const addressSlots = [slotOf('entity.legalAddress'), slotOf('entity.headquartersAddress')];
const addressLists = [slotOf('entity.otherAddresses'), slotOf('entity.transliteratedOtherAddresses')];

/** Members of every address. In lists they stand one field later, behind the type of the address. */
function ofAddresses(names: readonly string[]): readonly WordPlace[] {
  const fields = names.map((name) => addressMembers.indexOf(name));
  return [
    ...addressSlots.map((slot) => place(slot, fields)),
    ...addressLists.map((slot) =>
      place(
        slot,
        fields.map((field) => field + 1),
      ),
    ),
  ];
}

const legalName = [place(slotOf('entity.legalName.name'))];
const names = [
  ...legalName,
  place(slotOf('entity.otherNames')),
  place(slotOf('entity.transliteratedOtherNames')),
];
const addresses = ofAddresses(wordMembers);
const registeredAs = { ...place(slotOf('entity.registeredAs')), isNumber: true };
const validatedAs = { ...place(slotOf('validation.validatedAs')), isNumber: true };
const authorities = slotOf('validation.otherValidationAuthorities');
const otherNumbers = { ...place(authorities, [2]), isNumber: true };
const otherTexts = {
  registeredAtOther: [place(slotOf('entity.registeredAt.other'))],
  otherLegalForm: [place(slotOf('entity.legalForm.other'))],
  associatedEntity: [
    place(
      slotOf('entity.associatedEntity'),
      ['lei', 'name'].map((name) => associatedMembers.indexOf(name)),
    ),
  ],
  successorEntities: [place(slotOf('entity.successorEntities'), [0, 1])],
  successorLanguages: [place(slotOf('entity.successorEntities'), [2])],
  otherAuthorityIds: [place(authorities, [0])],
  otherAuthorityTexts: [place(authorities, [1])],
} as const;

/** The texts of {@link TextPart} `everything` without the LEI, which leads to its company anyway. */
export const searchedPlaces: readonly WordPlace[] = [
  ...names,
  ...addresses,
  registeredAs,
  validatedAs,
  otherNumbers,
];

export const placesOfPart: Readonly<Record<TextPart, readonly WordPlace[]>> = {
  ...otherTexts,
  everything: [place(slotOf('lei')), ...searchedPlaces],
  names,
  legalName,
  addresses,
  cities: ofAddresses(['city']),
  postalCodes: ofAddresses(['postalCode']),
  registeredAs: [registeredAs],
  validatedAs: [{ ...validatedAs, repeated: registeredAs.slot }],
  successorLeis: [place(slotOf('entity.successorEntities'), [0])],
  successorNames: [place(slotOf('entity.successorEntities'), [1])],
  otherAuthorityNumbers: [otherNumbers],
  creationDate: [place(slotOf('entity.creationDate'))],
  expirationDate: [place(slotOf('entity.expiration.date'))],
};

/** All further texts in which words are looked for. */
export const furtherPlaces: readonly WordPlace[] = Object.values(otherTexts).flat();

const searchedParts: ReadonlySet<TextPart> = new Set([
  'everything',
  'names',
  'legalName',
  'addresses',
  'cities',
  'postalCodes',
  'registeredAs',
  'validatedAs',
  'otherAuthorityNumbers',
]);

/** Parts in which the words that a filter looks for may stand in several texts. In other parts one text must have all of them. */
export const partsTogether: ReadonlySet<TextPart> = new Set(['everything', 'names']);

/** Whether all texts of a part are among {@link searchedPlaces}. */
export function isSearched(part: TextPart): boolean {
  return searchedParts.has(part);
}

const fieldEnd = fieldSeparator.charCodeAt(0);
const rowEnd = rowSeparator.charCodeAt(0);

/** The fields of some texts of a record: where each begins and ends, and of which text it is. */
export class TextFields {
  count = 0;
  readonly from: number[] = [];
  readonly to: number[] = [];
  /** Fields of one text have the same number. */
  readonly text: number[] = [];
  readonly isNumber: boolean[] = [];
  #texts = 0;

  /** Finds the fields that are not empty. @param starts of the slots, as `findSlots` finds them */
  find(bytes: Uint8Array, starts: Int32Array, places: readonly WordPlace[]): void {
    this.count = 0;
    this.#texts = 0;
    const from = (slot: number) => starts[slot] ?? 0;
    const to = (slot: number) => (starts[slot + 1] ?? 0) - 1;
    for (const each of places) {
      const isRepeated = isSame(bytes, from(each.slot), to(each.slot));
      const slot = isRepeated ? each.repeated : each.slot;
      if (slot !== null) this.#findRows(bytes, from(slot), to(slot), each);
    }
  }

  #findRows(bytes: Uint8Array, start: number, end: number, { fields, isNumber }: WordPlace): void {
    let [from, field] = [start, 0];
    for (let at = start; at <= end; at++) {
      const isRowEnd = at === end || bytes[at] === rowEnd;
      if (!isRowEnd && bytes[at] !== fieldEnd) continue;
      if (at > from && ((fields >>> field) & 1) === 1) this.#add(from, at, isNumber);
      from = at + 1;
      field = isRowEnd ? 0 : field + 1;
      if (isRowEnd) this.#texts++;
    }
  }

  #add(from: number, to: number, isNumber: boolean): void {
    const at = this.count++;
    this.from[at] = from;
    this.to[at] = to;
    this.text[at] = this.#texts;
    this.isNumber[at] = isNumber;
  }
}

/** The values of a field: one, or the elements of a list of lines. */
export function valuesOfField(bytes: Buffer, from: number, to: number): readonly string[] {
  const packed = bytes.toString('utf8', from, to).split(elementSeparator);
  return packed.flatMap((value) => unpack(value) ?? []);
}
