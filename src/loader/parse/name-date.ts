/**
 * Reads the time in a file's name, such as `20260123-0800-gleif-goldencopy-…`, `isin-lei-20260913T071511.zip`,
 * `LEI-BIC-20260828.zip`.
 */
import { utcDate } from '../../lei/dates.ts';

const pattern = /(?<!\d)(\d{4})(-?)(\d\d)\2(\d\d)(?:[-T](\d\d)(\d\d)(\d\d)?)?(?!\d)/g;

/** The first time in any of the names, in UTC; null if none has one. */
export function dateInNames(...names: readonly (string | null)[]): string | null {
  for (const name of names) {
    for (const [, year, , month, day, hour = '00', minute = '00', second = '00'] of name?.matchAll(pattern) ??
      []) {
      const date = utcDate(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
      // LEIs exist since 2012: an earlier eight-digit number is not a date.
      if (date !== null && date >= '2012') return date;
    }
  }
  return null;
}
