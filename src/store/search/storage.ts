/**
 * FlexSearch's storage interface over LMDB. FlexSearch calls `commit` to have an index written and `search` or `get`
 * to have its terms looked up; what they do is in search-builder.ts and open-search.ts.
 */
import { Index, type StorageInterface } from 'flexsearch';
import { createNameEncoder } from './name-encoder.ts';

type Commit = () => void;
/** Documents of a question's terms, best first. */
type Search = (terms: readonly string[]) => number[];

/** FlexSearch treats the answer for a single term as a promise; this one is kept at once, in the same turn. */
interface Kept {
  then(use: (documents: number[]) => number[]): number[];
}

class LmdbStorage implements StorageInterface {
  readonly db = null;
  private readonly onCommit: Commit;
  private readonly onSearch: Search;

  constructor(onCommit: Commit, onSearch: Search) {
    this.onCommit = onCommit;
    this.onSearch = onSearch;
  }

  async mount(index: object): Promise<void> {
    Object.assign(index, { db: this });
  }

  commit(): void {
    this.onCommit();
  }

  /** Two terms and more, or none. */
  search(_index: object, terms: readonly string[]): number[] {
    return terms.length === 0 ? [] : this.onSearch(terms);
  }

  get(term: string): Kept {
    const documents = this.onSearch([term]);
    // biome-ignore lint/suspicious/noThenProperty: FlexSearch calls then() on what a storage returns
    return { then: (use) => use(documents) };
  }

  async open(): Promise<void> {}
  async close(): Promise<void> {}
  async destroy(): Promise<void> {
    throw new Error('A sealed search index is not destroyed through FlexSearch.');
  }
  async clear(): Promise<void> {
    throw new Error('A sealed search index is not cleared through FlexSearch.');
  }
}

function mounted(onCommit: Commit, onSearch: Search): Index {
  // commit: false switches off FlexSearch's own timer.
  const index = new Index({ encoder: createNameEncoder(), tokenize: 'strict', commit: false });
  index.mount(new LmdbStorage(onCommit, onSearch));
  return index;
}

/** An index to be committed once. */
export function mountForWriting(commit: Commit): Index {
  return mounted(commit, () => []);
}

/** An index to be searched. */
export function mountForReading(search: Search): Index {
  return mounted(() => {
    throw new Error('A sealed search index is never written.');
  }, search);
}
