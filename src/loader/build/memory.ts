/** Collects garbage between the steps of a load, so that it stays within its memory. */

/** Below this, the garbage of a step is not worth the time of collecting it. */
const largeRows = 250_000;

/**
 * Collects garbage after a step that leaves much of it. By itself, the collector would do so only when the heap has
 * doubled, and typed arrays of hundreds of megabytes count as almost no heap.
 */
export function collectGarbage(rows: number): void {
  if (rows >= largeRows) Bun.gc(true);
}
