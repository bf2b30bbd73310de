/**
 * Manages the entities of a copy that a delta changes: those of the base keep their numbers and are looked up there.
 */
import { leiLength } from '../../../store/company-record.ts';
import { addToPackedTable } from '../../../store/packed-table.ts';
import { directoryValue, leiOfEntity, readDirectoryValue } from '../../../store/raw-publication.ts';
import type { Base } from '../../base.ts';
import { type Entities, writeMentions } from '../entities.ts';
import { createKeyIndex } from '../key-index.ts';

export interface GrownEntities extends Entities {
  /** Entities that have a record now and had none before. */
  newlyRecorded(): readonly number[];
}

export function createGrownEntities(base: Base): GrownEntities {
  const known = base.meta.lastEntity;
  const added = createKeyIndex(leiLength);
  /** Entities for which this load brings a record; most of them had one before. */
  const recorded = new Set<number>();
  /** The values of the base's directory, by LEI and by number: a delta asks for the same ones repeatedly. */
  const values = new Map<string, number>();
  const valuesOf = new Map<number, number>();
  const directoryOf = (lei: string): number => {
    const known = values.get(lei);
    if (known !== undefined) return known;
    const value = base.directory.first(lei);
    values.set(lei, value);
    valuesOf.set(readDirectoryValue(value)?.entity ?? 0, value);
    return value;
  };
  const numberOf = (lei: string): number => readDirectoryValue(directoryOf(lei))?.entity ?? 0;
  const find = (lei: string): number => {
    const number = numberOf(lei);
    if (number !== 0) return number;
    const place = added.find(lei);
    return place === 0 ? 0 : known + place;
  };
  const lei = (entity: number): string =>
    entity > known ? added.key(entity - known) : leiOfEntity(base, entity);
  const baseValue = (entity: number) =>
    entity > known ? 0 : (valuesOf.get(entity) ?? directoryOf(lei(entity)));
  const newlyRecorded = () => [...recorded].filter((entity) => baseValue(entity) % 2 === 0);
  return {
    newlyRecorded,
    number: (text) => numberOf(text) || known + added.add(text),
    find,
    lei,
    get last() {
      return known + added.size;
    },
    hasRecord: (entity) => recorded.has(entity) || readDirectoryValue(baseValue(entity))?.hasRecord === true,
    setRecord: (entity) => void recorded.add(entity),
    baseValue,
    leis() {
      throw new Error('The LEIs of a copy stand in its tables.');
    },
    async write(tables) {
      writeMentions(tables, this, known + 1);
      const changed = newlyRecorded();
      for (let entity = known + 1; entity <= known + added.size; entity++) {
        if (!recorded.has(entity)) changed.push(entity);
      }
      const entries = changed.map((entity) => ({
        key: lei(entity),
        value: directoryValue(entity, recorded.has(entity)),
      }));
      return addToPackedTable(tables.directory, base.meta.shapes.directory, entries);
    },
  };
}
