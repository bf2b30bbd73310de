/**
 * Reads dates of the CDF formats (xs:dateTime: `2024-05-03T08:31:20.554+02:00`, years from 0001, 0 to 3 fraction digits
 * seen) into the one form that the service shows: UTC with `Z`, a fraction only if it is not zero. The service writes its
 * own times in that form, too.
 */

const plusSign = 43;
const minusSign = 45;
const point = 46;
const zero = 48;
const nine = 57;
const colon = 58;
const letterT = 84;
const letterZ = 90;

/** A date as it will be shown, and the oddity of the published one (null for none). */
interface ReadDate {
  readonly value: string;
  readonly oddity: string | null;
}

/**
 * The normalised form of a well-formed date with its zone, or null for any other text.
 * Plain arithmetic on character codes: a full load reads some twenty million of these.
 */
export function utcDate(text: string): string | null {
  const length = text.length;
  if (length < 20 || !hasDateShape(text)) return null;
  if (!isPossible(text)) return endOfDay(text);
  const zoneAt = text.charCodeAt(19) === point ? fractionEnd(text) : 19;
  const significant = significantEnd(text, zoneAt);
  if (text.charCodeAt(zoneAt) === letterZ) {
    if (zoneAt + 1 !== length) return null;
    return significant === zoneAt ? text : `${text.slice(0, significant)}Z`;
  }
  const offset = zoneMinutes(text, zoneAt);
  if (offset === null) return null;
  if (offset === 0) return `${text.slice(0, significant)}Z`;
  return shifted(text, offset, text.slice(19, significant));
}

/** Whether {@link utcDate} can read a text. It makes no new text, as a full load asks this of every date with an offset. */
export function isDate(text: string): boolean {
  if (text.length < 20 || !hasDateShape(text)) return false;
  const millennium = text.charCodeAt(0);
  const isCommon = millennium !== zero && millennium !== nine && isPossible(text);
  if (!isCommon) return utcDate(text) !== null;
  const zoneAt = text.charCodeAt(19) === point ? fractionEnd(text) : 19;
  const isUtc = text.charCodeAt(zoneAt) === letterZ;
  return isUtc ? zoneAt + 1 === text.length : zoneMinutes(text, zoneAt) !== null;
}

/** Midnight, which xs:dateTime may also write as hour 24 of the day before; null for any other text. */
function endOfDay(text: string): string | null {
  if (!/^24:00:00(\.0+)?[Z+-]/.test(text.slice(11))) return null;
  const midnight = `T00${text.slice(13)}`;
  const isDay = utcDate(`${text.slice(0, 10)}${midnight}`) !== null;
  return isDay ? utcDate(`${neighbour(text, 1)}${midnight}`) : null;
}

/** The end of the digits after the point; the point itself if there are none, which is then no valid zone. */
function fractionEnd(text: string): number {
  let at = 20;
  while (isDigit(text.charCodeAt(at))) at++;
  return at === 20 ? 19 : at;
}

/** The beginning of the zone, or of the fraction if that is all zeros. */
function significantEnd(text: string, zoneAt: number): number {
  for (let at = 20; at < zoneAt; at++) if (text.charCodeAt(at) !== zero) return zoneAt;
  return 19;
}

/** Reads any text in place of a date; a text that can't be understood is kept as published. */
export function readDate(text: string): ReadDate {
  const value = utcDate(text);
  if (value !== null) return { value, oddity: null };
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    const midnight = utcDate(`${text}T00:00:00Z`);
    if (midnight !== null) return { value: midnight, oddity: 'has no time; midnight UTC is assumed' };
  }
  const inUtc = utcDate(`${text}Z`);
  if (inUtc !== null) return { value: inUtc, oddity: 'has no time zone; UTC is assumed' };
  if (isBeyondYears(text))
    return { value: text, oddity: 'is in UTC outside the years 1 to 9999; kept as published' };
  return { value: text, oddity: 'is not a valid date and time; kept as published' };
}

/** Whether a text is a date with an offset that no year from 1 to 9999 can show in UTC. */
function isBeyondYears(text: string): boolean {
  const parts = /^(.{19}(?:\.\d+)?)([+-]\d\d:\d\d)$/.exec(text);
  if (parts === null) return false;
  const [, local = '', offset = ''] = parts;
  return zoneMinutes(offset, 0) !== null && utcDate(`${local}Z`) !== null && utcDate(text) === null;
}

/** A published time as answers show it. */
export interface ShownTime {
  /** In UTC; as published if it is no valid time, or outside the years 1 to 9999 in UTC. */
  readonly time: string;
  /** The day as written, if the time was published with an offset; otherwise null. */
  readonly day: string | null;
}

/** Most times are published in UTC; those with an offset are mostly midnights of a place east of Greenwich. */
export function shownTime(published: string): ShownTime {
  const utc = utcDate(published);
  const withOffset = utc === null ? isBeyondYears(published) : !published.endsWith('Z');
  return { time: utc ?? published, day: withOffset ? published.slice(0, dayLength) : null };
}
const dayLength = 10;

/** @returns the day of a time, `YYYY-MM-DD`, or a neighbour of it: `days` (-1, 0 or 1) later */
export function dayBeside(time: string, days: number): string {
  const day = twoDigits(time, 8) + days;
  // Every month has these days.
  if (day >= 1 && day <= 28) return time.slice(0, 8) + padded(day);
  return days === 0 ? time.slice(0, dayLength) : neighbour(time, days);
}

/**
 * A time as people and services that describe files write it: possibly the day alone, with a space for the T, without
 * seconds or without a zone, which then is UTC. Null for anything else, and for an impossible date or time.
 */
