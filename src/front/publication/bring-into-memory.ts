/**
 * Publications on their way into the kernel's memory. Threads that answer read single rows of one, without reading on
 * ahead: where it is on its disk alone, as after a start of the machine or where it was loaded days ago, each of those
 * rows is waited for.
 */

import { stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import type { Layout } from '../../publication/layout.ts';
import { readThrough } from '../../publication/read-through.ts';
import type { Log } from '../log.ts';
import { publicationLimits } from './limits.ts';

/**
 * Reads a publication from one end to the other. One that would take more than a third of the memory is left alone,
 * since at a swap there are two; so is what a time limit leaves over. Never rejects: without it answers are only slower.
 * @returns how many bytes were read
 */
export type BringIntoMemory = (id: string) => Promise<number>;

async function sizeOf(path: string): Promise<number> {
  return (await stat(path)).size;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** What the machine has, or the container. */
function memoryAtHand(): number {
  // 0 where nothing is known of a limit.
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/**
 * @param stopping ends a reading that is under way
 * @param memoryBytes what there is of memory
 */
export function bringIntoMemory(
  layout: Layout,
  log: Pick<Log, 'warn'>,
  stopping: AbortSignal,
  memoryBytes = memoryAtHand(),
): BringIntoMemory {
  return async (id) => {
    // What is asked for most comes first.
    const paths = [layout.companies(id), layout.environment(id)];
    try {
      const sizes = await Promise.all(paths.map(sizeOf));
      if (sum(sizes) > memoryBytes / 3) return 0;
      const ending = AbortSignal.any([stopping, AbortSignal.timeout(publicationLimits.intoMemoryTimeoutMs)]);
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
