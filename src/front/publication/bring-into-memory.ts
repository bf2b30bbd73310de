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

/**
 * Reads a publication from one end to the other, unless it would take more than half of the memory. Never rejects:
 * without it answers are only slower.
 */
export type BringIntoMemory = (id: string) => Promise<void>;

/** @param stopping ends a reading that is under way */
export function bringIntoMemory(
  layout: Layout,
  log: Pick<Log, 'warn'>,
  stopping: AbortSignal,
): BringIntoMemory {
  return async (id) => {
    const path = layout.environment(id);
    try {
      const { size } = await stat(path);
      if (size <= totalmem() / 2) await readThrough(path, stopping);
    } catch (error) {
      const message = 'The publication could not be read into memory; first answers may take longer.';
      log.warn(message, { path, error });
    }
  };
}