export function writtenDate(text: string): string | null {
  const parts = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(?:(Z)|([+-]\d\d):?(\d\d))?)?$/i.exec(
    text.trim(),
  );
  if (parts === null) return null;
  const [, day, clock = '00:00', seconds = ':00', , hours, minutes] = parts;
  return utcDate(`${day}T${clock}${seconds}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
}

/** `YYYY-MM-DDTHH:MM:SS` at the beginning. */
function hasDateShape(text: string): boolean {
  return (
    text.charCodeAt(4) === minusSign &&
    text.charCodeAt(7) === minusSign &&
    text.charCodeAt(10) === letterT &&
    text.charCodeAt(13) === colon &&
    text.charCodeAt(16) === colon
  );
}

const daysInMonth = new Uint8Array([0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);

/** Whether the parts are numbers of a possible date and time. */
function isPossible(text: string): boolean {
  const century = twoDigits(text, 0);
  const yearInCentury = twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  // NaN fails every comparison here, so any non-digit gives false.
  if (!(century + yearInCentury > 0 && month >= 1 && month <= 12)) return false;
  if (!(day >= 1 && day <= (daysInMonth[month] ?? 0))) return false;
  if (month === 2 && day === 29 && !isLeap(century * 100 + yearInCentury)) return false;
  return twoDigits(text, 11) <= 23 && twoDigits(text, 14) <= 59 && twoDigits(text, 17) <= 59;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Minutes east of UTC of `+02:00` at a position that must end the text, otherwise null. */
function zoneMinutes(text: string, at: number): number | null {
  const sign = text.charCodeAt(at);
  if ((sign !== plusSign && sign !== minusSign) || text.length !== at + 6) return null;
  if (text.charCodeAt(at + 3) !== colon) return null;
  const minutes = twoDigits(text, at + 1) * 60 + twoDigits(text, at + 4);
  // 14:00 is the widest offset that xs:dateTime allows.
  if (!(minutes <= 14 * 60 && twoDigits(text, at + 4) <= 59)) return null;
  return sign === minusSign ? -minutes : minutes;
}

/**
 * The same moment in UTC; null if that is before the year 1 or after 9999, where ISO 8601 ends without an agreement of
 * both sides. Most offsets stay within the day, so that only the time of day changes.
 */
function shifted(text: string, offset: number, fraction: string): string | null {
  const minutes = twoDigits(text, 11) * 60 + twoDigits(text, 14) - offset;
  const day = minutes < 0 ? -1 : minutes >= 1440 ? 1 : 0;
  const date = day === 0 ? text.slice(0, 10) : neighbour(text, day);
  if (date.length > 10 || date.startsWith('0000')) return null;
  const clock = minutes - day * 1440;
  return `${date}T${padded(Math.trunc(clock / 60))}:${padded(clock % 60)}${text.slice(16, 19)}${fraction}Z`;
}

/** The day before or after. */
function neighbour(text: string, days: number): string {
  const date = new Date(0);
  // Don't use the constructor, which reads the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(
    twoDigits(text, 0) * 100 + twoDigits(text, 2),
    twoDigits(text, 5) - 1,
    twoDigits(text, 8) + days,
  );
  return date.toISOString().split('T')[0] ?? '';
}

function padded(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

function isDigit(code: number): boolean {
  return code >= zero && code <= nine;
}

/** NaN if either character is not a digit. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - zero;
  const ones = text.charCodeAt(at + 1) - zero;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** From the first to the last of these whole seconds, since 1970. */
interface SecondsSpan {
  readonly from: number;
  readonly to: number;
}

const secondsOfDay = 86_400;

/** The seconds of a day in UTC (`2026-01-31`), or the second of a time with its zone; null for any other text. */
export function secondsOf(text: string): SecondsSpan | null {
  const isTime = text.includes('T');
  const first = utcDate(isTime ? text : `${text}T00:00:00Z`);
  if (first === null) return null;
  const from = Math.floor(Date.parse(first) / 1000);
  return { from, to: isTime ? from : from + secondsOfDay - 1 };
}

/** A moment of the service itself, to the second: `2026-10-04T16:00:00Z`. */
export function timestamp(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}

/** An odd value is kept as published, but does not count as a time. */
const timeStart = /^\d{4}-\d\d-\d\dT/;

/**
 * Whether a record of time `next` is superseded by one of time `known` that was read before it. If the times are equal,
 * missing or invalid, the later file prevails.
 */
export function isOutdated(next: string, known: string): boolean {
  if (next === known || known === '' || !timeStart.test(next) || !timeStart.test(known)) return false;
  return comparable(next) < comparable(known);
}

/**
 * Texts of this form compare as times: without its Z, a time with a fraction is longer than the same second without,
 * and without trailing zeros, half a second is the same however many digits it was published with.
 */
function comparable(moment: string): string {
  return moment.includes('.') ? moment.replace(/\.?0*Z$/, '') : moment.slice(0, -1);
}

/** The later of two times; null is not a time. */
export function laterOf(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return isOutdated(a, b) ? b : a;
}

/** As in `20260123-0800-gleif-goldencopy-…`, `isin-lei-20260913T071511.zip`, `LEI-BIC-20260828.zip`. */
const timeInName = /(?<!\d)(\d{4})(-?)(\d\d)\2(\d\d)(?:[-T](\d\d)(\d\d)(\d\d)?)?(?!\d)/g;

/** The first time in any of the names of files, in UTC; null if none has one. */
export function dateInNames(...names: readonly (string | null)[]): string | null {
  for (const name of names) {
    for (const [, year, , month, day, hour = '00', minute = '00', second = '00'] of name?.matchAll(
      timeInName,
    ) ?? []) {
      const date = utcDate(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
      // LEIs exist since 2012: an earlier eight-digit number is not a date.
      if (date !== null && date >= '2012') return date;
    }
  }
  return null;
}
