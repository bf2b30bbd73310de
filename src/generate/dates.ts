/** Writes times as LEI issuers do: xs:dateTime with Z or an offset, with or without milliseconds. */
import { timestamp } from '../lei/dates.ts';
import type { Issuer } from './vocabulary/issuers.ts';

/** The numbers below 100 with two digits. */
export const twoDigits: readonly string[] = Array.from({ length: 100 }, (_, value) =>
  String(value).padStart(2, '0'),
);
export const secondsPerDay = 86_400;

/**
 * Publication time of every generated full set, in seconds since 1970: fixed, so that a seed always gives the same
 * bytes.
 */
export const publishedAt = Date.UTC(2026, 9, 4, 16) / 1000;

interface CalendarDay {
  readonly text: string;
  /** April to October: close enough to Central European summer time for varied data. */
  readonly summer: boolean;
}
// Calculate the calendar once per day of some tens of thousands, not once per record.
const days = new Map<number, CalendarDay>();

function dayOf(number: number): CalendarDay {
  const known = days.get(number);
  if (known !== undefined) return known;
  const text = new Date(number * secondsPerDay * 1000).toISOString().slice(0, 10);
  const month = Number(text.slice(5, 7));
  const day = { text, summer: month >= 4 && month <= 10 };
  days.set(number, day);
  return day;
}

const offsetMinutes: Readonly<Record<Issuer['offset'], number>> = {
  Z: 0,
  '+00:00': 0,
  'central-europe': 60,
  '+05:30': 330,
  '+08:00': 480,
  '-05:00': -300,
};

/** A time as the issuer writes it. @param seconds whole, since 1970 */
export function issuerTime(seconds: number, issuer: Issuer, milliseconds = 0): string {
  let offset = offsetMinutes[issuer.offset];
  let suffix: string = issuer.offset;
  if (issuer.offset === 'central-europe') {
    const summer = dayOf(Math.floor(seconds / secondsPerDay)).summer;
    offset = summer ? 120 : 60;
    suffix = summer ? '+02:00' : '+01:00';
  }
  const local = seconds + offset * 60;
  const day = Math.floor(local / secondsPerDay);
  const second = local - day * secondsPerDay;
  const hours = Math.floor(second / 3600);
  const minutes = Math.floor(second / 60) % 60;
  const clock = `${twoDigits[hours]}:${twoDigits[minutes]}:${twoDigits[second % 60]}`;
  const fraction = issuer.milliseconds ? `.${String(milliseconds).padStart(3, '0')}` : '';
  return `${dayOf(day).text}T${clock}${fraction}${suffix}`;
}

/** The first second of the UTC day of a time; both in seconds since 1970. */
export function midnight(seconds: number): number {
  return Math.floor(seconds / secondsPerDay) * secondsPerDay;
}

/** Seconds since 1970 as `2026-10-04T16:00:00Z`. */
export function utcTime(seconds: number): string {
  return timestamp(new Date(seconds * 1000));
}
