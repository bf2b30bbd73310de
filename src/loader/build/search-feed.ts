/** The last step of a build: the search index, and the description that makes the environment a publication. */
import { dropTables, openForBuilding, syncAndClose } from '../../lmdb.ts';
import { isRecord, searchFactsOf } from '../../store/company-record.ts';
import { bicsOf } from '../../store/mapping-record.ts';
import { writeMeta } from '../../store/meta.ts';
import { createSearchBuilder } from '../../store/search/search-builder.ts';
import type { SearchBuilder } from '../../store/search/search-reader.ts';
import { openTables, type Tables } from '../../store/tables.ts';
import type { Built, Draft } from './build.ts';
import { giveBack } from './memory.ts';
import { countDirectChildren } from './relationships.ts';

/**
 * Companies read under one opening of the environment. Closing it unmaps what was read: in one go, the pages of
 * all companies would count as memory of this process, gigabytes of them.
 */
const companiesPerOpening = 250_000;

/** @param progress told the share done, 0 to 1 */
export async function indexPublication(
  folder: string,
  draft: Draft,
  progress: (share: number) => void,
): Promise<Built> {
  const { lastEntity } = draft;
  const builder = createSearchBuilder();
  const children = await withTables(folder, (tables) => countDirectChildren(tables, lastEntity));
  progress(0);
  const fed: Fed = { companies: 0, countries: new Set() };
  for (let first = 1; first <= lastEntity; first += companiesPerOpening) {
    const end = Math.min(lastEntity + 1, first + companiesPerOpening);
    await withTables(folder, (tables) => feed(tables, builder, { first, end, children, fed }));
    progress((end / lastEntity) * feedingShare);
    giveBack(end);
  }
  const environment = openForBuilding(folder);
  try {
    builder.finish(environment, (done) => {
      progress(feedingShare + (1 - feedingShare) * (done / Math.max(1, fed.companies)));
      // Told between its steps, each of which makes strings of all words.
      giveBack(fed.companies);
    });
    const counts = { entities: fed.companies, ...draft.counts };
    writeMeta(openTables(environment).meta, { ...draft, countries: [...fed.countries].sort(), counts });
    return { counts, resolvableRelationships: draft.resolvableRelationships };
  } finally {
    await syncAndClose(environment);
  }
}
const feedingShare = 0.5;

async function withTables<T>(folder: string, action: (tables: Tables) => T): Promise<T> {
  const environment = openForBuilding(folder);
  try {
    return action(openTables(environment));
  } finally {
    await environment.close();
  }
}

interface Fed {
  companies: number;
  /** Of legal addresses. */
  readonly countries: Set<string>;
}

interface Slice {
  readonly first: number;
  readonly end: number;
  readonly children: Uint32Array;
  readonly fed: Fed;
}

function feed(tables: Tables, builder: SearchBuilder, { first, end, children, fed }: Slice): void {
  for (const { key, value: stored } of tables.entities.getRange({ start: first, end })) {
    if (!isRecord(stored)) continue;
    const entity = Number(key);
    const facts = searchFactsOf(stored);
    if (facts.country !== null) fed.countries.add(facts.country);
    const bics = bicsOf(tables.mappings.get(entity));
    builder.add({ entity, ...facts, bics, directChildren: children[entity] ?? 0 });
    fed.companies++;
  }
}

/**
 * Empties a copied environment of its search index. On its own, since a deleted table can't be made again under the
 * handle that deleted it.
 */
export async function dropSearchIndex(folder: string): Promise<void> {
  const environment = openForBuilding(folder);
  dropTables(environment, 'search');
  await syncAndClose(environment);
}
