/** Compares times of records, as their files state them: UTC ISO 8601 with Z, with or without a fraction. */

/** An odd value is kept as published, but does not count as a time. */
const time = /^\d{4}-\d\d-\d\dT/;

/**
 * Whether a record of time `next` is superseded by one of time `known` that was read before it. If the times are equal,
 * missing or invalid, the later file prevails.
 */
export function isOutdated(next: string, known: string): boolean {
  if (next === known || known === '' || !time.test(next) || !time.test(known)) return false;
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
