/**
 * Packs times in UTC: a stored company has four or five of them, and as texts they would be a fifth of its bytes.
 *
 *     mark, kind, year (2), month, day [, hour, minute, second [, milliseconds (2)]]
 *
 * Each number is one character, the number behind `#`; a year and milliseconds have two, in base 90. A midnight has no
 * hour. The kind says how the day as written differs: see {@link daysLaterOf}.
 */
import { type JsonBytes, piece } from '../protocol/json-bytes.ts';

/** Begins every shortened value (packing.ts). */
export const mark = '"';
const quote = mark.charCodeAt(0);
const base = 90;
const zero = '#'.charCodeAt(0);
/** Of a time without a day as written; behind it those whose day is the one before that in UTC, the same, the one after. */
const plainKind = 0x10;
const daysMost = 1;
/** Characters of a midnight, of a time to the second, and of one to the millisecond. */
export const timeLengths = { day: 6, second: 9, millisecond: 11 } as const;
const textLengths = { second: 20, millisecond: 24 } as const;

/** Whether the character behind the mark of a packed value says that it is a time. */
export function isTimeKind(code: number): boolean {
  return code >= plainKind && code <= plainKind + 2 + daysMost;
}

/** The days from the UTC day of a time to its written day: -1, 0 or 1; null without a written day. */
function daysLaterOf(kind: number): number | null {
  return kind === plainKind ? null : kind - plainKind - 1 - daysMost;
}

/** Between the mark and a time that is a text (packing.ts): its written day is one before, the same, or one after. */
export const dayMarks = '\u0001\u0002\u0003';

/**
 * The same of a packed time or of a text that is one.
 * @param code the character after its mark
 * @returns null for one that says nothing of it
 */
export function daysLaterBy(code: number): number | null {
  if (isTimeKind(code)) return daysLaterOf(code);
  return isDayMark(code) ? code - 2 : null;
}

/** Whether the character after the mark says that the time behind it is a text. */
export function isDayMark(code: number): boolean {
  return code >= 1 && code <= dayMarks.length;
}

/**
 * @param time in UTC as answers show it
 * @param daysLater as {@link daysLaterOf}
 * @returns null for a text that is no such time, or is after the year 8099
 */
export function packUtc(time: string, daysLater: number | null): string | null {
  const milliseconds = millisecondsIn(time);
  if (milliseconds === null || !hasShape(time)) return null;
  const year = twoDigits(time, 0) * 100 + twoDigits(time, 2);
  const month = twoDigits(time, 5);
  const day = twoDigits(time, 8);
  const hour = twoDigits(time, 11);
  const minute = twoDigits(time, 14);
  const second = twoDigits(time, 17);
  // NaN, of what is no digit, fails every comparison. Hour 24 is the next day's midnight, which the caller knows.
  if (!(year < base * base && month < base && day < base && hour < 24 && minute < base && second < base))
    return null;
  setDay(year, month, day, daysLater);
  return packedClock(hour, minute, second, milliseconds);
}

/**
 * The packed form of a time as nearly all are published: in UTC or with an offset, to the second or the millisecond, on a
 * day that every month has, in UTC too. Other texts take a longer way.
 * @returns null for another text
 */
export function packCommon(published: string): string | null {
  if (!hasShape(published)) return null;
  const hasFraction = published.charCodeAt(19) === point;
  const offset = offsetAt(published, hasFraction ? 23 : 19);
  const year = twoDigits(published, 0) * 100 + twoDigits(published, 2);
  const [month, day] = [twoDigits(published, 5), twoDigits(published, 8)];
  const [hour, minute] = [twoDigits(published, 11), twoDigits(published, 14)];
  const second = twoDigits(published, 17);
  const milliseconds = hasFraction ? threeDigits(published, 20) : 0;
  // NaN, of what is no digit, fails every comparison.
  if (!(year > 0 && year < base * base && month > 0 && month <= 12 && hour < 24 && minute < 60)) return null;
  if (!(second < 60 && milliseconds < 1000) || offset === null) return null;
  const minutes = hour * 60 + minute - (offset === inUtc ? 0 : offset);
  const daysLater = minutes < 0 ? 1 : minutes < minutesOfDay ? 0 : -1;
  const utcDay = day - daysLater;
  if (!(day > 0 && day <= 28 && utcDay > 0 && utcDay <= 28)) return null;
  setDay(year, month, utcDay, offset === inUtc ? null : daysLater);
  const clock = minutes + daysLater * minutesOfDay;
  return packedClock(Math.trunc(clock / 60), clock % 60, second, milliseconds);
}

const minutesOfDay = 1440;
/** Of a time that ends in Z: no offset is as large. */
const inUtc = minutesOfDay;
/** The widest offset that xs:dateTime allows. */
const offsetMost = 14 * 60;

