/**
 * How a build gets its search index. Where each company is stored once, the index is made beside the reading: the
 * search thread is told of companies as they are stored, and of the rest when the files that tell it are read.
 * Where a number gets another text (a delta, a record that comes twice), the index is made when all else is done.
 */
import { dropTables, type Environment, openForBuilding, syncAndClose } from '../../lmdb.ts';
import { writeMeta } from '../../store/meta.ts';
import type { SearchLinks } from '../../store/search/search-reader.ts';
import { openTables, type Tables } from '../../store/tables.ts';
import type { Build, Built, Draft } from '../build/build.ts';
import type { CompanyListener } from '../build/companies.ts';
import { giveBack } from '../build/memory.ts';
import { type Indexed, type Indexing, startIndexing } from './indexing.ts';

export interface SearchFeed extends CompanyListener {
  /** Waits until the search thread is not far behind. */
  ready(): Promise<void>;
  /**
   * To be called when all files of companies, relationships and BICs are read: starts the index, where it is made
   * beside the rest. Later calls do nothing.
   */
  linked(environment: Environment, build: Pick<Build, 'links'>): void;
  /** Waits for an index that is made beside the rest; the environment is to stay open until then. */
  settled(progress: (share: number) => void): Promise<void>;
  /** Makes the index where there is none yet, and writes what makes the environment a publication. */
  finish(folder: string, draft: Draft, progress: (share: number) => void): Promise<Built>;
  /** Ends the search thread. */
  end(): void;
}

/** @param beside whether the table of companies is empty, so that each may be told as it is stored */
export function createSearchFeed(beside: boolean): SearchFeed {
  const indexing = startIndexing();
  let isBeside = beside;
  let links: SearchLinks | null = null;
  let index: Promise<Indexed> | null = null;
  let progressOf = (_share: number): void => undefined;

  const start = (environment: Environment, known: SearchLinks) =>
    indexing.finish(environment, known, (share) => progressOf(share));
  return {
    stored(entities, texts) {
      if (isBeside) indexing.add(entities, texts);
    },
    rewritten() {
      if (isBeside) indexing.restart();
      isBeside = false;
    },
    ready: indexing.ready,
    linked(environment, build) {
      if (links !== null) return;
      links = build.links();
      // Only now: it may have been the last companies that were stored anew.
      if (isBeside) index = start(environment, links);
    },
    async settled(progress) {
      progressOf = progress;
      await index;
    },
    async finish(folder, draft, progress) {
      progressOf = (share) => progress(feedingShare + (1 - feedingShare) * share);
      if (index === null) await feedStored(folder, draft.lastEntity, indexing, progress);
      return withEnvironment(folder, async (environment) => {
        if (links === null) throw new Error('The search index was not told of relationships and BICs.');
        index ??= start(environment, links);
        const { companies, countries } = await index;
        const counts = { entities: companies, ...draft.counts };
        writeMeta(openTables(environment).meta, { ...draft, countries: [...countries], counts });
        return { counts, resolvableRelationships: draft.resolvableRelationships };
      });
    },
    end: indexing.end,
  };
}

/** Part of making an index afterwards that reading the companies takes. */
const feedingShare = 0.6;

const companiesPerBlock = 5_000;
/**
 * Companies read under one opening of the environment. Closing it unmaps what was read: in one go, the pages of
 * all companies would count as memory of this process, gigabytes of them.
 */
const companiesPerOpening = 25 * companiesPerBlock;

async function feedStored(
  folder: string,
  lastEntity: number,
  indexing: Indexing,
  progress: (share: number) => void,
): Promise<void> {
  for (let first = 1; first <= lastEntity; first += companiesPerOpening) {
    const end = Math.min(lastEntity + 1, first + companiesPerOpening);
    await withEnvironment(folder, (environment) => feed(openTables(environment), first, end, indexing));
    progress((end / lastEntity) * feedingShare);
    giveBack(end);
  }
}

async function feed(tables: Tables, first: number, end: number, indexing: Indexing): Promise<void> {
  for (let start = first; start < end; start += companiesPerBlock) {
    const rows = tables.entities.getRange({ start, end: Math.min(end, start + companiesPerBlock) });
    const [entities, texts]: [number[], string[]] = [[], []];
    for (const { key, value } of rows) {
      entities.push(Number(key));
      texts.push(value);
    }
    indexing.add(entities, texts);
    await indexing.ready();
  }
}

async function withEnvironment<T>(
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

/**
 * Empties a copied environment of its search index. On its own, since a deleted table can't be made again under the
 * handle that deleted it.
 */
export async function dropSearchIndex(folder: string): Promise<void> {
  await withEnvironment(folder, async (environment) => dropTables(environment, 'search'));
}
