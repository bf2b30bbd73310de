/** Reads the facts about companies that the search index needs from finished tables. */
import type { ReadTransaction } from '../../lmdb.ts';
import { isRecord, searchFactsOf } from '../../store/company-record.ts';
import { mappingSlot } from '../../store/mapping-record.ts';
import type { Meta } from '../../store/meta.ts';
import { openPackedTable } from '../../store/packed-table.ts';
import { fieldSeparator, unpack } from '../../store/packing.ts';
import { unpackRelationshipLists } from '../../store/relationship-lists.ts';
import { kindOfRelationship, splitEnds } from '../../store/relationship-record.ts';
import type { CompanyFacts, SearchLinks } from '../../store/search/search-reader.ts';
import type { SealedTables, Tables } from '../../store/tables.ts';
import { isParental } from '../build/relationships.ts';

export interface ReadTables {
  readonly tables: SealedTables;
  /** Absent in an environment that is being built. */
  readonly transaction?: ReadTransaction;
}

export function companyFacts(read: ReadTables, entity: number): CompanyFacts | null {
  const facts = ownFacts(read, entity);
  return facts === null ? null : { ...facts, directChildren: directChildren(read, entity) };
}

/** What a company's own rows contain about it; null if the entity has no record. */
export function ownFacts(read: ReadTables, entity: number): Omit<CompanyFacts, 'directChildren'> | null {
  const options = optionsOf(read);
  const stored = read.tables.entities.get(entity, options);
  if (stored === undefined || !isRecord(stored)) return null;
  const slot = mappingSlot(read.tables.mappings.get(entity, options), 'bic');
  const bics = slot === '' ? [] : slot.split(fieldSeparator).map((bic) => unpack(bic) ?? '');
  return { entity, ...searchFactsOf(stored), bics };
}

export function directChildren(read: ReadTables, entity: number): number {
  const options = optionsOf(read);
  const { asEnd } = unpackRelationshipLists(read.tables.relationshipsOf.get(entity, options));
  let children = 0;
  for (const number of asEnd) {
    const { record } = splitEnds(read.tables.relationships.get(number, options) ?? '');
    children += isParental(kindOfRelationship(record));
  }
  return children;
}

function optionsOf({ transaction }: ReadTables) {
  return transaction === undefined ? {} : { transaction };
}

/** What other records contain about all companies. */
export function allLinks(
  tables: Tables,
  { lastEntity, shapes }: Pick<Meta, 'lastEntity' | 'shapes'>,
): SearchLinks {
  const directChildren = new Uint32Array(lastEntity + 1);
  for (const { value } of tables.relationships.getRange({})) {
    const { end, record } = splitEnds(value);
    directChildren[end] = (directChildren[end] ?? 0) + isParental(kindOfRelationship(record));
  }
  const pairs = openPackedTable(tables.bic, shapes.bic, undefined).entries();
  return { directChildren, bics: Array.from(pairs, ({ key, value }) => ({ entity: value, bic: key })) };
}
