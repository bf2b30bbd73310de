/**
 * Binary search: over a typed array of numbers, and over anything else by a comparison. The first has its own loop: a
 * call for each step would double its time, and intersections of documents spend most of their time in it.
 */

/** The first position from `low` up to `high` whose number is not below `value`; `high` if there is none. */
export function lowerBound(sorted: Uint32Array, value: number, low = 0, high = sorted.length): number {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] ?? 0) < value) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The first position from `low` up to `high` for which `isBefore` is false; `high` if it is true for all. */
export function firstNotBefore(low: number, high: number, isBefore: (position: number) => boolean): number {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (isBefore(middle)) from = middle + 1;
    else to = middle;
  }
  return from;
}
