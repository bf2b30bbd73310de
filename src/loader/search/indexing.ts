/** The loader's side of the search thread: sends companies, receives rows of the index and writes them. */
import type { Environment } from '../../lmdb.ts';
import { createIndexWriter, type IndexWriter } from '../../store/search/build/rows.ts';
import type { SearchLinks } from '../../store/search/search-reader.ts';
import type { CompanyTexts } from '../company-texts.ts';
import type { PreparedBlock } from '../rows.ts';
import type { SearchNews, SearchTask } from './search-thread.ts';

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

interface Finishing {
  readonly writer: IndexWriter;
  readonly progress: (share: number) => void;
}

export function startIndexing(): Indexing {
  const worker = new Worker(threadUrl);
  const { promise: outcome, resolve, reject } = Promise.withResolvers<Indexed>();
  // A failure before anybody awaits the outcome is not an unhandled rejection: `ready` and `finish` report it.
  outcome.catch(() => undefined);
  let untaken = 0;
  let taken = Promise.withResolvers<void>();
  let finishing: Finishing | null = null;

  const post = (task: SearchTask, transfer: ArrayBuffer[] = []) => worker.postMessage(task, transfer);
  const hear = (news: SearchNews) => {
    if (news.news === 'failed') throw new Error(news.message);
    if (news.news === 'added') {
      untaken--;
      taken.resolve();
      taken = Promise.withResolvers();
    } else if (news.news === 'progress') finishing?.progress(news.share);
    else if (news.news === 'rows') finishing?.writer.write(news.block);
    else {
      finishing?.writer.finish(news.shape);
      resolve({ companies: news.shape.documents, countries: news.countries });
    }
  };
  const fail = (error: unknown) => {
    worker.onmessage = null;
    reject(error);
  };
  worker.onmessage = ({ data }: MessageEvent<SearchNews>) => {
    try {
      hear(data);
    } catch (error) {
      fail(error);
    }
  };
  worker.onerror = ({ message }) => fail(new Error(`The search thread ended: ${message}`));

  return {
    add(texts) {
      if (texts.entities.length === 0) return;
      untaken++;
      post({ task: 'add', texts }, [texts.entities.buffer, texts.ends.buffer, texts.bytes.buffer]);
    },
    addPrepared(blocks) {
      if (blocks.length === 0) return;
      untaken++;
      const transfer = blocks.flatMap(({ entities, json }) => [entities.buffer, json.buffer]);
      post({ task: 'add-prepared', blocks }, transfer);
    },
    restart: () => post({ task: 'restart' }),
    async ready() {
      while (untaken > untakenMax) await Promise.race([taken.promise, outcome]);
    },
    finish(environment, links, progress) {
      finishing = { writer: createIndexWriter(environment), progress };
      post({ task: 'finish', links });
      return outcome;
    },
    end() {
      worker.onmessage = null;
      worker.terminate();
    },
  };
}
