/**
 * Names the days of published times. Answers show a time in UTC, which may be another day than the published one, so the
 * day as written stands beside it: `creationDay` beside `creationDate`. A record as published has the time alone, with
 * its offset.
 */
import { type ShownTime, shownTime } from './dates.ts';

/** Members of answers that hold the day of another member. */
type DayName = 'day' | `${string}Day`;

/** A value of an answer as files have it: without the days of its times. */
export type AsPublished<Value> = Value extends readonly (infer Item)[]
  ? AsPublished<Item>[]
  : Value extends object
    ? { [Name in keyof Value as Name extends DayName ? never : Name]: AsPublished<Value[Name]> }
    : Value;

/** Whether a member of this name holds a time of GLEIF's files. */
export function isTimeName(name: string): boolean {
  return name === 'date' || name.endsWith('Date');
}

export function isDayName(name: string): boolean {
  return name === 'day' || name.endsWith('Day');
}

/** The member that holds the day of a time: `creationDate` → `creationDay`, `date` → `day`. */
export function dayNameOf(timeName: string): string {
  return timeName.replace(/ate$/, 'ay');
}

/** JSON of a value as answers show it: each published time in UTC, followed by its day. */
export function shownJson(published: unknown): string {
  return jsonWithDays(published, shownTime);
}

/**
 * JSON of an answer in which times were set back without their days, because an earlier version recorded the change:
 * keeps a day that its time can have, and otherwise says null.
 */
export function settledJson(answer: unknown): string {
  return jsonWithDays(answer, (time, day) => ({ time, day: canHaveDay(time, day) ? day : null }));
}

/** The widest offset of xs:dateTime is 14 hours, so a written day reaches that far beyond the day in UTC. */
const fromNoonMs = (12 + 14) * 3_600_000;

function canHaveDay(time: string, day: unknown): day is string {
  if (typeof day !== 'string') return false;
  return Math.abs(Date.parse(time) - Date.parse(`${day}T12:00:00Z`)) <= fromNoonMs;
}

type ShowTime = (time: string, day: unknown) => ShownTime;

function jsonWithDays(value: unknown, shown: ShowTime): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each) ? withDays(each, shown) : each,
  );
}

/** A loop over the members: a load does this for millions of events. */
function withDays(given: object, shown: ShowTime): object {
  const members: Readonly<Record<string, unknown>> = { ...given };
  const all: Record<string, unknown> = {};
  for (const name in members) {
    const value = members[name];
    if (!isTimeName(name)) {
      all[name] = value;
      continue;
    }
    const dayName = dayNameOf(name);
    const { time, day } =
      typeof value === 'string' ? shown(value, members[dayName]) : { time: null, day: null };
    all[name] = time;
    all[dayName] = day;
  }
  return all;
}
