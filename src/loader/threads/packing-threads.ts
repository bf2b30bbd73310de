/** Manages the threads in which a load packs tables, as the loader's own thread sees them. */
import { type AnsweringThread, answeringThread, answersInOrder } from '../../answering-thread.ts';
import { sharedMemory } from '../../bytes/memory.ts';
import { appendBlock } from '../../store/row-blocks.ts';
import type { Tables } from '../../store/tables.ts';
import type { Packer, PackTask } from '../build/packer.ts';
import type { PackedRows } from './pack-thread.ts';

export interface PackingThreads extends Packer {
  /** Terminates the threads. */
  end(): void;
}

const threadUrl = new URL('../../../workers/pack.ts', import.meta.url).href;

/** Threads that start with the first task. @param count at least 1 */
export function startPackingThreads(count: number): PackingThreads {
  let threads: readonly AnsweringThread<PackTask, PackedRows>[] = [];
  return {
    memory: sharedMemory,
    async run(tasks, tables) {
      if (threads.length === 0) threads = Array.from({ length: count }, startThread);
      let entries = 0;
      for await (const packed of answersInOrder(threads, tasks)) {
        write(packed, tables);
        entries += packed.entries;
      }
      return entries;
    },
    end() {
      for (const thread of threads) thread.terminate();
    },
  };
}

function write({ blocks }: PackedRows, tables: Tables): void {
  tables.mappings.transactionSync(() => {
    for (const block of blocks) appendBlock(tables[block.table], block);
  });
}

function startThread() {
  return answeringThread<PackTask, PackedRows>(new Worker(threadUrl), 'A packing thread');
}