/** Minutes east of UTC of the zone with which a time must end, or {@link inUtc}; null for no zone. */
function offsetAt(time: string, at: number): number | null {
  const sign = time.charCodeAt(at);
  if (sign === utc) return time.length === at + 1 ? inUtc : null;
  if ((sign !== plus && sign !== dash) || time.length !== at + 6 || time.charCodeAt(at + 3) !== colon)
    return null;
  const [hours, minutes] = [twoDigits(time, at + 1), twoDigits(time, at + 4)];
  const offset = hours * 60 + minutes;
  if (!(offset <= offsetMost && minutes < 60)) return null;
  return sign === plus ? offset : -offset;
}

/** Writes the beginning of a packed time. */
function setDay(year: number, month: number, day: number, daysLater: number | null): void {
  packed[1] = daysLater === null ? plainKind : plainKind + 1 + daysMost + daysLater;
  packed[2] = zero + Math.floor(year / base);
  packed[3] = zero + (year % base);
  packed[4] = zero + month;
  packed[5] = zero + day;
}

/** Writes the rest behind it. @returns the packed time */
function packedClock(hour: number, minute: number, second: number, milliseconds: number): string {
  if (milliseconds === 0 && hour === 0 && minute === 0 && second === 0) return packedMidnight();
  packed[6] = zero + hour;
  packed[7] = zero + minute;
  packed[8] = zero + second;
  if (milliseconds === 0) return packed.toString('latin1', 0, timeLengths.second);
  packed[9] = zero + Math.floor(milliseconds / base);
  packed[10] = zero + (milliseconds % base);
  return packed.toString('latin1');
}

/**
 * The packed midnights by their bytes: half of all times are one of some thousand, and making a text of one again takes
 * longer. Kinds differ in their last two bits, and other bytes have seven, so a number of 30 bits tells them apart.
 */
const midnights = new Map<number, string>();
const midnightsMax = 65_536;

function packedMidnight(): string {
  let bytes = 0;
  for (let at = 1; at < timeLengths.day; at++) bytes = (bytes << 7) | (packed[at] ?? 0);
  const known = midnights.get(bytes);
  if (known !== undefined) return known;
  const text = packed.toString('latin1', 0, timeLengths.day);
  if (midnights.size === midnightsMax) midnights.clear();
  midnights.set(bytes, text);
  return text;
}

/** Room for a packed time: one text of it costs half of joining texts of its parts. */
const packed = Buffer.alloc(timeLengths.millisecond, mark);

/**
 * The milliseconds of a time: 0 for one to the second. Null for a time that would not be read back as it was, such as one
 * with a fraction of zeros.
 */
function millisecondsIn(time: string): number | null {
  const last = time.length - 1;
  if (time.charCodeAt(last) !== utc) return null;
  if (last === textLengths.second - 1) return 0;
  if (last !== textLengths.millisecond - 1 || time.charCodeAt(19) !== point) return null;
  const found = threeDigits(time, 20);
  return found > 0 ? found : null;
}

/** `yyyy-mm-ddThh:mm:ss` at the beginning, apart from the digits. */
function hasShape(time: string): boolean {
  return (
    time.charCodeAt(4) === dash &&
    time.charCodeAt(7) === dash &&
    time.charCodeAt(10) === beforeTime &&
    time.charCodeAt(13) === colon &&
    time.charCodeAt(16) === colon
  );
}

const [plus, dash, point, colon, beforeTime, utc, digitZero] = [0x2b, 0x2d, 0x2e, 0x3a, 0x54, 0x5a, 0x30];

function isDigit(text: string, at: number): boolean {
  const digit = text.charCodeAt(at) - digitZero;
  return digit >= 0 && digit <= 9;
}

/** NaN if either character is no digit. */
function twoDigits(text: string, at: number): number {
  if (!isDigit(text, at) || !isDigit(text, at + 1)) return Number.NaN;
  return (text.charCodeAt(at) - digitZero) * 10 + text.charCodeAt(at + 1) - digitZero;
}

/** NaN if a character is no digit. */
function threeDigits(text: string, at: number): number {
  return isDigit(text, at + 2) ? twoDigits(text, at) * 10 + text.charCodeAt(at + 2) - digitZero : Number.NaN;
}

/** The number at a place of packed bytes. */
function numberAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? zero) - zero;
}

function longNumberAt(bytes: Uint8Array, at: number): number {
  return numberAt(bytes, at) * base + numberAt(bytes, at + 1);
}

/** JSON of times, into whose digits each time is written before it is copied. */
const shown = {
  date: piece('0000-00-00'),
  second: piece('"0000-00-00T00:00:00Z"'),
  millisecond: piece('"0000-00-00T00:00:00.000Z"'),
};
/** Two digits as the bytes of a number. */
const pairs = Uint16Array.from({ length: 100 }, (_, number) =>
  Buffer.from(String(number).padStart(2, '0')).readUInt16LE(0),
);

function setDate(view: DataView, at: number, bytes: Uint8Array, from: number, day: number): void {
  const year = longNumberAt(bytes, from + 2);
  view.setUint16(at, pairs[Math.floor(year / 100)] ?? 0, true);
  view.setUint16(at + 2, pairs[year % 100] ?? 0, true);
  view.setUint16(at + 5, pairs[numberAt(bytes, from + 4)] ?? 0, true);
  view.setUint16(at + 8, pairs[day] ?? 0, true);
}

