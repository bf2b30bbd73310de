/** Reads packed times without making strings of them: nearly all times of all companies are of two forms. */

const zero = 0x30;
const mark = 0x22;
const [day, dash, beforeTime, colon, end] = [0x40, 0x2d, 0x54, 0x3a, 0x5a];
/** Of the mark and the letter of the day as written. */
const dayMarkBytes = 2;
const dateBytes = 10;
const timeBytes = 20;

/**
 * Seconds since 1970 of a packed time, a midnight (`"@2024-05-04`) or one to the second (`2024-05-04T08:00:00Z`), with or
 * without the mark of its day as written; null for any other text, which may be a time too.
 */
export function secondsOfBytes(bytes: Uint8Array, from: number, to: number): number | null {
  const hasDayMark = bytes[from] === mark && (bytes[from + 1] ?? 0) < 4;
  const start = hasDayMark ? from + dayMarkBytes : from;
  if (bytes[start] === mark)
    return bytes[start + 1] === day && to - start === 2 + dateBytes ? midnightOf(bytes, start + 2) : null;
  if (to - start !== timeBytes || bytes[start + 10] !== beforeTime || bytes[to - 1] !== end) return null;
  const midnight = midnightOf(bytes, start);
  const inDay = secondsInDay(bytes, start + 11);
  return midnight === null || inDay === null ? null : midnight + inDay;
}

/** Of `hh:mm:ss`. */
function secondsInDay(bytes: Uint8Array, at: number): number | null {
  if (bytes[at + 2] !== colon || bytes[at + 5] !== colon) return null;
  const [hours, minutes, seconds] = [
    twoDigits(bytes, at),
    twoDigits(bytes, at + 3),
    twoDigits(bytes, at + 6),
  ];
  if (hours > 23 || minutes > 59 || seconds > 59) return null;
  return (hours * 60 + minutes) * 60 + seconds;
}

/** Of `yyyy-mm-dd`. Days that not every month has are left to a calendar. */
function midnightOf(bytes: Uint8Array, at: number): number | null {
  if (bytes[at + 4] !== dash || bytes[at + 7] !== dash) return null;
  const [century, yearOfCentury] = [twoDigits(bytes, at), twoDigits(bytes, at + 2)];
  const [month, dayOfMonth] = [twoDigits(bytes, at + 5), twoDigits(bytes, at + 8)];
  if (century > 99 || yearOfCentury > 99 || month < 1 || month > 12 || dayOfMonth < 1 || dayOfMonth > 28)
    return null;
  return (daysBefore(century * 100 + yearOfCentury, month) + dayOfMonth - 1) * 86_400;
}

/** Above 99 if they are no digits. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] ?? 0) - zero;
  const ones = (bytes[at + 1] ?? 0) - zero;
  return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? 100 : tens * 10 + ones;
}

/** Days from 1970 to the first of a month, in the Gregorian calendar. Its years begin with March here. */
function daysBefore(year: number, month: number): number {
  const yearFromMarch = month > 2 ? year : year - 1;
  const monthFromMarch = month > 2 ? month - 3 : month + 9;
  const leapDays =
    Math.floor(yearFromMarch / 4) - Math.floor(yearFromMarch / 100) + Math.floor(yearFromMarch / 400);
  return yearFromMarch * 365 + leapDays + Math.floor((153 * monthFromMarch + 2) / 5) - 719_468;
}
