/** The loader's side of the search thread: sends companies, receives rows of the index and writes them. */
import type { Environment } from '../../lmdb.ts';
import { createIndexWriter, type IndexWriter } from '../../store/search/build/rows.ts';
import type { SearchLinks } from '../../store/search/search-reader.ts';
import type { SearchNews, SearchTask } from './search-thread.ts';

/** What the search thread says of the companies that it indexed. */
export interface Indexed {
  readonly companies: number;
  /** Of legal addresses, in order. */
  readonly countries: readonly string[];
}

export interface Indexing {
  /** Sends companies: entity numbers and stored texts, in any order, each company once. */
  add(entities: readonly number[], texts: readonly string[]): void;
  /** The same, of companies that are prepared for the index: the JSON of each. */
  addPrepared(entities: readonly number[], companies: readonly string[]): void;
  /** Forgets all companies. */
  restart(): void;
  /** Waits until the thread has few blocks of companies to take, so that they do not pile up. */
  ready(): Promise<void>;
  /** Writes the index of the companies into an environment that has none; other writers may go on meanwhile. */
  finish(environment: Environment, links: SearchLinks, progress: (share: number) => void): Promise<Indexed>;
  /** Ends the thread at once. */
  end(): void;
}

const threadUrl = new URL('../../../workers/search.ts', import.meta.url).href;

/** Blocks that are sent but not taken, at most. A block has up to eight megabytes and waits as a copy. */
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

  const post = (task: SearchTask) => worker.postMessage(task);
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
    add(entities, texts) {
      untaken++;
      post({ task: 'add', entities, texts });
    },
    addPrepared(entities, companies) {
      untaken++;
      post({ task: 'add-prepared', entities, json: `[${companies.join(',')}]` });
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
