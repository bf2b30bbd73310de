/**
 * Manages the threads in which a load packs rows of tables; both ends of them. A thread opens no file and no environment.
 */
import { sharedMemory } from '../../bytes/memory.ts';
import { mappingKinds } from '../../lei/identifier-kinds.ts';
import { appendBlock, blockedTables, type RowBlock } from '../../store/row-blocks.ts';
import { type CallHandlers, ResultWithMemory } from '../../threads/calls.ts';
import { resultsInOrder, TaskThread } from '../../threads/tasks.ts';
import {
  type PackedTableName,
  type Packer,
  type PackTarget,
  type PackTask,
  pack,
  writePacked,
} from '../build/packer.ts';

interface PackedRows {
  readonly blocks: readonly RowBlock<PackedTableName>[];
  /** @see pack */
  readonly entries: number;
}

/** The tasks of a packing thread. */
export interface PackingTasks {
  pack(task: PackTask): PackedRows;
}

interface PackingThreads extends Packer {
  /** Terminates the threads. */
  end(): void;
}

const threadUrl = new URL('../../../workers/pack.ts', import.meta.url).href;

/** Threads that start with the first task. @param count at least 1 */
export function startPackingThreads(count: number): PackingThreads {
  let threads: readonly ReturnType<typeof startThread>[] = [];
  return {
    memory: sharedMemory,
    async run(tasks, target) {
      if (threads.length === 0) threads = Array.from({ length: count }, startThread);
      let entries = 0;
      const packing = resultsInOrder(threads, tasks, (thread, task) => thread.do('pack', [task]));
      for await (const packed of packing) {
        write(packed, target);
        entries += packed.entries;
      }
      return entries;
    },
    end() {
      for (const thread of threads) thread.terminate();
    },
  };
}

function write({ blocks }: PackedRows, target: PackTarget): void {
  writePacked(target, (tables) => {
    for (const block of blocks) appendBlock(tables[block.table], block);
  });
}

function startThread() {
  return new TaskThread<PackingTasks>(new Worker(threadUrl), 'A packing thread', {});
}

const names = ['mappings', 'isinLists', ...mappingKinds] as const;

/** Runs in the thread. */
export function packingTasks(): CallHandlers<PackingTasks> {
  let blocks: RowBlock<PackedTableName>[] = [];
  const { tables, flush } = blockedTables<PackedTableName>(names, (block) => void blocks.push(block));
  return {
    pack(task) {
      blocks = [];
      const entries = pack(task, tables);
      flush();
      return new ResultWithMemory(
        { blocks, entries },
        blocks.map(({ bytes }) => bytes.buffer),
      );
    },
  };
}
