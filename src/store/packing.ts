/**
 * Joins values into one compact text.
 *
 * A packed value is the JSON text of a string without its quotes. JSON text never contains a raw control character, so
 * control characters separate the slots of a record, the rows of a list, the fields of a row, the elements of a field.
 */

import { shownTime } from '../lei/dates.ts';

export const slotSeparator = '\n';
export const rowSeparator = '\u001e';
export const fieldSeparator = '\t';
export const elementSeparator = '\u001f';

/**
 * Marks a shortened value, because no JSON text of a string begins with a quote. The mark alone is the empty string;
 * with a letter it is a frequent code; with "@" and a day it is midnight of that day. '' means null.
 *
 * A time that was published with an offset has the mark and one of {@link dayMarks} in front: its day as written is the
 * one before the day in UTC, the same, or the one after.
 */
const mark = '"';
const markCode = 0x22;
const emptyString = mark;
const midnightMark = `${mark}@`;
const dayMarks = '\u0001\u0002\u0003';

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
const midnight = 'T00:00:00Z';
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

/** The packed form of a published time, which is usually midnight. */
export function packTime(published: string | null): string {
  if (published === null) return '';
  // Nearly all midnights need no further look.
  if (isMidnight(published)) return packMidnight(published);
  const { time, day } = shownTime(published);
  return day === null ? packUtc(time) : `${mark}${dayMarks[1 + daysLater(day, time)]}${packUtc(time)}`;
}

function packUtc(time: string): string {
  return isMidnight(time) ? packMidnight(time) : pack(time);
}

function packMidnight(time: string): string {
  return `${midnightMark}${time.slice(0, dayLength)}`;
}

/** Whether a time is `yyyy-mm-ddT00:00:00Z`. Character by character: a load asks this of twenty million times. */
function isMidnight(time: string): boolean {
  if (time.length !== dayLength + midnight.length || !time.endsWith(midnight)) return false;
  for (let at = 0; at < dayLength; at++) {
    const code = time.charCodeAt(at);
    if (at === 4 || at === 7 ? code !== dash : code < zero || code > nine) return false;
  }
  return true;
}
const [dash, zero, nine] = [0x2d, 0x30, 0x39];

/** How many days a written day is later than that of its time in UTC: -1, 0 or 1. */
function daysLater(day: string, time: string): number {
  const other = time.slice(0, dayLength);
  return day === other ? 0 : day > other ? 1 : -1;
}

/** The same of a packed value. @param code the character after its mark @returns null for any other mark */
export function daysLaterBy(code: number): number | null {
  return code >= 1 && code <= dayMarks.length ? code - 2 : null;
}

/** The days of times in a packed record, also of those in its events, which are JSON. */
const days = /"[\u0001-\u0003]|,"\w+Day":(?:null|"[^"]*")/g;

/**
 * A packed record as another one can be compared with it. Earlier versions packed no days: where the other record has
 * none at all, those of this one say nothing about a change.
 */
export function comparableWith(other: string, record: string): string {
  return other.search(days) === -1 ? record.replace(days, '') : record;
}

/** The value of a packed text. */
export function unpack(packed: string): string | null {
  if (packed === '') return null;
  if (packed.charCodeAt(0) === markCode) return unpackShort(packed);
  return packed.includes('\\') ? String(JSON.parse(`"${packed}"`)) : packed;
}

function unpackShort(packed: string): string | null {
  if (packed === emptyString) return '';
  if (daysLaterBy(packed.charCodeAt(1)) !== null) return unpack(packed.slice(2));
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
