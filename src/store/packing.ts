/**
 * Joins values into one compact text.
 *
 * A packed value is the JSON text of a string without its quotes. JSON text never contains a raw control character, so
 * control characters separate the slots of a record, the rows of a list, the fields of a row, the elements of a field.
 */

import { shownTime } from '../lei/dates.ts';
import {
  dayMarks,
  isDayMark,
  isTimeKind,
  mark,
  packCommon,
  packUtc,
  unpackTime,
  withTimes,
} from './packed-time.ts';

export const slotSeparator = '\n';
export const rowSeparator = '\u001e';
export const fieldSeparator = '\t';
export const elementSeparator = '\u001f';
export interface ListSeparators {
  readonly row: string;
  readonly field: string;
}
/** The separators of rows and fields of a list, of a list within its rows, and of one within those. */
export const listSeparators: readonly [ListSeparators, ...ListSeparators[]] = [
  { row: rowSeparator, field: fieldSeparator },
  { row: '\u0004', field: '\u0005' },
  { row: '\u0006', field: '\u0007' },
];

/**
 * Marks a shortened value, because no JSON text of a string begins with a quote. The mark alone is the empty string;
 * with a letter it is a frequent code; with a kind it is a time (packed-time.ts). '' means null.
 *
 * A time that can't be packed so is a text. If it was published with an offset, it has the mark and one of
 * {@link dayMarks} in front: its day as written is the one before the day in UTC, the same, or the one after. Earlier
 * versions packed all times like that, and midnight as the mark, "@" and the day.
 */
const markCode = mark.charCodeAt(0);
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
  'STANDALONE',
  'COMPLETED',
  'IN_PROGRESS',
  'CHANGE_LEGAL_NAME',
  'CHANGE_LEGAL_ADDRESS',
  'CHANGE_HQ_ADDRESS',
  'CHANGE_LEGAL_FORM',
  'CHANGE_OTHER_NAMES',
] as const;
export const firstLetterCode = 0x41;
const shortOf = new Map<string, string>(
  shortCodes.map((code, index) => [code, `${mark}${String.fromCharCode(firstLetterCode + index)}`]),
);
const codeOfShort = new Map([...shortOf].map(([code, short]) => [short, code]));

const needsEscape = /[\u0000-\u001f"\\\ud800-\udfff]/;
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

/** The packed form of a published time. */
export function packTime(published: string | null): string {
  if (published === null) return '';
  // Nearly all need no further look.
  const packed = packCommon(published) ?? packUtc(published, null);
  if (packed !== null) return packed;
  const { time, day } = shownTime(published);
  const days = day === null ? null : daysLater(day, time);
  return packUtc(time, days) ?? packLong(time, days);
}

/** A time as earlier versions packed it. */
function packLong(time: string, days: number | null): string {
  const packed = midnight.test(time) ? `${midnightMark}${time.slice(0, dayLength)}` : pack(time);
  return days === null ? packed : `${mark}${dayMarks[1 + days]}${packed}`;
}
const midnight = /^\d{4}-\d\d-\d\dT00:00:00Z$/;

/** The days from the UTC day of a time to its written day: -1, 0 or 1. */
function daysLater(day: string, time: string): number {
  const other = time.slice(0, dayLength);
  return day === other ? 0 : day > other ? 1 : -1;
}

/** The days of times in a packed record, also of those in its events, which are JSON. */
const days = /"[\u0001-\u0003]|,"\w+Day":(?:null|"[^"]*")/g;

/**
 * A packed record as one of an earlier version can be compared with it. Earlier versions packed times as texts, and at first
 * no days: where the other record has none at all, those of this one say nothing about a change.
 */
export function comparableWith(other: string, record: string): string {
  const long = withTimes(record, packLong);
  return other.search(days) === -1 ? long.replace(days, '') : long;
}

/** The value of a packed text. */
export function unpack(packed: string): string | null {
  if (packed === '') return null;
  if (packed.charCodeAt(0) === markCode) return unpackShort(packed);
  return packed.includes('\\') ? String(JSON.parse(`"${packed}"`)) : packed;
}

function unpackShort(packed: string): string | null {
  if (packed === emptyString) return '';
  const code = packed.charCodeAt(1);
  if (isTimeKind(code)) return unpackTime(packed);
  if (isDayMark(code)) return unpack(packed.slice(2));
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
export function packRows<T>(
  items: readonly T[],
  fields: (item: T) => readonly string[],
  { row, field }: ListSeparators = listSeparators[0],
): string {
  if (items.length === 0) return '';
  return items.map((item) => fields(item).join(field)).join(row);
}

/** The rows of a packed list, each as its packed fields. */
export function unpackRows(packed: string): string[][] {
  if (packed === '') return [];
  return packed.split(rowSeparator).map((row) => row.split(fieldSeparator));
}
