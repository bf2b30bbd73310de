/**
 * Allocates the memory that threads count in: one block each, in one SharedArrayBuffer. The main thread adds the blocks
 * up on request.
 */
import { createFamilies, type Families, type Names } from './families.ts';

/** The distance in bytes between blocks, so that no two threads share a cache line. */
const gapBytes = 128;
const cellBytes = Float64Array.BYTES_PER_ELEMENT;

/** What a thread needs to count: plain data that crosses to a worker. */
export interface MetricsMemory {
  readonly memory: SharedArrayBuffer;
  readonly names: Names;
  /** The threads, in the order of the blocks. */
  readonly threads: readonly string[];
}

export interface Block {
  readonly families: Families;
  readonly cells: Float64Array;
  /** Epoch milliseconds of the thread's last sign of life, in a separate cell; 0 before the first. */
  readonly beat: Float64Array;
}

export function createMetricsMemory(names: Names, threads: readonly string[]): MetricsMemory {
  const bytes = threads.length * strideOf(createFamilies(names));
  return { memory: new SharedArrayBuffer(bytes), names, threads };
}

/** A block contains the cells of the families, then the heartbeat. */
function strideOf(families: Families): number {
  const bytes = (families.blockCells() + 1) * cellBytes;
  return Math.ceil((bytes + gapBytes) / gapBytes) * gapBytes;
}

/** @param thread one of those that the memory was made for */
export function blockOf({ memory, names, threads }: MetricsMemory, thread: string): Block {
  const index = threads.indexOf(thread);
  if (index < 0) throw new Error(`There is no block for the thread ${thread}.`);
  const families = createFamilies(names);
  const start = index * strideOf(families);
  const count = families.blockCells();
  return {
    families,
    cells: new Float64Array(memory, start, count),
    beat: new Float64Array(memory, start + count * cellBytes, 1),
  };
}

/** Resets the gauges of a thread that has ended: its requests have ended with it. */
export function clearGauges({ families, cells }: Block): void {
  for (const { offset } of [families.inFlight, families.queue, families.lag]) cells[offset] = 0;
}

/** The last sign of life of each thread that has given one, epoch milliseconds. */
export function beatsOf(memory: MetricsMemory): readonly { readonly thread: string; readonly at: number }[] {
  return memory.threads
    .map((thread) => ({ thread, at: blockOf(memory, thread).beat[0] ?? 0 }))
    .filter(({ at }) => at > 0);
}
