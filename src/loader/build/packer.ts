/** Packs the rows of tables, range by range, in the thread that writes them or in others. */
import { compareKeys } from '../../bytes/fixed-keys.ts';
import { type Memory, ownMemory } from '../../bytes/memory.ts';
import type { IdentifierKind } from '../../lei/identifier-kinds.ts';
import type { Appendable } from '../../lmdb.ts';
import { leiLength } from '../../store/company-record.ts';
import { appendBuckets, bucketRanges, type GroupedEntries } from '../../store/packed-table.ts';
import type { Tables } from '../../store/tables.ts';
import { appendMappings, type PairsOfKind } from './mapping-rows.ts';
import { collectGarbage } from './memory.ts';

/** Rows to pack, as plain data. */
export type PackTask = { readonly first: number; readonly last: number } & (
  | { readonly rows: 'mappings'; readonly kinds: readonly PairsOfKind[] }
  | {
      readonly rows: 'buckets';
      readonly table: IdentifierKind | 'directory';
      readonly grouped: GroupedEntries;
      /** LEIs by entity number from 1, which determine the order of the entities under one key. */
      readonly leis: Uint8Array;
    }
);

export type PackedTableName = 'mappings' | 'isinLists' | IdentifierKind | 'directory';

/** Appends the rows. @returns the number of entries of a packed table */
export function pack(task: PackTask, tables: Readonly<Record<PackedTableName, Appendable>>): number {
  if (task.rows === 'mappings') {
    appendMappings(tables, task.kinds, task);
    return 0;
  }
  const { table, grouped, leis } = task;
  const byLei = (a: number, b: number) =>
    compareKeys(leis, (a - 1) * leiLength, leis, (b - 1) * leiLength, leiLength);
  return appendBuckets(tables[table], grouped, byLei, task);
}

export interface Packer {
  /** For all data of the tasks. */
  readonly memory: Memory;
  /**
   * Writes the rows of all tasks, in order.
   * @returns the numbers of entries of packed tables
   */
  run(tasks: Iterable<PackTask>, tables: Tables): Promise<number>;
}

/** Packs in the calling thread. */
export const ownPacker: Packer = {
  memory: ownMemory,
  async run(tasks, tables) {
    let entries = 0;
    let done = 0;
    for (const task of tasks) {
      entries += tables.mappings.transactionSync(() => pack(task, tables));
      done += task.last - task.first;
      if (done < rowsPerCollection) continue;
      collectGarbage(done);
      done = 0;
    }
    return entries;
  },
};
const rowsPerCollection = 250_000;

const entitiesPerTask = 20_000;

/** The rows by company. @param kinds in the order of their slots */
export function* mappingTasks(kinds: readonly PairsOfKind[], lastEntity: number): Generator<PackTask> {
  for (let first = 1; first <= lastEntity; first += entitiesPerTask) {
    yield { rows: 'mappings', kinds, first, last: Math.min(lastEntity + 1, first + entitiesPerTask) };
  }
}

/** About two megabytes of rows. */
const bucketsPerTask = 2_000;

export function* bucketTasks(
  table: IdentifierKind | 'directory',
  grouped: GroupedEntries,
  leis: Uint8Array,
): Generator<PackTask> {
  for (const range of bucketRanges(grouped, bucketsPerTask)) {
    yield { rows: 'buckets', table, grouped, leis, ...range };
  }
}
