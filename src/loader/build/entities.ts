/** Numbers every LEI that a publication mentions. */
import { leiLength } from '../../store/company-record.ts';
import { type PackedTableShape, writePackedTable } from '../../store/packed-table.ts';
import { directoryValue, type RawPublication } from '../../store/raw-publication.ts';
import type { Tables } from '../../store/tables.ts';
import { createKeyIndex, type KeyIndex } from './key-index.ts';
import { createNumberList, type NumberList } from './number-list.ts';

export interface Entities {
  /** The number of an LEI; assigns the next one if it is new. */
  number(lei: string): number;
  /** The number of an LEI, or 0. */
  find(lei: string): number;
  lei(entity: number): string;
  /** LEI order of two entities. */
  compare(a: number, b: number): number;
  /** The greatest number given. */
  readonly last: number;
  hasRecord(entity: number): boolean;
  setRecord(entity: number): void;
  /** The LEI's value in the directory of the base, 0 for none. */
  baseValue(entity: number): number;
  /** Writes the texts of those only mentioned, and the directory. */
  write(tables: Tables): PackedTableShape;
}

/** @param base the publication that is compared with; null for none */
export function createEntities(base: RawPublication | null): Entities {
  const leis = createKeyIndex(leiLength, 64 * 1024);
  const records = createNumberList();
  const baseValues = createNumberList();
  return {
    number: leis.add,
    find: leis.find,
    lei: leis.key,
    compare: leis.compare,
    get last() {
      return leis.size;
    },
    hasRecord: (entity) => records.get(entity) === 1,
    setRecord: (entity) => records.set(entity, 1),
    baseValue(entity) {
      if (base === null) return 0;
      // Stored one up, so that 0 says "not looked up yet".
      const known = baseValues.get(entity);
      if (known !== 0) return known - 1;
      const value = base.directory.first(leis.key(entity));
      baseValues.set(entity, value + 1);
      return value;
    },
    write(tables) {
      writeMentions(tables, leis, records);
      return writeDirectory(tables, leis, records);
    },
  };
}

/** Skips entities with a record, which were written when it was read. */
function writeMentions(tables: Tables, leis: KeyIndex, records: NumberList): void {
  tables.entities.transactionSync(() => {
    for (let entity = 1; entity <= leis.size; entity++) {
      if (records.get(entity) === 0) tables.entities.putSync(entity, leis.key(entity));
    }
  });
}

function writeDirectory(tables: Tables, leis: KeyIndex, records: NumberList): PackedTableShape {
  const values = new Uint32Array(leis.size);
  for (let entity = 1; entity <= leis.size; entity++) {
    values[entity - 1] = directoryValue(entity, records.get(entity) === 1);
  }
  return writePackedTable(
    tables.directory,
    { keyWidth: leiLength, count: leis.size, keys: leis.bytes(), values },
    (a, b) => a - b,
  );
}
