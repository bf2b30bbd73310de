/** Builds a real index in a temporary folder from a few companies and opens it. */
import { join } from 'node:path';
import { openForBuilding, openReadOnly, syncAndClose } from '../../../src/lmdb.ts';
import { openSearchReader } from '../../../src/store/search/open-search.ts';
import type { SearchOutcome, SearchQuery } from '../../../src/store/search/search-reader.ts';
import { TimeLimit } from '../../../src/store/search/time-limit.ts';
import { atOnce } from '../../../src/store/steps.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { createIndexing, type LinkedCompany } from '../../support/index-companies.ts';

export type SomeCompany = Partial<Omit<LinkedCompany, 'names'>> & {
  /** Legal name first; a name with a type is `[name, type]`. */
  readonly names: readonly (string | readonly [string, string])[];
};

let lastNumber = 0;

/** An active company; fields that are not given have ordinary values. */
export function company(fields: SomeCompany): LinkedCompany {
  lastNumber++;
  return {
    entity: lastNumber,
    lei: `TEST${String(lastNumber).padStart(14, '0')}00`,
    country: 'GB',
    entityStatus: 'ACTIVE',
    registrationStatus: 'ISSUED',
    registeredAs: null,
    bics: [],
    directChildren: 0,
    ...fields,
    names: fields.names.map((name, i) =>
      typeof name === 'string'
        ? { name, type: i === 0 ? 'LEGAL_NAME' : 'TRADING_OR_OPERATING_NAME' }
        : { name: name[0], type: name[1] },
    ),
  };
}

export interface SmallIndex {
  ask(q: string, more?: Partial<SearchQuery>): SearchOutcome;
  /** Legal names of the companies that are suggested, best first. */
  suggest(q: string): string[];
  /** Legal names of the hits, best first. */
  find(q: string, more?: Partial<SearchQuery>): string[];
  /** Legal names of all companies with the words of a text in their legal name, or in all their names together. */
  withWords(text: string, of: 'legalName' | 'names'): string[];
  close(): Promise<void>;
}

/** @param timeLimit of each search; by default none, however busy the machine is */
export async function smallIndex(
  companies: readonly LinkedCompany[],
  timeLimit = new TimeLimit(() => 0, 1),
): Promise<SmallIndex> {
  const folder = temporaryFolder('search');
  const building = openForBuilding(join(folder, 'index'));
  const indexing = createIndexing();
  for (const each of companies) indexing.add(each);
  indexing.finish(building);
  await syncAndClose(building);
  const environment = openReadOnly(join(folder, 'index'));
  const leis = new Map(companies.map(({ entity, lei }) => [entity, lei]));
  const reader = openSearchReader(environment, (entity) => leis.get(entity) ?? '', timeLimit);
  const names = new Map(companies.map(({ entity, names: [legal] }) => [entity, legal?.name ?? '']));
  const ask = (q: string, more: Partial<SearchQuery> = {}) =>
    reader.search({ q, country: null, status: null, after: null, limit: 20, ...more });
  const namesIn = (q: string, outcome: SearchOutcome) => {
    if (outcome.outcome !== 'hits') throw new Error(`${q}: ${outcome.detail}`);
    return outcome.hits.map(({ entity }) => names.get(entity) ?? '');
  };
  return {
    ask,
    suggest: (q) => namesIn(q, reader.suggest(q)),
    find: (q, more) => namesIn(q, ask(q, more)),
    withWords(text, of) {
      const entities = atOnce(reader.withWords(text, of));
      if (!(entities instanceof Uint32Array))
        throw new Error(`${text}: ${entities?.detail ?? 'has no word'}`);
      return Array.from(entities, (entity) => names.get(entity) ?? '').sort();
    },
    close: async () => {
      await environment.close();
    },
  };
}

/** Companies with one name each. */
export function named(...names: readonly string[]): LinkedCompany[] {
  return names.map((name) => company({ names: [name] }));
}

/** So many companies with a number behind the same name. */
export function numbered(count: number, name: string): LinkedCompany[] {
  return named(...Array.from({ length: count }, (_, i) => `${name} ${i + 100}`));
}

/** Uses an index of these companies, and closes it. */
export async function within(
  companies: readonly LinkedCompany[],
  use: (index: SmallIndex) => void,
): Promise<void> {
  const index = await smallIndex(companies);
  use(index);
  await index.close();
}
