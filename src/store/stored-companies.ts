/**
 * Reads the companies of a sealed publication for loads: from the company file, or from the tables in which a publication
 * of an earlier version has them.
 */
import { withRoom } from '../bytes/memory.ts';
import { type Environment, type Glimpse, glimpse, knownBytesTable, type ReadTransaction } from '../lmdb.ts';
import { companiesIn } from '../publication/layout.ts';
import { leiLength } from './company-fields.ts';
import { CompanyRowFile } from './company-file.ts';
import { openPackedTable, type PackedTableShape } from './packed-table.ts';
import type { DirectoryEntry, EntityNumber } from './publication-reader.ts';
import { openCompanyTables } from './tables.ts';

export interface StoredCompanies {
  /** Null for an LEI that the publication does not have. */
  find(lei: string): DirectoryEntry | null;
  /** The record of an entity, or its LEI alone; null for an unknown number. */
  record(entity: EntityNumber): Glimpse | null;
  /** Its packed mappings, in a buffer apart from that of records; null for none. */
  mappings(entity: EntityNumber): Glimpse | null;
  /**
   * Unmaps the company file, whose mapped pages count as memory of the process; the next read maps it again. To be called
   * at the end.
   */
  unmap(): void;
}

/** Opens the companies once the publication's description is read. */
type OpenCompanies = (
  transaction: ReadTransaction,
  directory: PackedTableShape | undefined,
) => StoredCompanies;

/** @param environment of the publication in a folder; tables must be opened before its transaction */
export function companiesOf(folder: string, id: string, environment: Environment): OpenCompanies {
  if (!hasCompanyTables(environment)) return () => companiesInFile(companiesIn(folder), id);
  const tables = openCompanyTables(environment);
  return (transaction, shape) => {
    if (shape === undefined) throw new Error(`${folder} does not describe its directory.`);
    return companiesInTables(tables, openPackedTable(tables.directory, shape, transaction), transaction);
  };
}

/** Whether an earlier version made the environment: it has companies in tables. */
function hasCompanyTables(environment: Environment): boolean {
  return knownBytesTable(environment, 'entities', 'uint32') !== null;
}

/** @throws as a CompanyRowFile does */
export function companiesInFile(path: string, id: string): StoredCompanies {
  let mapped: CompanyRowFile | null = new CompanyRowFile(path, id, 'through');
  const current = () => {
    mapped ??= new CompanyRowFile(path, id, 'through');
    return mapped;
  };
  return {
    find: (lei) => current().find(lei),
    record: (entity) => current().record(entity),
    mappings: (entity) => current().mappings(entity),
    unmap() {
      mapped?.close();
      mapped = null;
    },
  };
}

function companiesInTables(
  tables: ReturnType<typeof openCompanyTables>,
  directory: ReturnType<typeof openPackedTable>,
  transaction: ReadTransaction,
): StoredCompanies {
  let kept = Buffer.allocUnsafeSlow(4096);
  return {
    find(lei) {
      const [value] = directory.values(lei);
      return value === undefined ? null : { entity: Math.floor(value / 2), hasRecord: value % 2 === 1 };
    },
    record: (entity) => glimpse(tables.entities, entity, { transaction }),
    mappings(entity) {
      const row = glimpse(tables.mappings, entity, { transaction });
      if (row === null) return null;
      // A copy: the next read of any table overwrites the original.
      kept = withRoom(kept, 0, row.length, Buffer.allocUnsafeSlow);
      row.bytes.copy(kept, 0, 0, row.length);
      return { bytes: kept, length: row.length };
    },
    unmap: () => undefined,
  };
}

/** A record or mappings as text. */
export function textOfRow(row: Glimpse | null): string | undefined {
  return row?.bytes.toString('utf8', 0, row.length);
}

/** The LEI of an entity; '' if the publication has no such number. */
export function leiOfEntity(companies: Pick<StoredCompanies, 'record'>, entity: EntityNumber): string {
  return companies.record(entity)?.bytes.toString('latin1', 0, leiLength) ?? '';
}
