/** Parses a moment in a request's address. */
import { utcDate } from '../../lei/dates.ts';

/** Of a moment, for the description; {@link momentOf} also refuses impossible dates and times. */
export const momentPattern =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2}))?$';

/**
 * A date, or a time with its zone, as a time in UTC; null if the text is neither, such as a 30th of February. A fraction
 * of a second is kept, because times in answers may have one.
 * @param timeOfDay the time for a date alone, such as 23:59:59
 */
export function momentOf(text: string, timeOfDay: string): string | null {
  return utcDate(text.includes('T') ? text : `${text}T${timeOfDay}Z`);
}
