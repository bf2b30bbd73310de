/**
 * Joins values into one compact text.
 *
 * A packed value is the JSON text of a string without its quotes. JSON text never contains a raw control character, so
 * control characters separate the slots of a record, the rows of a list, the fields of a row, the elements of a field.
 */

export const slotSeparator = '\n';
export const rowSeparator = '\u001e';
export const fieldSeparator = '\t';
export const elementSeparator = '\u001f';

/**
 * Marks a shortened value, because no JSON text of a string begins with a quote. The mark alone is the empty string;
 * with a letter it is a frequent code; with "@" and a day it is midnight of that day. '' means null.
 */
const mark = '"';
const markCode = 0x22;
const emptyString = mark;
const midnightMark = `${mark}@`;

/** Means the value of the field that this field usually repeats. */
export const same = `${mark}=`;

/** Codes in the order of their letters. Part of the format: new ones are added at the end. */
export const shortCodes = [
  'ACTIVE',
  'INACTIVE',
  'GENERAL',
  'FUND',
  'BRANCH',
  'SOLE_PROPRIETOR',
  'RESIDENT_GOVERNMENT_ENTITY',
  'ISSUED',
  'LAPSED',
  'RETIRED',
  'PUBLISHED',
  'FULLY_CORROBORATED',
  'PARTIALLY_CORROBORATED',
  'ENTITY_SUPPLIED_ONLY',
  'CONFORMING',
  'NON_CONFORMING',
  'NOT_APPLICABLE',
  'PREVIOUS_LEGAL_NAME',
  'TRADING_OR_OPERATING_NAME',
  'ALTERNATIVE_LANGUAGE_LEGAL_NAME',
  'AUTO_ASCII_TRANSLITERATED_LEGAL_NAME',
  'PREFERRED_ASCII_TRANSLITERATED_LEGAL_NAME',
  'IS_DIRECTLY_CONSOLIDATED_BY',
  'IS_ULTIMATELY_CONSOLIDATED_BY',
  'IS_FUND-MANAGED_BY',
  'IS_SUBFUND_OF',
  'RELATIONSHIP_PERIOD',
  'ACCOUNTING_PERIOD',
  'DOCUMENT_FILING_PERIOD',
  'ACCOUNTING_STANDARD',
  'ACCOUNTING_CONSOLIDATION',
  'PERCENTAGE',
  'ACCOUNTS_FILING',
  'REGULATORY_FILING',
  'SUPPORTING_DOCUMENTS',
  'OTHER_OFFICIAL_DOCUMENTS',
] as const;
export const firstLetterCode = 0x41;
const shortOf = new Map<string, string>(
  shortCodes.map((code, index) => [code, `${mark}${String.fromCharCode(firstLetterCode + index)}`]),
);
const codeOfShort = new Map([...shortOf].map(([code, short]) => [short, code]));

const needsEscape = /[\u0000-\u001f"\\\ud800-\udfff]/;
const midnight = /^\d{4}-\d\d-\d\dT00:00:00Z$/;
const dayLength = 10;

/** The packed form of a value. */
export function pack(value: string | null): string {
  if (value === null) return '';
  if (value === '') return emptyString;
  return needsEscape.test(value) ? JSON.stringify(value).slice(1, -1) : value;
}

/** The packed form of a value that is usually one of a few codes. */
export function packCode(value: string | null): string {
  return value === null ? '' : (shortOf.get(value) ?? pack(value));
}

/** The packed form of a time, which is usually midnight. */
export function packTime(value: string | null): string {
  if (value === null || !midnight.test(value)) return pack(value);
  return `${midnightMark}${value.slice(0, dayLength)}`;
}

/** The value of a packed text. */
export function unpack(packed: string): string | null {
  if (packed === '') return null;
  if (packed.charCodeAt(0) === markCode) return unpackShort(packed);
  return packed.includes('\\') ? String(JSON.parse(`"${packed}"`)) : packed;
}

function unpackShort(packed: string): string | null {
  if (packed === emptyString) return '';
  if (packed.startsWith(midnightMark)) return `${packed.slice(midnightMark.length)}T00:00:00Z`;
  return codeOfShort.get(packed) ?? null;
}

/** A list of strings as one field. */
export function packElements(values: readonly string[]): string {
  return values.length === 1 ? pack(values[0] ?? '') : values.map(pack).join(elementSeparator);
}

/**
 * A list of objects as one slot; '' for an empty list.
 * @param fields the packed fields of an object, at least two, so that a row is never the empty text
 */
export function packRows<T>(items: readonly T[], fields: (item: T) => readonly string[]): string {
  if (items.length === 0) return '';
  return items.map((item) => fields(item).join(fieldSeparator)).join(rowSeparator);
}

/** The rows of a packed list, each as its packed fields. */
export function unpackRows(packed: string): string[][] {
  if (packed === '') return [];
  return packed.split(rowSeparator).map((row) => row.split(fieldSeparator));
}
