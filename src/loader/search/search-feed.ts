/**
 * Feeds the search index of a build. If every company is stored once, the index is made during the reading: the search
 * thread receives the companies as they are stored, and starts when all files that it needs are read. If a company is
 * stored again (a repeated record) or the index of a copy can't be changed (change-index.ts), the index is made from
 * the finished company file.
 *
 *     state        on            next         does
 *     beside       stored        beside       sends the companies to the thread
 *     beside       rewritten     afterwards   lets the thread forget them
 *     beside       linked        started      starts the index
 *     afterwards   linked        linked       keeps what other records say of the companies
 *     linked       finish        linked       makes the index of the company file, completes the publication
 *     started      finish        started      waits for the index and completes the publication
 */

import { collectGarbage } from '../../bytes/memory.ts';
import { type Environment, openForBuilding, syncAndClose } from '../../lmdb.ts';
import { companiesIn } from '../../publication/layout.ts';
import { writeMeta } from '../../store/meta.ts';
import type { SearchLinks } from '../../store/search/search-reader.ts';
import { companiesInFile, type StoredCompanies } from '../../store/stored-companies.ts';
import { openTables } from '../../store/tables.ts';
import type { Build, BuildResult, Draft } from '../build/build.ts';
import type { CompanyListener } from '../build/companies.ts';
import { createCompanyTexts } from '../company-texts.ts';
import { type IndexBuild, type IndexResult, startIndexing } from './search-thread.ts';

type FeedState =
  | { readonly at: 'beside' }
  | { readonly at: 'afterwards' }
  | { readonly at: 'linked'; readonly links: SearchLinks }
  | { readonly at: 'started'; readonly index: Promise<IndexResult> };

export type SearchFeed = ReturnType<typeof createSearchFeed>;

/** @param isSmall @see startIndexing */
export function createSearchFeed(isSmall: boolean) {
  const indexing = startIndexing(isSmall);
  let state: FeedState = { at: 'beside' };
  /** The index may start before its progress is shown. */
  let tellProgress = (_share: number): void => undefined;
  const listener: CompanyListener = {
    stored(texts, prepared) {
      if (state.at !== 'beside') return;
      indexing.add(texts);
      indexing.addPrepared(prepared);
    },
    rewritten() {
      if (state.at !== 'beside') return;
      indexing.restart();
      state = { at: 'afterwards' };
    },
  };
  return {
    ...listener,
    /** Waits until the search thread has nearly caught up. */
    ready: indexing.ready,
    /** Called when all files of companies, relationships and BICs are read; further calls do nothing. */
    linked(environment: Environment, build: Pick<Build, 'links'>): void {
      if (state.at !== 'beside' && state.at !== 'afterwards') return;
      // Do this first: the build may now store its last companies, and some of them again.
      const links = build.links();
      if (state.at !== 'beside') {
        state = { at: 'linked', links };
        return;
      }
      const index = indexing.finish(environment, links, (share) => tellProgress(share));
      state = { at: 'started', index };
    },
    /** Waits for an index that is made during the rest. The environment stays open until then. */
    async settled(progress: (share: number) => void): Promise<void> {
      tellProgress = progress;
      if (state.at === 'started') await state.index;
    },
    /** Makes the index if it has not started yet, and writes the meta table: the environment is then a publication. */
    async finish(folder: string, draft: Draft, progress: (share: number) => void): Promise<BuildResult> {
      if (state.at === 'linked') return indexStored(indexing, state.links, { folder, draft, progress });
      if (state.at !== 'started') throw new Error('The search feed is finished before it is linked.');
      const index = await state.index;
      return withEnvironment(folder, async (environment) => complete(environment, draft, index));
    },
    /** Terminates the search thread. */
    end: indexing.end,
  };
}

/** A publication that lacks only its search index. */
export interface UnindexedPublication {
  readonly folder: string;
  readonly draft: Draft;
  /** Receives the share of the index that is made. */
  readonly progress: (share: number) => void;
}

/** Makes the index of a finished company file, and then the environment a publication. */
export async function indexStored(
  indexing: IndexBuild,
  links: SearchLinks,
  publication: UnindexedPublication,
): Promise<BuildResult> {
  await feedStored(indexing, publication);
  const { folder, draft, progress } = publication;
  const rest = (share: number) => progress(feedingShare + (1 - feedingShare) * share);
  return withEnvironment(folder, async (environment) =>
    complete(environment, draft, await indexing.finish(environment, links, rest)),
  );
}

/** Makes an environment whose index is finished a publication. */
export function complete(
  environment: Environment,
  draft: Draft,
  { companies, countries }: IndexResult,
): BuildResult {
  const counts = { entities: companies, ...draft.counts };
  writeMeta(openTables(environment).meta, { ...draft, countries: [...countries], counts });
  return { counts, countries, resolvableRelationships: draft.resolvableRelationships };
}

/** Share of the work of an index made afterwards that reading the companies takes. */
const feedingShare = 0.6;

const companiesPerBlock = 5_000;
/** Companies read between two releases of mapped pages, which count as memory of this process. */
const companiesPerUnmap = 25 * companiesPerBlock;

async function feedStored(
  indexing: IndexBuild,
  { folder, draft: { id, lastEntity }, progress }: UnindexedPublication,
): Promise<void> {
  const companies = companiesInFile(companiesIn(folder), id);
  for (let first = 1; first <= lastEntity; first += companiesPerUnmap) {
    const end = Math.min(lastEntity + 1, first + companiesPerUnmap);
    await feed(companies, first, end, indexing);
    companies.unmap();
    progress((end / lastEntity) * feedingShare);
    collectGarbage(end);
  }
}

async function feed(
  companies: StoredCompanies,
  first: number,
  end: number,
  indexing: IndexBuild,
): Promise<void> {
  const texts = createCompanyTexts();
  for (let start = first; start < end; start += companiesPerBlock) {
    for (let entity = start; entity < Math.min(end, start + companiesPerBlock); entity++) {
      const row = companies.record(entity);
      if (row !== null) texts.add(entity, row.bytes.subarray(0, row.length));
    }
    indexing.add(texts.taken());
    await indexing.ready();
  }
}

export async function withEnvironment<T>(
  folder: string,
  action: (environment: Environment) => Promise<T>,
): Promise<T> {
  const environment = openForBuilding(folder);
  try {
    return await action(environment);
  } finally {
    await syncAndClose(environment);
  }
}