/** Writes the JSON of a packed time. */
export function putTime(out: JsonBytes, bytes: Uint8Array, from: number, to: number): void {
  const time = to - from === timeLengths.millisecond ? shown.millisecond : shown.second;
  const { view } = time;
  setDate(view, 1, bytes, from, numberAt(bytes, from + 5));
  const hasClock = to - from > timeLengths.day;
  for (let part = 0; part < 3; part++) {
    const number = hasClock ? numberAt(bytes, from + timeLengths.day + part) : 0;
    view.setUint16(12 + 3 * part, pairs[number] ?? 0, true);
  }
  if (to - from === timeLengths.millisecond) {
    const milliseconds = longNumberAt(bytes, from + timeLengths.second);
    view.setUint8(21, digitZero + Math.floor(milliseconds / 100));
    view.setUint16(22, pairs[milliseconds % 100] ?? 0, true);
  }
  out.put(time);
}

/**
 * Writes the day as written of a packed time, `yyyy-mm-dd`.
 * @param daysLater as {@link daysLaterOf}
 * @returns false if nothing was written, because only a calendar tells the day
 */
export function putWrittenDay(out: JsonBytes, bytes: Uint8Array, from: number, daysLater: number): boolean {
  const day = numberAt(bytes, from + 5) + daysLater;
  // Every month has these days.
  if (daysLater !== 0 && (day < 1 || day > 28)) return false;
  setDate(shown.date.view, 0, bytes, from, day);
  out.put(shown.date);
  return true;
}

/** The text of a packed time. */
export function unpackTime(packed: string): string {
  const at = (place: number) => packed.charCodeAt(place) - zero;
  const long = (place: number) => at(place) * base + at(place + 1);
  const two = (number: number) => String(number).padStart(2, '0');
  const date = `${String(long(2)).padStart(4, '0')}-${two(at(4))}-${two(at(5))}`;
  if (packed.length === timeLengths.day) return `${date}T00:00:00Z`;
  const clock = `${date}T${two(at(6))}:${two(at(7))}:${two(at(8))}`;
  if (packed.length === timeLengths.second) return `${clock}Z`;
  return `${clock}.${String(long(timeLengths.second)).padStart(3, '0')}Z`;
}

/** Packed times in a text. */
const times = /"[\x10-\x13](?:[#-|]{9}|[#-|]{7}|[#-|]{4})(?=[\x00-\x1f]|$)/g;

/** Whether a packed text has times. */
export function hasTimes(text: string): boolean {
  return text.search(times) !== -1;
}

/** A packed text with other texts for its times. @param replaced is given the time and {@link daysLaterOf} it */
export function withTimes(
  text: string,
  replaced: (time: string, daysLater: number | null) => string,
): string {
  return text.replace(times, (packed) => replaced(unpackTime(packed), daysLaterOf(packed.charCodeAt(1))));
}

/** Seconds since 1970 of packed bytes; null for what is no packed time. Fractions of a second are left out. */
export function secondsOfBytes(bytes: Uint8Array, from: number, to: number): number | null {
  if (to - from < timeLengths.day || bytes[from] !== quote || !isTimeKind(bytes[from + 1] ?? 0)) return null;
  const [month, day] = [numberAt(bytes, from + 4), numberAt(bytes, from + 5)];
  if (month < 1 || month > 12 || day < 1) return null;
  const year = longNumberAt(bytes, from + 2);
  const before = daysBefore(year, month);
  if (day > 28 && before + day > daysBefore(year, month + 1)) return null;
  const midnight = (before + day - 1) * 86_400;
  if (to - from === timeLengths.day) return midnight;
  const [minute, second] = [numberAt(bytes, from + 7), numberAt(bytes, from + 8)];
  if (minute > 59 || second > 59) return null;
  return midnight + (numberAt(bytes, from + 6) * 60 + minute) * 60 + second;
}

/** The thousandths of a second of packed bytes; null for what is no packed time. */
export function thousandthsOfBytes(bytes: Uint8Array, from: number, to: number): number | null {
  if (to - from < timeLengths.day || bytes[from] !== quote || !isTimeKind(bytes[from + 1] ?? 0)) return null;
  return to - from === timeLengths.millisecond ? longNumberAt(bytes, from + timeLengths.second) : 0;
}

/** Days from 1970 to the first of a month, 1 to 13, in the Gregorian calendar. Its years begin with March here. */
function daysBefore(year: number, month: number): number {
  const yearFromMarch = month > 2 ? year : year - 1;
  const monthFromMarch = month > 2 ? month - 3 : month + 9;
  const leapDays =
    Math.floor(yearFromMarch / 4) - Math.floor(yearFromMarch / 100) + Math.floor(yearFromMarch / 400);
  return yearFromMarch * 365 + leapDays + Math.floor((153 * monthFromMarch + 2) / 5) - 719_468;
}
