/** The loader's side of the search thread: sends companies, receives rows of the index and writes them. */
import { Awaited, answeringThread } from '../../answering-thread.ts';
import type { Environment } from '../../lmdb.ts';
import { createIndexWriter, type IndexWriter } from '../../store/search/build/rows.ts';
import type { SearchLinks } from '../../store/search/search-reader.ts';
import type { CompanyTexts } from '../company-texts.ts';
import type { PreparedBlock } from '../rows.ts';
import type { SearchAnswer, SearchNews, SearchTask } from './search-thread.ts';

/** The search thread's results about the indexed companies. */
export interface Indexed {
  readonly companies: number;
  /** Of legal addresses, in order. */
  readonly countries: readonly string[];
}

export interface Indexing {
  /** Sends stored companies, in any order, each company once. Their memory is transferred to the thread. */
  add(texts: CompanyTexts): void;
  /** The same for companies that are prepared for the index. */
  addPrepared(blocks: readonly PreparedBlock[]): void;
  /** Forgets all companies. */
  restart(): void;
  /** Waits until the thread has few blocks of companies left, so that they do not pile up. */
  ready(): Promise<void>;
  /** Writes the index of the companies into an environment that has none; other writers may continue meanwhile. */
  finish(environment: Environment, links: SearchLinks, progress: (share: number) => void): Promise<Indexed>;
  /** Terminates the thread. */
  end(): void;
}

const threadUrl = new URL('../../../workers/search.ts', import.meta.url).href;

/** The most blocks that are sent but not taken. A block has about ten megabytes. */
const untakenMax = 2;

export function startIndexing(): Indexing {
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
    add(texts) {
      if (texts.entities.length === 0) return;
      const memory = [texts.entities.buffer, texts.ends.buffer, texts.bytes.buffer];
      adding.add(thread.ask({ task: 'add', texts }, memory));
    },
    addPrepared(blocks) {
      if (blocks.length === 0) return;
      const memory = blocks.flatMap(({ entities, json }) => [entities.buffer, json.buffer]);
      adding.add(thread.ask({ task: 'add-prepared', blocks }, memory));
    },
    restart: () => thread.tell({ task: 'restart' }),
    async ready() {
      for await (const _added of adding.downTo(untakenMax));
    },
    finish(environment, links, progress) {
      const writer = createIndexWriter(environment);
      finishing = { writer, progress };
      const outcome = finish(writer, links);
      // The caller may await it much later: until then a failure is not an unhandled rejection.
      outcome.catch(() => {});
      return outcome;
    },
    end: thread.terminate,
  };
}
