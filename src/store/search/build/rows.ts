/** Carries the rows of an index into an environment in blocks of plain data, so that another thread can write them. */

import { ByteWriter } from '../../../bytes/byte-writer.ts';
import { type Appendable, append, type Environment, type Key } from '../../../lmdb.ts';
import { type IndexShape, openSearchTables, type SearchTables } from '../format.ts';

/** Tables that rows are appended to: all but the one that holds the shape and that which only deltas fill. */
export type SearchRows = Readonly<Record<RowTable, Appendable>>;
type RowTable = Exclude<keyof SearchTables, 'meta' | 'newTerms'>;

/** Rows of one table; within a table keys ascend from block to block. */
export interface RowBlock {
  readonly table: RowTable;
  readonly keys: readonly Key[];
  /** Where the value of each key ends in `bytes`. */
  readonly ends: readonly number[];
  readonly bytes: Uint8Array;
}

/** Bytes of values from which on a block is passed on. */
const blockBytes = 512 * 1024;

/** Tables that pass on what is appended to them, block by block. */
interface RowBlocks {
  readonly tables: SearchRows;
  /** Passes the last, incomplete blocks on. */
  flush(): void;
}

export function createRowBlocks(take: (block: RowBlock) => void): RowBlocks {
  const flushes: (() => void)[] = [];
  const table = (name: RowTable): Appendable => {
    let keys: Key[] = [];
    let ends: number[] = [];
    const values = new ByteWriter();
    const flush = () => {
      if (keys.length === 0) return;
      take({ table: name, keys, ends, bytes: new Uint8Array(values.view()) });
      [keys, ends] = [[], []];
      values.clear();
    };
    flushes.push(flush);
    return {
      putSync(key, value) {
        keys.push(key);
        // Copied: the writers of rows use one buffer for all of them.
        values.append(value);
        ends.push(values.length);
        if (values.length >= blockBytes) flush();
      },
    };
  };
  return {
    tables: {
      top: table('top'),
      terms: table('terms'),
      postings: table('postings'),
      weights: table('weights'),
      names: table('names'),
      cards: table('cards'),
      keys: table('keys'),
      spellings: table('spellings'),
      completions: table('completions'),
    },
    flush() {
      for (const each of flushes) each();
    },
  };
}

export interface IndexWriter {
  write(block: RowBlock): void;
  /** Called after the last block: makes the rows an index. */
  finish(shape: IndexShape): void;
}

/** Writes an index into an environment that has none, each block in a transaction of its own. */
export function createIndexWriter(environment: Environment): IndexWriter {
  const tables = openSearchTables(environment);
  return {
    write: ({ table, keys, ends, bytes }) =>
      environment.transactionSync(() => {
        let start = 0;
        for (const [index, key] of keys.entries()) {
          const end = ends[index] ?? start;
          append(tables[table], key, Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start));
          start = end;
        }
      }),
    finish: (shape) => tables.meta.putSync('shape', JSON.stringify(shape)),
  };
}
