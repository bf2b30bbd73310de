/** Reads the texts of a company that lists of GLEIF's API filter by and that no column and no index holds. */
import { level1Fields } from '../../lei/level-1-fields.ts';
import { foldedCharacters } from '../../lei/names/fold.ts';
import { slotOf } from '../company-fields.ts';
import { elementSeparator, fieldSeparator, rowSeparator, same, slotSeparator, unpack } from '../packing.ts';

/** The parts of a record whose words a filter looks for. */
export type TextPart =
  | 'everything'
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
  | 'otherAuthorityIds'
  | 'otherAuthorityTexts'
  | 'otherAuthorityNumbers'
  | 'creationDate'
  | 'expirationDate';

const slots = {
  lei: slotOf('lei'),
  legalName: slotOf('entity.legalName.name'),
  names: [slotOf('entity.otherNames'), slotOf('entity.transliteratedOtherNames')],
  legalAddress: slotOf('entity.legalAddress'),
  headquarters: slotOf('entity.headquartersAddress'),
  addresses: [slotOf('entity.otherAddresses'), slotOf('entity.transliteratedOtherAddresses')],
  registeredAs: slotOf('entity.registeredAs'),
  registeredAtOther: slotOf('entity.registeredAt.other'),
  validatedAs: slotOf('validation.validatedAs'),
  otherLegalForm: slotOf('entity.legalForm.other'),
  associated: slotOf('entity.associatedEntity'),
  successors: slotOf('entity.successorEntities'),
  authorities: slotOf('validation.otherValidationAuthorities'),
  creationDate: slotOf('entity.creationDate'),
  expirationDate: slotOf('entity.expiration.date'),
} as const;

const addressMembers = Object.keys(level1Fields.entity.legalAddress.members);
/** The members of an address with words. */
const wordMembers = [
  'addressLines',
  'addressNumber',
  'mailRouting',
  'city',
  'region',
  'country',
  'postalCode',
];
const wordFields = wordMembers.map((name) => addressMembers.indexOf(name));
const cityField = addressMembers.indexOf('city');
const postalCodeField = addressMembers.indexOf('postalCode');
/** The field of the number that another validation authority gave. */
const otherNumberField = 2;
const associatedFields = Object.keys(level1Fields.entity.associatedEntity.members);

/** @param stored a packed record with its provenance @returns the texts of a part: of a list, one for each item */
export function textsOf(stored: string, part: TextPart): readonly string[] {
  const packed = stored.split(slotSeparator);
  return readers[part](packed).filter((text) => text !== '');
}

/** Letters and digits of a folded word, with any signs between them: names write S.A. for SA. */
export function wordPatterns(words: readonly string[]): readonly RegExp[] {
  const plain = words.filter((word) => /^[\p{L}\p{N}]+$/u.test(word));
  return plain.map((word) => new RegExp([...word].join('[^\\p{L}\\p{N}]*'), 'u'));
}

/**
 * Whether a company may have words anywhere in its record. It says yes too often, never no to a company that has them: a
 * first look at a part of the cost of reading the texts.
 * @param stored its first `length` bytes are a packed record
 */
export function mayHaveWords(stored: Buffer, length: number, patterns: readonly RegExp[]): boolean {
  const text = foldedCharacters(stored.toString('utf8', 0, length));
  return patterns.every((pattern) => pattern.test(text));
}

type Packed = readonly string[];

const one = (slot: number) => (packed: Packed) => [textOf(packed[slot])];
/** Fields of the rows of a list. */
const ofRows = (slot: number, fields: readonly number[]) => (packed: Packed) =>
  rowsOf(packed[slot]).map((row) => joined(row, fields));

const readers: Readonly<Record<TextPart, (packed: Packed) => readonly string[]>> = {
  everything: (packed) => [
    textOf(packed[slots.lei]),
    textOf(packed[slots.legalName]),
    ...slots.names.flatMap((slot) => rowsOf(packed[slot]).map((row) => joined(row, [0]))),
    ...addressesOf(packed, wordFields),
    textOf(packed[slots.registeredAs]),
    textOf(validatedAsOf(packed)),
    ...rowsOf(packed[slots.authorities]).map((row) => joined(row, [otherNumberField])),
  ],
  addresses: (packed) => addressesOf(packed, wordFields),
  cities: (packed) => addressesOf(packed, [cityField]),
  postalCodes: (packed) => addressesOf(packed, [postalCodeField]),
  registeredAs: one(slots.registeredAs),
  registeredAtOther: one(slots.registeredAtOther),
  validatedAs: (packed) => [textOf(validatedAsOf(packed))],
  otherLegalForm: one(slots.otherLegalForm),
  associatedEntity: ofRows(
    slots.associated,
    ['lei', 'name'].map((name) => associatedFields.indexOf(name)),
  ),
  successorEntities: ofRows(slots.successors, [0, 1]),
  successorLeis: ofRows(slots.successors, [0]),
  successorNames: ofRows(slots.successors, [1]),
  otherAuthorityIds: ofRows(slots.authorities, [0]),
  otherAuthorityTexts: ofRows(slots.authorities, [1]),
  otherAuthorityNumbers: ofRows(slots.authorities, [otherNumberField]),
  creationDate: one(slots.creationDate),
  expirationDate: one(slots.expirationDate),
};

function validatedAsOf(packed: Packed): string | undefined {
  const own = packed[slots.validatedAs];
  return own === same ? packed[slots.registeredAs] : own;
}

/** The members of every address: the lists begin with a type, so theirs stand one field later. */
function addressesOf(packed: Packed, fields: readonly number[]): string[] {
  const headquarters = packed[slots.headquarters] ?? '';
  const plain = [packed[slots.legalAddress] ?? '', ...(headquarters === same ? [] : [headquarters])];
  return [
    ...plain.map((address) => joined(address.split(fieldSeparator), fields)),
    ...slots.addresses.flatMap((slot) => rowsOf(packed[slot]).map((row) => joined(row.slice(1), fields))),
  ];
}

function rowsOf(slot: string | undefined): string[][] {
  return slot === undefined || slot === ''
    ? []
    : slot.split(rowSeparator).map((row) => row.split(fieldSeparator));
}

function joined(row: readonly string[], fields: readonly number[]): string {
  return fields.map((field) => textOf(row[field])).join(' ');
}

/** The value of a field; the elements of a list of lines with spaces between them. */
function textOf(packed: string | undefined): string {
  if (packed === undefined || packed === '') return '';
  if (!packed.includes(elementSeparator)) return unpack(packed) ?? '';
  return packed
    .split(elementSeparator)
    .map((element) => unpack(element) ?? '')
    .join(' ');
}
