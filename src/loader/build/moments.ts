/** Times of records, as their files state them: UTC ISO 8601 with Z, with or without a fraction. */

/** An odd value is kept as published, and is no time. */
const time = /^\d{4}-\d\d-\d\dT/;

/**
 * Whether a record of time `next` gives way to one of time `known` that came before it. At the same time, or where
 * a time is missing or is none, the later file is right.
 */
export function isOutdated(next: string, known: string): boolean {
  if (next === known || known === '' || !time.test(next) || !time.test(known)) return false;
  return comparable(next) < comparable(known);
}

/**
 * Texts of this form compare as times: without its Z, a time with a fraction is longer than the same second without,
 * and without zeros at its end, half a second is the same however many digits it was published with.
 */
function comparable(moment: string): string {
  return moment.includes('.') ? moment.replace(/\.?0*Z$/, '') : moment.slice(0, -1);
}

/** The later of two times; null is no time. */
export function laterOf(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return isOutdated(a, b) ? b : a;
}
