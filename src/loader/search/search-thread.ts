/**
 * Makes the search index in a thread; both ends of it. The thread receives companies while files are still being read,
 * and makes the rows of their index, which the loader's own thread writes. It opens no environment, so it may be
 * terminated at any moment. A small index is made in the loader's own thread.
 */

import { collectGarbage } from '../../bytes/memory.ts';
import type { Environment, Glimpse } from '../../lmdb.ts';
import { isRecord } from '../../store/company-fields.ts';
import { searchFactsOf } from '../../store/company-record.ts';
import { type PreparedCompany, prepareCompany } from '../../store/search/build/prepared-company.ts';
import {
  type BuiltShape,
  createIndexWriter,
  type IndexBlock,
  type IndexWriter,
} from '../../store/search/build/rows.ts';
import { createSearchBuilder } from '../../store/search/search-builder.ts';
import type { SearchLinks } from '../../store/search/search-reader.ts';
import type { CallHandlers, CallingEnd } from '../../threads/calls.ts';
import { ResultQueue, type TaskPlace, TaskThread, tasksHere } from '../../threads/tasks.ts';
import { type CompanyTexts, textsIn } from '../company-texts.ts';
import type { PreparedBlock } from '../rows.ts';

/** The tasks of the search thread. */
export interface SearchTasks {
  /** Adds texts of the entities table; those that are not records are skipped. */
  add(texts: CompanyTexts): void;
  /** Adds companies that are prepared for the index. */
  addPrepared(blocks: readonly PreparedBlock[]): void;
  /** Forgets all companies. */
  restart(): void;
  /** Makes the index, whose rows come before the result. The last task. */
  finish(links: SearchLinks): { readonly shape: BuiltShape; readonly countries: readonly string[] };
}

/** From the thread while it makes the index. */
export interface SearchNews {
  progress(share: number): void;
  rows(block: IndexBlock): void;
}

/** The search thread's results about the indexed companies. */
export interface IndexResult {
  readonly companies: number;
  /** Of legal addresses, in order. */
  readonly countries: readonly string[];
}

const threadUrl = new URL('../../../workers/search.ts', import.meta.url).href;
const name = 'The search thread';

/** The most blocks that are sent but not taken. A block has about ten megabytes. */
const untakenMax = 2;

export type IndexBuild = ReturnType<typeof startIndexing>;

/** @param isSmall whether the index takes less time than a thread needs to start */
export function startIndexing(isSmall: boolean) {
  let finishing: { readonly writer: IndexWriter; readonly progress: (share: number) => void } | null = null;
  const news: CallHandlers<SearchNews> = {
    progress: (share) => finishing?.progress(share),
    rows: (block) => finishing?.writer.write(block),
  };
  const thread: TaskPlace<SearchTasks> = isSmall
    ? tasksHere<SearchTasks, SearchNews>(searchTasks, name, news)
    : new TaskThread<SearchTasks, SearchNews>(new Worker(threadUrl), name, news);
  const adding = new ResultQueue<void>();
  const finish = async (writer: IndexWriter, links: SearchLinks): Promise<IndexResult> => {
    const { shape, countries } = await thread.do('finish', [links]);
    writer.finish(shape);
    return { companies: shape.documents, countries };
  };
  return {
    /** Sends stored companies, in any order, each company once. Their memory is transferred to the thread. */
    add(texts: CompanyTexts): void {
      if (texts.entities.length === 0) return;
      const memory = [texts.entities.buffer, texts.ends.buffer, texts.bytes.buffer];
      adding.add(thread.do('add', [texts], memory));
    },
    /** The same for companies that are prepared for the index. */
    addPrepared(blocks: readonly PreparedBlock[]): void {
      if (blocks.length === 0) return;
      const memory = blocks.flatMap(({ entities, json }) => [entities.buffer, json.buffer]);
      adding.add(thread.do('addPrepared', [blocks], memory));
    },
    /** Forgets all companies. */
    restart: () => thread.tell('restart', []),
    /** Waits until the thread has few blocks of companies left, so that they do not pile up. */
    async ready(): Promise<void> {
      for await (const _added of adding.downTo(untakenMax));
    },
    /** Writes the index of the companies into an environment that has none; other writers may continue meanwhile. */
    finish(
      environment: Environment,
      links: SearchLinks,
      progress: (share: number) => void,
    ): Promise<IndexResult> {
      const writer = createIndexWriter(environment);
      finishing = { writer, progress };
      const outcome = finish(writer, links);
      // The caller may await it much later: until then a failure is not an unhandled rejection.
      outcome.catch(() => {});
      return outcome;
    },
    /** Terminates the thread. */
    end: thread.terminate,
  };
}

/** The number of companies after which the garbage of their texts is collected. */
const companiesPerCollection = 250_000;

const decoder = new TextDecoder();

/** Runs in the thread. */
export function searchTasks(news: Pick<CallingEnd<SearchNews>, 'tell'>): CallHandlers<SearchTasks> {
  let builder = createSearchBuilder();
  let companies = 0;
  /** Of legal addresses. */
  let countries = new Set<string>();

  const add = (entity: number, company: PreparedCompany) => {
    if (company.country !== null) countries.add(company.country);
    builder.add(entity, company);
    if (++companies % companiesPerCollection === 0) collectGarbage(companies);
  };
  const addText = (entity: number, text: Glimpse) => {
    if (isRecord(text)) add(entity, prepareCompany(searchFactsOf(text)));
  };
  const addBlock = ({ entities, json }: PreparedBlock) => {
    const prepared: readonly PreparedCompany[] = JSON.parse(decoder.decode(json));
    for (const [place, company] of prepared.entries()) {
      const entity = entities[place] ?? 0;
      if (entity !== 0) add(entity, company);
    }
  };
  const finish = (links: SearchLinks) => {
    const shape = builder.finish(
      links,
      (block) => news.tell('rows', [block]),
      (done) => {
        news.tell('progress', [done / Math.max(1, companies)]);
        // Collect between the steps, each of which makes strings of all words.
        collectGarbage(companies);
      },
    );
    return { shape, countries: [...countries].sort() };
  };
  return {
    add(texts) {
      for (const [entity, text] of textsIn(texts)) addText(entity, text);
    },
    addPrepared(blocks) {
      for (const block of blocks) addBlock(block);
    },
    restart() {
      builder = createSearchBuilder();
      companies = 0;
      countries = new Set();
    },
    finish,
  };
}
