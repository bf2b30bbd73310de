/** Every LEI that a publication mentions, and its entity number. */
import { ownMemory } from '../../bytes/memory.ts';
import { leiLength } from '../../store/company-record.ts';
import { groupEntries, type PackedTableShape, shapeOf } from '../../store/packed-table.ts';
import { directoryValue, type RawPublication } from '../../store/raw-publication.ts';
import type { Tables } from '../../store/tables.ts';
import { createKeyIndex, type KeyIndex } from './key-index.ts';
import { createNumberList, type NumberList } from './number-list.ts';
import { bucketTasks, type Packer } from './packer.ts';

export interface Entities {
  /** The number of an LEI; assigns the next one if it is new. */
  number(lei: string): number;
  /** The number of an LEI, or 0. */
  find(lei: string): number;
  lei(entity: number): string;
  /** The greatest number given. */
  readonly last: number;
  hasRecord(entity: number): boolean;
  setRecord(entity: number): void;
  /** The LEI's value in the directory of the base, 0 for none. */
  baseValue(entity: number): number;
  /** All LEIs, by number from 1; valid until the next number is assigned. */
  leis(): Uint8Array;
  /** Writes the texts of those only mentioned, and the directory. */
  write(tables: Tables, packer: Packer): Promise<PackedTableShape>;
}

/**
 * @param base the publication that is compared with; null for none
 * @param memory of the LEIs
 */
export function createEntities(base: RawPublication | null, memory = ownMemory): Entities {
  const leis = createKeyIndex(leiLength, 64 * 1024, memory);
  const records = createNumberList();
  const baseValues = createNumberList();
  return {
    number: leis.add,
    find: leis.find,
    lei: leis.key,
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
    leis: leis.bytes,
    write(tables, packer) {
      writeMentions(tables, this, 1);
      return writeDirectory(tables, { leis, records, packer });
    },
  };
}

/**
 * Writes the LEIs of entities without a record; the others were written when it was read. @param first the smallest
 * number
 */
export function writeMentions(
  tables: Tables,
  { hasRecord, lei, last }: Pick<Entities, 'hasRecord' | 'lei' | 'last'>,
  first: number,
): void {
  tables.entities.transactionSync(() => {
    for (let entity = first; entity <= last; entity++) {
      if (!hasRecord(entity)) tables.entities.putSync(entity, lei(entity));
    }
  });
}

interface KnownEntities {
  readonly leis: KeyIndex;
  readonly records: NumberList;
  readonly packer: Packer;
}

async function writeDirectory(
  tables: Tables,
  { leis, records, packer }: KnownEntities,
): Promise<PackedTableShape> {
  const values = packer.memory.numbers(leis.size);
  for (let entity = 1; entity <= leis.size; entity++) {
    values[entity - 1] = directoryValue(entity, records.get(entity) === 1);
  }
  const list = { keyWidth: leiLength, count: leis.size, keys: leis.bytes(), values };
  const grouped = groupEntries(list, packer.memory);
  return shapeOf(grouped, await packer.run(bucketTasks('directory', grouped, leis.bytes()), tables));
}
