/** Writes the company file, a read-optimised copy of the company tables, or changes the one of a copy. */
import { existsSync } from 'node:fs';
import { withRoom } from '../../bytes/room.ts';
import { type Glimpse, glimpse, type ReadTransaction } from '../../lmdb.ts';
import { companiesIn } from '../../publication/layout.ts';
import { CompanyFileChanges } from '../../store/company-file-changes.ts';
import { CompanyFileWriter, type CompanyRow } from '../../store/company-file-writer.ts';
import type { Meta } from '../../store/meta.ts';
import type { Tables } from '../../store/tables.ts';
import { type Base, openBase } from '../base.ts';

/** Companies read between two releases of the mapped pages, which count as memory of this process. */
const companiesPerUnmap = 125_000;

/**
 * @param folder of a publication whose tables are finished
 * @param progress receives the share of companies written, 0 to 1
 * @param perUnmap companies read between two releases of mapped pages
 */
export async function writeCompanyFile(
  folder: string,
  id: string,
  progress: (share: number) => void,
  perUnmap = companiesPerUnmap,
): Promise<void> {
  const built = openBase(folder, id);
  try {
    writeFrom(built, companiesIn(folder), progress, perUnmap);
  } finally {
    await built.close();
  }
}

/**
 * Changes the company file of a copy to match its tables.
 * @param changed the entities whose row may have changed
 * @returns false if there is no file, or it can't be changed: it must be written anew
 */
export function changeCompanyFile(
  folder: string,
  { id, lastEntity }: Pick<Meta, 'id' | 'lastEntity'>,
  tables: CompanyTables,
  changed: Iterable<number>,
): boolean {
  if (!existsSync(companiesIn(folder))) return false;
  const file = new CompanyFileChanges(companiesIn(folder));
  try {
    if (!file.takes(lastEntity)) return false;
    for (const entity of [...changed].sort((a, b) => a - b)) file.put(rowOf({ tables }, entity));
    file.finish(id, lastEntity);
    return true;
  } finally {
    file.close();
  }
}

type CompanyTables = Pick<Tables, 'entities' | 'mappings'>;

interface TableSnapshot {
  readonly tables: CompanyTables;
  /** Absent in an environment that is being built. */
  readonly transaction?: ReadTransaction;
}

function writeFrom(built: Base, path: string, progress: (share: number) => void, perUnmap: number): void {
  const { id, lastEntity } = built.meta;
  const writer = new CompanyFileWriter(path, id, lastEntity);
  try {
    for (let entity = 1; entity <= lastEntity; entity++) {
      writer.add(rowOf(built, entity));
      if (entity % perUnmap !== 0 && entity !== lastEntity) continue;
      built.unmap();
      progress(entity / lastEntity);
    }
    writer.finish();
  } finally {
    writer.close();
  }
}

/** Valid until the next read of any table. */
function rowOf({ tables, transaction }: TableSnapshot, entity: number): CompanyRow {
  const options = transaction === undefined ? {} : { transaction };
  const mappings = kept(glimpse(tables.mappings, entity, options));
  const record = glimpse(tables.entities, entity, options);
  if (record === null) throw new Error(`Entity ${entity} was given a number, but is not stored.`);
  return { entity, record, mappings };
}

let keptBytes = Buffer.allocUnsafeSlow(4096);

/** A copy of a row: the next read of any table overwrites the original. */
function kept(row: Glimpse | null): Glimpse | null {
  if (row === null) return null;
  keptBytes = withRoom(keptBytes, 0, row.length, Buffer.allocUnsafeSlow);
  row.bytes.copy(keptBytes, 0, 0, row.length);
  return { bytes: keptBytes, length: row.length };
}
