/** Packs the rows of tables, range by range, in the thread that writes them or in others. */
import { compareKeys } from '../../bytes/hash.ts';
import { collectGarbage, type Memory, ownMemory } from '../../bytes/memory.ts';
import { type MappingKind, mappingTable } from '../../lei/identifier-kinds.ts';
import { type Appendable, appendText } from '../../lmdb.ts';
import type { BucketGroups } from '../../store/buckets.ts';
import { leiLength } from '../../store/company-fields.ts';
import { joinMappingSlots, mappingSlots, packMappingSlot } from '../../store/mapping-record.ts';
import { appendBuckets, bucketRanges, type GroupedEntries } from '../../store/packed-table.ts';
import type { Tables } from '../../store/tables.ts';
import { appendIsinLists, type IsinLists } from './isin-lists.ts';
import { groupsOf } from './number-list.ts';
import { distinctIdentifiers, openPairs, type PairColumns } from './pair-list.ts';

/** The pairs of one kind, grouped by entity, as plain data. */
export interface PairsOfKind {
  readonly kind: MappingKind;
  readonly columns: PairColumns;
  readonly groups: BucketGroups;
}

/** Rows to pack, as plain data. */
export type PackTask = { readonly first: number; readonly last: number } & (
  | { readonly rows: 'mappings'; readonly kinds: readonly PairsOfKind[] }
  | {
      readonly rows: 'buckets';
      readonly table: MappingKind;
      readonly grouped: GroupedEntries;
      /** LEIs by entity number from 1, which determine the order of the entities under one key. */
      readonly leis: Uint8Array;
    }
);

/** `mappings` are parts of rows of the company file. */
export type PackedTableName = 'mappings' | 'isinLists' | MappingKind;

/** Appends the rows. @returns the number of entries of a packed table */
export function pack(task: PackTask, tables: Readonly<Record<PackedTableName, Appendable>>): number {
  if (task.rows === 'mappings') {
    const textOf = mappingTexts(task.kinds, appendIsinLists(tables.isinLists));
    for (let entity = task.first; entity < task.last; entity++) {
      const text = textOf(entity, undefined);
      if (text !== null) appendText(tables.mappings, entity, text);
    }
    return 0;
  }
  const { table, grouped, leis } = task;
  const byLei = (a: number, b: number) =>
    compareKeys(leis, (a - 1) * leiLength, leis, (b - 1) * leiLength, leiLength);
  return appendBuckets(tables[table], grouped, byLei, task);
}

/**
 * @param kinds in the order of their slots; the slots of others stay as they are
 * @returns a function that makes the text of an entity from its previous one, null for none, and adds its ISINs to the
 * lists
 */
export function mappingTexts(
  kinds: readonly PairsOfKind[],
  isinLists: IsinLists,
): (entity: number, before: string | undefined) => string | null {
  const opened = kinds.map(({ kind, columns, groups }) => ({
    kind,
    pairs: openPairs(columns),
    groups: groupsOf(groups),
    shownMax: mappingTable[kind].shownMax ?? Number.POSITIVE_INFINITY,
  }));
  return (entity, before) => {
    let slots: string[] | null = before === undefined ? null : mappingSlots(before);
    for (const { kind, pairs, groups, shownMax } of opened) {
      if (slots === null && groups.count(entity) === 0) continue;
      const { first, count } = distinctIdentifiers(pairs, groups, entity, shownMax);
      slots ??= mappingSlots(undefined);
      slots[mappingTable[kind].slot] = packMappingSlot(kind, first, count);
      if (kind === 'isin') isinLists.put(pairs, groups, entity, count);
    }
    return slots === null ? null : joinMappingSlots(slots);
  };
}

export interface Packer {
  /** For all data of the tasks. */
  readonly memory: Memory;
  /**
   * Writes the rows of all tasks, in order.
   * @returns the numbers of entries of packed tables
   */
  run(tasks: Iterable<PackTask>, target: PackTarget): Promise<number>;
}

export interface PackTarget {
  readonly tables: Pick<Tables, 'isinLists' | MappingKind>;
  readonly mappings: Appendable;
}

/** Writes packed rows in one transaction. @param write receives the tables to append to */
export function writePacked<Result>(
  { tables, mappings }: PackTarget,
  write: (tables: Readonly<Record<PackedTableName, Appendable>>) => Result,
): Result {
  return tables.isinLists.transactionSync(() => write({ ...tables, mappings }));
}

/** Packs in the calling thread. */
export const ownPacker: Packer = {
  memory: ownMemory,
  async run(tasks, target) {
    let entries = 0;
    let done = 0;
    for (const task of tasks) {
      entries += writePacked(target, (tables) => pack(task, tables));
      done += task.last - task.first;
      if (done < rowsPerCollection) continue;
      collectGarbage(done);
      done = 0;
    }
    return entries;
  },
};
const rowsPerCollection = 1_000_000;

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
  table: MappingKind,
  grouped: GroupedEntries,
  leis: Uint8Array,
): Generator<PackTask> {
  for (const range of bucketRanges(grouped, bucketsPerTask)) {
    yield { rows: 'buckets', table, grouped, leis, ...range };
  }
}
