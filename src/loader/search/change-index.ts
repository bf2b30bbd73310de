/** Changes the search index of a copy to what its tables hold now; where it can't be changed, it is made anew. */
import type { Environment } from '../../lmdb.ts';
import { leiLength } from '../../store/company-record.ts';
import { writeMeta } from '../../store/meta.ts';
import { countryTerm } from '../../store/search/format.ts';
import type { CompanyFacts } from '../../store/search/search-reader.ts';
import type { CompanyChange } from '../../store/search/update/update-index.ts';
import { hasTerm, updateIndex } from '../../store/search/update/update-index.ts';
import { openTables } from '../../store/tables.ts';
import type { Base } from '../base.ts';
import type { Built, Draft } from '../build/build.ts';
import { allLinks, companyFacts } from './company-facts.ts';
import { createSearchFeed, dropSearchIndex, withEnvironment } from './search-feed.ts';

interface IndexChange {
  /** Of the copy. */
  readonly folder: string;
  /** What it is a copy of. */
  readonly base: Base;
  readonly draft: Draft;
  /** Entities that may have changed. */
  readonly changed: ReadonlySet<number>;
  readonly progress: (share: number) => void;
  /** Is told why the index is made anew. */
  readonly message: (text: string) => void;
}

/** Completes the publication: its environment can be opened then. */
export async function changeIndex(change: IndexChange): Promise<Built> {
  const { folder, base, draft, message } = change;
  const reason = await withEnvironment(folder, async (environment) => inPlace(environment, change));
  base.unmap();
  if (typeof reason !== 'string') return reason;
  message(`The search index is built anew, because ${reason}.`);
  await dropSearchIndex(folder);
  const feed = createSearchFeed(false);
  try {
    const links = await withEnvironment(folder, async (environment) =>
      allLinks(openTables(environment), draft),
    );
    return await feed.finishWith(links, folder, draft, change.progress);
  } finally {
    feed.end();
  }
}

/** @returns why the index could not be changed */
function inPlace(environment: Environment, { base, draft, changed }: IndexChange): Built | string {
  const tables = openTables(environment);
  const factsOf = (entity: number): CompanyFacts => {
    const facts = companyFacts({ tables }, entity);
    if (facts === null) throw new Error(`Entity ${entity} has no record, but the search index has it.`);
    return facts;
  };
  const changes = changesOf(base, changed, (entity) => companyFacts({ tables }, entity));
  const leiOf = (entity: number) => (tables.entities.get(entity) ?? '').slice(0, leiLength);
  const outcome = updateIndex(environment, { changes, factsOf, leiOf });
  if (outcome.outcome === 'due') return outcome.reason;
  const counts = { entities: outcome.companies, ...draft.counts };
  const countries = countriesAfter(base.meta.countries, changes, (country) =>
    hasTerm(environment, countryTerm(country.toUpperCase())),
  );
  writeMeta(tables.meta, { ...draft, countries, counts });
  return { counts, resolvableRelationships: draft.resolvableRelationships };
}

/** Companies read between two releases of the base's mapped pages, each of which maps those around it. */
const companiesPerUnmap = 2_000;

function changesOf(
  base: Base,
  changed: ReadonlySet<number>,
  factsNow: (entity: number) => CompanyFacts | null,
): CompanyChange[] {
  const changes: CompanyChange[] = [];
  let looked = 0;
  for (const entity of [...changed].sort((a, b) => a - b)) {
    const after = factsNow(entity);
    if (after === null) continue;
    if (++looked % companiesPerUnmap === 0) base.unmap();
    const before = entity > base.meta.lastEntity ? null : companyFacts(base, entity);
    if (before === null || !Bun.deepEquals(before, after)) changes.push({ before, after });
  }
  return changes;
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
