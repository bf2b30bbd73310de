/** Collects garbage between the steps of a load, so that it stays within its memory. */

/** Below it, what a step leaves behind is not worth the time of collecting it. */
const largeRows = 250_000;

/**
 * Collects garbage after a step that leaves much of it. The collector would do so on its own only when the heap has
 * grown by as much again, and typed arrays of hundreds of megabytes count as almost no heap.
 */
export function collectGarbage(rows: number): void {
  if (rows >= largeRows) Bun.gc(true);
}
