/** Every LEI that a publication mentions, and its entity number. */
import { ownMemory } from '../../bytes/memory.ts';
import { leiLength } from '../../store/company-fields.ts';
import type { DirectoryEntry } from '../../store/publication-reader.ts';
import type { StoredCompanies } from '../../store/stored-companies.ts';
import type { CompanyRecords } from './company-records.ts';
import { createKeyIndex } from './key-index.ts';
import { createNumberList } from './number-list.ts';

export interface Entities {
  /** The number of an LEI; assigns the next one if it is new. */
  number(lei: string): number;
  /** The number of an LEI, or 0. */
  find(lei: string): number;
  lei(entity: number): string;
  /** The greatest number given. */
  readonly last: number;
  hasRecord(entity: number): boolean;
  /** What the base has under its LEI; null for nothing. */
  inBase(entity: number): DirectoryEntry | null;
  /** All LEIs so far, by number from 1, not copied. */
  leis(): Uint8Array;
}

/** The records that a load brings. */
export type BroughtRecords = Pick<CompanyRecords, 'has' | 'brought'>;

/**
 * @param base the publication that is compared with; null for none
 * @param memory of the LEIs
 */
export function createEntities(
  records: BroughtRecords,
  base: { readonly companies: StoredCompanies } | null,
  memory = ownMemory,
): Entities {
  const leis = createKeyIndex(leiLength, 64 * 1024, memory);
  /** The number in the base, doubled, and one more if it has a record there; plus one, because 0 means not looked up yet. */
  const known = createNumberList();
  const lookUp = (entity: number): number => {
    const entry = base?.companies.find(leis.key(entity)) ?? null;
    const value = entry === null ? 0 : entry.entity * 2 + (entry.hasRecord ? 1 : 0);
    known.set(entity, value + 1);
    return value;
  };
  return {
    number: leis.add,
    find: leis.find,
    lei: leis.key,
    get last() {
      return leis.size;
    },
    hasRecord: (entity) => records.has(entity),
    inBase(entity) {
      if (base === null) return null;
      const kept = known.get(entity);
      const value = kept === 0 ? lookUp(entity) : kept - 1;
      return value === 0 ? null : { entity: Math.floor(value / 2), hasRecord: value % 2 === 1 };
    },
    leis: leis.bytes,
  };
}
