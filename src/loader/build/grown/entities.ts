/**
 * Manages the entities of a copy that a delta changes: those of the base keep their numbers and are looked up there.
 */
import { leiLength } from '../../../store/company-fields.ts';
import type { DirectoryEntry } from '../../../store/publication-reader.ts';
import { leiOfEntity } from '../../../store/stored-companies.ts';
import type { Base } from '../../base.ts';
import type { BroughtRecords, Entities } from '../entities.ts';
import { createKeyIndex } from '../key-index.ts';

export interface GrownEntities extends Entities {
  /** Entities that have a record now and had none before. */
  newlyRecorded(): readonly number[];
}

export function createGrownEntities(records: BroughtRecords, base: Base): GrownEntities {
  const known = base.meta.lastEntity;
  const added = createKeyIndex(leiLength);
  /** What the base has, by LEI and by number: a delta asks for the same ones repeatedly. */
  const entries = new Map<string, DirectoryEntry | null>();
  const entriesOf = new Map<number, DirectoryEntry>();
  const entryOf = (lei: string): DirectoryEntry | null => {
    const kept = entries.get(lei);
    if (kept !== undefined) return kept;
    const entry = base.companies.find(lei);
    entries.set(lei, entry);
    if (entry !== null) entriesOf.set(entry.entity, entry);
    return entry;
  };
  const numberOf = (lei: string): number => entryOf(lei)?.entity ?? 0;
  const find = (lei: string): number => {
    const number = numberOf(lei);
    if (number !== 0) return number;
    const place = added.find(lei);
    return place === 0 ? 0 : known + place;
  };
  const lei = (entity: number): string =>
    entity > known ? added.key(entity - known) : leiOfEntity(base.companies, entity);
  const inBase = (entity: number) =>
    entity > known ? null : (entriesOf.get(entity) ?? entryOf(lei(entity)));
  return {
    newlyRecorded: () => [...records.brought()].filter((entity) => inBase(entity)?.hasRecord !== true),
    number: (text) => numberOf(text) || known + added.add(text),
    find,
    lei,
    get last() {
      return known + added.size;
    },
    hasRecord: (entity) => records.has(entity) || inBase(entity)?.hasRecord === true,
    inBase,
    leis() {
      throw new Error('The LEIs of a copy are in its company file.');
    },
  };
}
