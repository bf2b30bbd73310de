/** Feeds the search index from the finished tables, and counts on the way what only a full pass can count. */
import { dropTables, type Environment, openForBuilding, syncAndClose } from '../../lmdb.ts';
import { isRecord, searchFactsOf } from '../../store/company-record.ts';
import { bicsOf } from '../../store/mapping-record.ts';
import { createSearchBuilder } from '../../store/search/search-builder.ts';
import type { Tables } from '../../store/tables.ts';
import { countDirectChildren } from './relationships.ts';

export interface Fed {
  readonly companies: number;
  /** Countries of legal addresses. */
  readonly countries: string[];
}

/** Progress is told in companies: once while they are taken in, once while the index is written. */
export function buildSearchIndex(
  environment: Environment,
  tables: Tables,
  lastEntity: number,
  progress: (done: number, of: number) => void,
): Fed {
  const builder = createSearchBuilder(environment);
  const children = countDirectChildren(tables, lastEntity);
  const countries = new Set<string>();
  let companies = 0;
  for (const { key, value: stored } of tables.entities.getRange({})) {
    if (!isRecord(stored)) continue;
    const entity = Number(key);
    const facts = searchFactsOf(stored);
    if (facts.country !== null) countries.add(facts.country);
    const bics = bicsOf(tables.mappings.get(entity));
    builder.add({ entity, ...facts, bics, directChildren: children[entity] ?? 0 });
    companies++;
    if (companies % progressEvery === 0) progress(companies, lastEntity * 2);
  }
  builder.finish((done) => progress(companies + done, companies * 2));
  return { companies, countries: [...countries].sort() };
}
const progressEvery = 20_000;

/**
 * Empties a copied environment of its search index. On its own, since a deleted table can't be made again under the
 * handle that deleted it.
 */
export async function dropSearchIndex(folder: string): Promise<void> {
  const environment = openForBuilding(folder);
  dropTables(environment, 'search');
  await syncAndClose(environment);
}
