/** A sealed publication's tables, opened read-only: what readers, comparisons and verification stand on. */
import { type Environment, openReadOnly, type ReadingPattern, type ReadTransaction } from '../lmdb.ts';
import { type Meta, readMeta } from './meta.ts';
import { openPackedTable, type PackedTable } from './packed-table.ts';
import type { DirectoryEntry } from './publication-reader.ts';
import { openTables, type Tables } from './tables.ts';

export interface RawPublication {
  readonly tables: Tables;
  /** An immutable environment is read in one long transaction: lmdb then renews none per turn of the loop. */
  readonly transaction: ReadTransaction;
  readonly meta: Meta;
  readonly directory: PackedTable;
  close(): Promise<void>;
}

/** Opens the publication in a folder. Throws where it is missing, damaged, another one or of another version. */
export function openRaw(folder: string, id: string): RawPublication {
  return openRawWith(folder, id, () => null, 'through').raw;
}

/**
 * The same, with further tables. They are opened by `openMore`, before the long transaction begins: in a read-only
 * environment lmdb opens a table within the current read transaction and ends that.
 */
export function openRawWith<More>(
  folder: string,
  id: string,
  openMore: (environment: Environment) => More,
  pattern: ReadingPattern,
): { readonly raw: RawPublication; readonly more: More } {
  const environment = openReadOnly(folder, pattern);
  try {
    const tables = openTables(environment);
    const more = openMore(environment);
    const transaction = environment.useReadTransaction();
    const meta = readMeta(tables.meta, transaction);
    if (meta.id !== id) throw new Error(`${folder} holds publication ${meta.id}, not ${id}.`);
    const raw = {
      tables,
      transaction,
      meta,
      directory: openPackedTable(tables.directory, meta.shapes.directory, transaction),
      close: async () => {
        transaction.done();
        await environment.close();
      },
    };
    return { raw, more };
  } catch (error) {
    // Nothing was written, so lmdb has nothing to wait for.
    void environment.close();
    throw error;
  }
}

/** What a directory value says; null for 0, which is no value. */
export function readDirectoryValue(value: number): DirectoryEntry | null {
  return value === 0 ? null : { entity: Math.floor(value / 2), hasRecord: value % 2 === 1 };
}

export function directoryValue(entity: number, hasRecord: boolean): number {
  return entity * 2 + (hasRecord ? 1 : 0);
}
