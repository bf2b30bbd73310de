/**
 * Changes the search index of a copy to match its tables, in a thread beside the rest of the load if much changes; both
 * ends of it. The thread opens base and copy by itself, and nobody else writes the tables of the index. An index that
 * can't be changed is rebuilt.
 */
import { dropTables, type Environment, type ReadTransaction } from '../../lmdb.ts';
import { companiesIn } from '../../publication/layout.ts';
import { isRecord } from '../../store/company-fields.ts';
import { searchFactsOf } from '../../store/company-record.ts';
import { mappingSlot } from '../../store/mapping-record.ts';
import type { Meta } from '../../store/meta-schema.ts';
import { openPackedTable } from '../../store/packed-table.ts';
import { fieldSeparator, unpack } from '../../store/packing.ts';
import { kindOfRelationship, splitEnds, unpackRelationshipLists } from '../../store/relationship-record.ts';
import { countryTerm } from '../../store/search/format.ts';
import type { CompanyFacts, SearchLinks } from '../../store/search/search-reader.ts';
import { type CompanyChange, livingTerms, updateIndex } from '../../store/search/update/update-index.ts';
import {
  companiesInFile,
  leiOfEntity,
  type StoredCompanies,
  textOfRow,
} from '../../store/stored-companies.ts';
import { openTables, type SealedTables, type Tables } from '../../store/tables.ts';
import { TaskThread } from '../../threads/tasks.ts';
import { type Base, openBase } from '../base.ts';
import type { BuildResult, ChangedEntities } from '../build/build.ts';
import { openShared, type SharedRecords } from '../build/company-records.ts';
import { isParental } from '../build/relationships.ts';
import { complete, indexStored, type UnindexedPublication, withEnvironment } from './search-feed.ts';
import { type IndexResult, startIndexing } from './search-thread.ts';

interface PublicationFolder {
  readonly folder: string;
  /** Of the publication. */
  readonly id: string;
}

/** Plain data, which may cross to another thread. */
interface IndexTask {
  /** Its relationships are written. */
  readonly copy: PublicationFolder;
  /** What it is a copy of. */
  readonly base: PublicationFolder;
  readonly changed: ChangedEntities;
  /** All that differs from the base in the rows of companies; null if these are written. */
  readonly records: SharedRecords | null;
}

/** The content of the index afterwards; or why it can't be changed. */
type IndexOutcome = IndexResult | { readonly due: string };

/** The tasks of the thread. */
export interface ChangeTasks {
  change(task: IndexTask): IndexOutcome;
}

const threadUrl = new URL('../../../workers/change-index.ts', import.meta.url).href;

/** A thread pays off from this many entities on: starting one costs as much as the changes of a thousand. */
const threadEntitiesMin = 2_000;

/** Changes the search index. Nothing writes its tables any more once the promise has settled. */
export async function changeIndex(task: IndexTask): Promise<IndexOutcome> {
  if (task.changed.entities.size < threadEntitiesMin) return changeInPlace(task);
  const name = 'The thread that changes the search index';
  const thread = new TaskThread<ChangeTasks>(new Worker(threadUrl), name, {});
  return thread.do('change', [task]).finally(thread.terminate);
}

interface ChangedCopy extends UnindexedPublication {
  readonly index: IndexOutcome;
  /** Receives the reason for a rebuild. */
  readonly message: (text: string) => void;
}

/** Completes the publication: its environment can then be opened. */
export async function finishIndex({
  folder,
  draft,
  index,
  progress,
  message,
}: ChangedCopy): Promise<BuildResult> {
  if (!('due' in index))
    return withEnvironment(folder, async (environment) => complete(environment, draft, index));
  message(`The search index is built anew, because ${index.due}.`);
  // In its own opening: a deleted table can't be made again under the handle that deleted it.
  await withEnvironment(folder, async (environment) => dropTables(environment, 'search'));
  const indexing = startIndexing(draft.lastEntity < threadEntitiesMin);
  try {
    const links = await withEnvironment(folder, async (environment) =>
      allLinks(openTables(environment), draft),
    );
    return await indexStored(indexing, links, { folder, draft, progress });
  } finally {
    indexing.end();
  }
}

/** Runs in the thread, or in the loader's own. */
export async function changeInPlace(task: IndexTask): Promise<IndexOutcome> {
  const { copy, base: original, changed, records } = task;
  const base = openBase(original.folder, original.id);
  const companies =
    records === null ? companiesInFile(companiesIn(copy.folder), copy.id) : companiesAfter(base, records);
  try {
    return await withEnvironment(copy.folder, async (environment) =>
      change(environment, base, companies, changed),
    );
  } finally {
    companies.unmap();
    await base.close();
  }
}

/** The companies of a base, some with another record. */
function companiesAfter(base: Base, records: SharedRecords): StoredCompanies {
  const read = openShared(records);
  return {
    find: (lei) => base.companies.find(lei),
    record: (entity) => read(entity) ?? base.companies.record(entity),
    mappings: (entity) => base.companies.mappings(entity),
    unmap: () => base.unmap(),
  };
}

