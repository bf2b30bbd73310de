/**
 * Warms the page cache: reads a publication's files through, so that the kernel has them in memory. Query threads read
 * single rows without read-ahead. After a start of the machine, or days after the load, each row would wait for the
 * disk.
 */
import { stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import type { Log } from '../../log/log.ts';
import { readThrough } from '../../publication/files.ts';
import type { Layout } from '../../publication/layout.ts';

/** A swap continues without the rest after this time. */
const timeoutMs = 30_000;

/**
 * Reads a publication from end to end, up to a time limit. Skips one that would take more than a third of the memory,
 * since a swap has two. Never rejects: without the cache, answers are slower.
 * @returns how many bytes were read
 */
export type BringIntoMemory = (id: string) => Promise<number>;

/** The memory of the machine or, if that is less, of the container. */
function memoryAtHand(): number {
  // 0 if no limit is known.
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/**
 * @param stopping ends the current reading
 * @param memoryBytes the available memory
 */
export function bringIntoMemory(
  layout: Layout,
  log: Pick<Log, 'warn'>,
  stopping: AbortSignal,
  memoryBytes = memoryAtHand(),
): BringIntoMemory {
  return async (id) => {
    // Read the most frequently used file first.
    const paths = [layout.companies(id), layout.search(id), layout.environment(id)];
    try {
      const files = await Promise.all(paths.map((path) => stat(path)));
      if (files.reduce((sum, { size }) => sum + size, 0) > memoryBytes / 3) return 0;
      const ending = AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)]);
      let read = 0;
      for (const path of paths) read += await readThrough(path, ending);
      return read;
    } catch (error) {
      const message = 'The publication could not be read into memory; first answers may take longer.';
      log.warn(message, { path: layout.publication(id), error });
      return 0;
    }
  };
}
