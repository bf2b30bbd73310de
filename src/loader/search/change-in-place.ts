/**
 * Changes the search index of a copy to match its tables. It may run in its own thread, beside the rest of the load: it
 * opens base and copy by itself, and nobody else writes the tables of the index.
 */
import { type Environment, glimpse } from '../../lmdb.ts';
import { leiLength } from '../../store/company-record.ts';
import { countryTerm } from '../../store/search/format.ts';
import type { CompanyFacts } from '../../store/search/search-reader.ts';
import { type CompanyChange, livingTerms, updateIndex } from '../../store/search/update/update-index.ts';
import { openTables } from '../../store/tables.ts';
import { type Base, openBase } from '../base.ts';
import type { Changed } from '../build/build.ts';
import { companyFacts, directChildren, ownFacts, type ReadTables } from './company-facts.ts';
import type { Indexed } from './indexing.ts';
import { withEnvironment } from './search-feed.ts';

/** Plain data, which may cross to another thread. */
export interface IndexTask {
  /** Of the copy. Everything but its index and its description is written. */
  readonly folder: string;
  /** What it is a copy of. */
  readonly base: { readonly folder: string; readonly id: string };
  readonly changed: Changed;
}

/** The content of the index afterwards; or why it can't be changed. */
export type IndexOutcome = Indexed | { readonly due: string };

export async function changeInPlace({
  folder,
  base: { folder: baseFolder, id },
  changed,
}: IndexTask): Promise<IndexOutcome> {
  const base = openBase(baseFolder, id);
  try {
    return await withEnvironment(folder, async (environment) => change(environment, base, changed));
  } finally {
    await base.close();
  }
}

function change(environment: Environment, base: Base, changed: Changed): IndexOutcome {
  const tables = openTables(environment);
  const factsOf = (entity: number): CompanyFacts => {
    const facts = companyFacts({ tables }, entity);
    if (facts === null) throw new Error(`Entity ${entity} has no record, but the search index has it.`);
    return facts;
  };
  const leiOf = (entity: number) =>
    glimpse(tables.entities, entity, {})?.bytes.toString('latin1', 0, leiLength) ?? '';
  const changes = changesOf(base, { tables }, changed);
  base.unmap();
  const outcome = updateIndex(environment, { changes, factsOf, leiOf });
  if ('due' in outcome) return outcome;
  const has = livingTerms(environment);
  const isLeft = (country: string) => has(countryTerm(country.toUpperCase()));
  return { companies: outcome.companies, countries: countriesAfter(base.meta.countries, changes, isLeft) };
}

/** Companies read between two releases of the base's mapped pages, each of which maps those around it. */
const companiesPerUnmap = 2_000;

function changesOf(base: Base, copy: ReadTables, { entities, ends }: Changed): CompanyChange[] {
  const changes: CompanyChange[] = [];
  let looked = 0;
  for (const entity of [...entities].sort((a, b) => a - b)) {
    if (++looked % companiesPerUnmap === 0) base.unmap();
    const change = changeOf(base, copy, entity, ends.has(entity));
    if (change !== null) changes.push(change);
  }
  return changes;
}

/**
 * Null if the index has the same content about the company as before. @param isEnd whether its children may have
 * changed
 */
function changeOf(base: Base, copy: ReadTables, entity: number, isEnd: boolean): CompanyChange | null {
  const after = ownFacts(copy, entity);
  if (after === null) return null;
  const before = entity > base.meta.lastEntity ? null : ownFacts(base, entity);
  const isAlike = Bun.deepEquals(before, after);
  if (isAlike && !isEnd) return null;
  const children = directChildren(copy, entity);
  const childrenBefore = isEnd && before !== null ? directChildren(base, entity) : children;
  if (isAlike && children === childrenBefore) return null;
  return {
    before: before === null ? null : { ...before, directChildren: childrenBefore },
    after: { ...after, directChildren: children },
  };
}

/** Countries of legal addresses. @param isLeft whether a company that did not change may have it */
function countriesAfter(
  countries: readonly string[],
  changes: readonly CompanyChange[],
  isLeft: (country: string) => boolean,
): string[] {
  const after = new Set(countries);
  const left = new Set(changes.map(({ before }) => before?.country ?? null));
  for (const country of left) if (country !== null && !isLeft(country)) after.delete(country);
  for (const { after: facts } of changes) if (facts.country !== null) after.add(facts.country);
  return [...after].sort();
}
