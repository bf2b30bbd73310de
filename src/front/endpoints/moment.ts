/** Parses a moment in a request's address. */
import { timestamp } from '../../lei/timestamp.ts';

const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$/;

/**
 * A date or a time in UTC as a time to the second; null if the text is not one, such as a 30th of February.
 * @param timeOfDay the time for a date alone, such as 23:59:59
 */
export function momentOf(text: string, timeOfDay: string): string | null {
  if (!form.test(text)) return null;
  const time = text.includes('T') ? text : `${text}T${timeOfDay}Z`;
  const moment = new Date(time);
  return Number.isNaN(moment.getTime()) || timestamp(moment) !== time ? null : time;
}