function change(
  environment: Environment,
  base: Base,
  companies: StoredCompanies,
  changed: ChangedEntities,
): IndexOutcome {
  const tables = openTables(environment);
  const copy = { tables, companies };
  const factsOf = (entity: number): CompanyFacts => {
    const facts = ownFacts(copy, entity);
    if (facts === null) throw new Error(`Entity ${entity} has no record, but the search index has it.`);
    return { ...facts, directChildren: directChildren(copy, entity) };
  };
  const leiOf = (entity: number) => leiOfEntity(companies, entity);
  const changes = changesOf(base, copy, changed);
  base.unmap();
  companies.unmap();
  const outcome = updateIndex(environment, { changes, factsOf, leiOf });
  if ('due' in outcome) return outcome;
  return {
    companies: outcome.companies,
    countries: countriesAfter(base.meta.countries, changes, environment),
  };
}

/** Companies read between two releases of mapped pages, each of which maps those around it. */
const companiesPerUnmap = 2_000;

function changesOf(base: Base, copy: ReadTables, { entities, parents }: ChangedEntities): CompanyChange[] {
  const changes: CompanyChange[] = [];
  let looked = 0;
  for (const entity of [...entities].sort((a, b) => a - b)) {
    if (++looked % companiesPerUnmap === 0) {
      base.unmap();
      copy.companies.unmap();
    }
    const change = changeOf(base, copy, entity, parents.has(entity));
    if (change !== null) changes.push(change);
  }
  return changes;
}

/**
 * Null if the index has the same content about the company as before. @param isParent whether its children may have
 * changed
 */
function changeOf(base: Base, copy: ReadTables, entity: number, isParent: boolean): CompanyChange | null {
  const after = ownFacts(copy, entity);
  if (after === null) return null;
  const before = entity > base.meta.lastEntity ? null : ownFacts(base, entity);
  const isAlike = Bun.deepEquals(before, after);
  if (isAlike && !isParent) return null;
  const children = directChildren(copy, entity);
  const childrenBefore = isParent && before !== null ? directChildren(base, entity) : children;
  if (isAlike && children === childrenBefore) return null;
  return {
    before: before === null ? null : { ...before, directChildren: childrenBefore },
    after: { ...after, directChildren: children },
  };
}

/** Countries of legal addresses. @param environment that of the changed index */
function countriesAfter(
  countries: readonly string[],
  changes: readonly CompanyChange[],
  environment: Environment,
): string[] {
  const after = new Set(countries);
  const left = [...new Set(changes.flatMap(({ before }) => before?.country ?? []))];
  const termOf = (country: string) => countryTerm(country.toUpperCase());
  const living = livingTerms(environment, left.map(termOf));
  for (const country of left) if (!living.has(termOf(country))) after.delete(country);
  for (const { after: facts } of changes) if (facts.country !== null) after.add(facts.country);
  return [...after].sort();
}

interface ReadTables {
  readonly tables: SealedTables;
  readonly companies: StoredCompanies;
  /** Absent in an environment that is being built. */
  readonly transaction?: ReadTransaction;
}

/** What a company's own rows contain about it; null if the entity has no record. */
function ownFacts({ companies }: ReadTables, entity: number): Omit<CompanyFacts, 'directChildren'> | null {
  const record = companies.record(entity);
  if (record === null || !isRecord(record)) return null;
  const facts = searchFactsOf(record);
  const slot = mappingSlot(textOfRow(companies.mappings(entity)), 'bic');
  const bics = slot === '' ? [] : slot.split(fieldSeparator).map((bic) => unpack(bic) ?? '');
  return { entity, ...facts, bics };
}

function directChildren({ tables, transaction }: ReadTables, entity: number): number {
  const options = transaction === undefined ? {} : { transaction };
  const { asEnd } = unpackRelationshipLists(tables.relationshipsOf.get(entity, options));
  let children = 0;
  for (const number of asEnd) {
    const { record } = splitEnds(tables.relationships.get(number, options) ?? '');
    children += Number(isParental(kindOfRelationship(record)));
  }
  return children;
}

/** What other records contain about all companies. */
function allLinks(tables: Tables, { lastEntity, shapes }: Pick<Meta, 'lastEntity' | 'shapes'>): SearchLinks {
  const directChildren = new Uint32Array(lastEntity + 1);
  for (const { value } of tables.relationships.getRange({})) {
    const { end, record } = splitEnds(value);
    directChildren[end] = (directChildren[end] ?? 0) + Number(isParental(kindOfRelationship(record)));
  }
  const pairs = openPackedTable(tables.bic, shapes.bic, undefined).entries();
  return { directChildren, bics: Array.from(pairs, ({ key, value }) => ({ entity: value, bic: key })) };
}
