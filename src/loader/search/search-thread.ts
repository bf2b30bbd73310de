/**
 * Makes the search index in a thread; both ends of it. The thread receives companies while files are still being read,
 * and makes the rows of their index, which the loader's own thread writes. It opens no environment, so it may be
 * terminated at any moment.
 */
import type { Environment } from '../../lmdb.ts';
import { isRecord, searchFactsOf } from '../../store/company-record.ts';
import { type PreparedCompany, prepareCompany } from '../../store/search/build/prepared-company.ts';
import { createIndexWriter, type IndexWriter, type RowBlock } from '../../store/search/build/rows.ts';
import type { IndexShape } from '../../store/search/format.ts';
import { createSearchBuilder } from '../../store/search/search-builder.ts';
import type { SearchLinks } from '../../store/search/search-reader.ts';
import { Awaited, answeringThread } from '../../threads/answering-thread.ts';
import { collectGarbage } from '../build/memory.ts';
import { type CompanyTexts, textsIn } from '../company-texts.ts';
import type { PreparedBlock } from '../rows.ts';

/** To the thread. */
type SearchTask =
  /** Texts of the entities table; those that are not records are skipped. */
  | { readonly task: 'add'; readonly texts: CompanyTexts }
  /** Companies that are prepared for the index. */
  | { readonly task: 'add-prepared'; readonly blocks: readonly PreparedBlock[] }
  /** Forget all companies. */
  | { readonly task: 'restart' }
  /** Make the index. The last task. */
  | { readonly task: 'finish'; readonly links: SearchLinks };

/** From the thread while it makes the index. */
type SearchNews =
  | { readonly news: 'progress'; readonly share: number }
  | { readonly news: 'rows'; readonly block: RowBlock };

/** The answer to `finish`, after all rows; to companies it is null once they are added. */
type SearchAnswer = { readonly shape: IndexShape; readonly countries: readonly string[] } | null;

/** The search thread's results about the indexed companies. */
export interface Indexed {
  readonly companies: number;
  /** Of legal addresses, in order. */
  readonly countries: readonly string[];
}

const threadUrl = new URL('../../../workers/search.ts', import.meta.url).href;

/** The most blocks that are sent but not taken. A block has about ten megabytes. */
const untakenMax = 2;

export type Indexing = ReturnType<typeof startIndexing>;

export function startIndexing() {
  let finishing: { readonly writer: IndexWriter; readonly progress: (share: number) => void } | null = null;
  const hear = (news: SearchNews) => {
    if (news.news === 'progress') finishing?.progress(news.share);
    else finishing?.writer.write(news.block);
  };
  const worker = new Worker(threadUrl);
  const thread = answeringThread<SearchTask, SearchAnswer, SearchNews>(worker, 'The search thread', hear);
  const adding = new Awaited<SearchAnswer>();
  const finish = async (writer: IndexWriter, links: SearchLinks): Promise<Indexed> => {
    const made = await thread.ask({ task: 'finish', links });
    if (made === null) throw new Error('The search thread made no index.');
    writer.finish(made.shape);
    return { companies: made.shape.documents, countries: made.countries };
  };
  return {
    /** Sends stored companies, in any order, each company once. Their memory is transferred to the thread. */
    add(texts: CompanyTexts): void {
      if (texts.entities.length === 0) return;
      const memory = [texts.entities.buffer, texts.ends.buffer, texts.bytes.buffer];
      adding.add(thread.ask({ task: 'add', texts }, memory));
    },
    /** The same for companies that are prepared for the index. */
    addPrepared(blocks: readonly PreparedBlock[]): void {
      if (blocks.length === 0) return;
      const memory = blocks.flatMap(({ entities, json }) => [entities.buffer, json.buffer]);
      adding.add(thread.ask({ task: 'add-prepared', blocks }, memory));
    },
    /** Forgets all companies. */
    restart: () => thread.tell({ task: 'restart' }),
    /** Waits until the thread has few blocks of companies left, so that they do not pile up. */
    async ready(): Promise<void> {
      for await (const _added of adding.downTo(untakenMax));
    },
    /** Writes the index of the companies into an environment that has none; other writers may continue meanwhile. */
    finish(
      environment: Environment,
      links: SearchLinks,
      progress: (share: number) => void,
    ): Promise<Indexed> {
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

type Tell = (news: SearchNews) => void;

const decoder = new TextDecoder();

/** @returns the function to call in the thread with each task */
export function searchThread(): (task: SearchTask, tell: Tell) => SearchAnswer | undefined {
  let builder = createSearchBuilder();
  let companies = 0;
  /** Of legal addresses. */
  let countries = new Set<string>();

  const add = (entity: number, company: PreparedCompany) => {
    if (company.country !== null) countries.add(company.country);
    builder.add(entity, company);
    if (++companies % companiesPerCollection === 0) collectGarbage(companies);
  };
  const addText = (entity: number, text: string) => {
    if (isRecord(text)) add(entity, prepareCompany(searchFactsOf(text)));
  };
  const addPrepared = ({ entities, json }: PreparedBlock) => {
    const prepared: readonly PreparedCompany[] = JSON.parse(decoder.decode(json));
    for (const [place, company] of prepared.entries()) {
      const entity = entities[place] ?? 0;
      if (entity !== 0) add(entity, company);
    }
  };
  const finish = (links: SearchLinks, tell: Tell) => {
    const shape = builder.finish(
      links,
      (block) => tell({ news: 'rows', block }),
      (done) => {
        tell({ news: 'progress', share: done / Math.max(1, companies) });
        // Collect between the steps, each of which makes strings of all words.
        collectGarbage(companies);
      },
    );
    return { shape, countries: [...countries].sort() };
  };
  return (task, tell) => {
    switch (task.task) {
      case 'add':
        for (const [entity, text] of textsIn(task.texts)) addText(entity, text);
        return null;
      case 'add-prepared':
        for (const block of task.blocks) addPrepared(block);
        return null;
      case 'restart':
        builder = createSearchBuilder();
        companies = 0;
        countries = new Set();
        return undefined;
      case 'finish':
        return finish(task.links, tell);
    }
  };
}
