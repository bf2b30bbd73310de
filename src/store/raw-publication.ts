/** Opens the tables of a sealed publication read-only, for readers, comparisons and verification. */
import { type Environment, openReadOnly, type ReadingPattern, type ReadTransaction } from '../lmdb.ts';
import { readMeta } from './meta.ts';
import type { Meta } from './meta-schema.ts';
import { companiesOf, type StoredCompanies } from './stored-companies.ts';
import { openSealedTables, openServedTables, type SealedTables, type ServedTables } from './tables.ts';

/** @typeParam T its tables; by default only those that every version writes are sure to be there */
export interface RawPublication<T extends SealedTables = SealedTables> {
  readonly tables: T;
  /**
   * One long transaction, because the environment never changes: lmdb need not renew one in each turn of the event
   * loop.
   */
  readonly transaction: ReadTransaction;
  readonly meta: Meta;
  close(): Promise<void>;
}

/** A publication of any version, as loads read it. */
export interface StoredPublication extends RawPublication {
  readonly companies: StoredCompanies;
}

/**
 * Opens the publication in a folder, also one of an earlier version. Throws if it is missing or damaged, or has another
 * id.
 */
export function openStored(folder: string, id: string): StoredPublication {
  const { raw, more: openCompanies } = openIn(folder, id, 'through', (environment) => [
    openSealedTables(environment),
    companiesOf(folder, id, environment),
  ]);
  try {
    const companies = openCompanies(raw.transaction, raw.meta.shapes.directory);
    const close = () => {
      companies.unmap();
      return raw.close();
    };
    return { ...raw, companies, close };
  } catch (error) {
    void raw.close();
    throw error;
  }
}

/** Opens a publication for answers, with more. Throws also if a table that answers need is missing. */
export function openRawWith<More>(
  folder: string,
  id: string,
  openMore: (environment: Environment) => More,
  pattern: ReadingPattern,
): { readonly raw: RawPublication<ServedTables>; readonly more: More } {
  return openIn(folder, id, pattern, (environment) => [openServedTables(environment), openMore(environment)]);
}

/**
 * `open` opens all tables before the long transaction begins: in a read-only environment, opening a table ends the
 * current read transaction.
 */
function openIn<T extends SealedTables, More>(
  folder: string,
  id: string,
  pattern: ReadingPattern,
  open: (environment: Environment) => readonly [tables: T, more: More],
): { readonly raw: RawPublication<T>; readonly more: More } {
  const environment = openReadOnly(folder, pattern);
  try {
    const [tables, more] = open(environment);
    const transaction = environment.useReadTransaction();
    const meta = readMeta(tables.meta, transaction);
    if (meta.id !== id) throw new Error(`${folder} holds publication ${meta.id}, not ${id}.`);
    const raw = {
      tables,
      transaction,
      meta,
      close: async () => {
        transaction.done();
        await environment.close();
      },
    };
    return { raw, more };
  } catch (error) {
    // Don't wait: nothing was written.
    void environment.close();
    throw error;
  }
}
