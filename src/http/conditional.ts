/** Conditional requests (RFC 9110 §13). */

/** `*` matches any existing resource; otherwise the opaque tags with their quotes, without `W/`. */
export type TagCondition = '*' | readonly string[];

const entityTag = /(?:W\/)?("[\u0021\u0023-\u007e\u0080-\u00ff]*")/g;

/** Reads If-None-Match. Weak comparison ignores `W/`. */
export function readTagCondition(header: string): TagCondition {
  const text = header.trim();
  if (text === '*') return '*';
  return Array.from(text.matchAll(entityTag), (match) => match[1] ?? '');
}

export function matchesTag(condition: TagCondition, tag: string): boolean {
  return condition === '*' || condition.includes(tag);
}

const days = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const month = `(?<month>${months.join('|')})`;
const time = String.raw`(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)`;
/** The three date formats of RFC 9110 §5.6.7. */
const dateForms = [
  new RegExp(`^${days}, (?<day>\\d\\d) ${month} (?<year>\\d{4}) ${time} GMT$`),
  new RegExp(
    `^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\\d\\d)-${month}-(?<year>\\d\\d) ${time} GMT$`,
  ),
  new RegExp(`^${days} ${month} (?<day>[ \\d]\\d) ${time} (?<year>\\d{4})$`),
];

/**
 * Epoch milliseconds of an HTTP date; null for any other text, which a recipient must ignore.
 * @param now epoch milliseconds; a two-digit year is at most 50 years ahead of it
 */
export function readHttpDate(text: string, now: number): number | null {
  for (const form of dateForms) {
    const groups = form.exec(text)?.groups;
    if (groups !== undefined) return toEpoch(groups, now);
  }
  return null;
}

function toEpoch(groups: Readonly<Record<string, string>>, now: number): number | null {
  const number = (name: string) => Number(groups[name]);
  const year = groups['year']?.length === 2 ? fullYear(number('year'), now) : number('year');
  const day = number('day');
  const moment = new Date(
    Date.UTC(
      year,
      months.indexOf(groups['month'] ?? ''),
      day,
      number('hour'),
      number('minute'),
      // `Date` turns a leap second (60) into the first second of the next minute.
      number('second'),
    ),
  );
  const plausible = moment.getUTCDate() === day || (number('second') === 60 && number('hour') === 23);
  return plausible && number('minute') < 60 && number('second') <= 60 ? moment.getTime() : null;
}

function fullYear(twoDigits: number, now: number): number {
  const thisYear = new Date(now).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + twoDigits;
  return year > thisYear + 50 ? year - 100 : year;
}
