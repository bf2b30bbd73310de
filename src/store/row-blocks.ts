/** Transfers rows of tables to the thread that writes them, in blocks of plain data. */
import { ByteWriter } from '../bytes/byte-writer.ts';
import { type Appendable, append, type Key } from '../lmdb.ts';

/** Rows of one table; within a table keys ascend from block to block. */
export interface RowBlock<Table extends string> {
  readonly table: Table;
  readonly keys: readonly Key[];
  /** The end of each key's value in `bytes`. */
  readonly ends: readonly number[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A block is passed on once its values have this many bytes. */
const blockBytes = 512 * 1024;

/** A table that passes on what is appended to it, block by block. */
export interface BlockedTable extends Appendable {
  /** Passes the last, incomplete block on. */
  flush(): void;
}

export function blockedTable<Table extends string>(
  table: Table,
  take: (block: RowBlock<Table>) => void,
): BlockedTable {
  let keys: Key[] = [];
  let ends: number[] = [];
  const values = new ByteWriter();
  const flush = () => {
    if (keys.length === 0) return;
    take({ table, keys, ends, bytes: new Uint8Array(values.view()) });
    [keys, ends] = [[], []];
    values.clear();
  };
  return {
    putSync(key, value) {
      keys.push(key);
      // Copied: the writers of rows use one buffer for all of them.
      values.append(value);
      ends.push(values.length);
      if (values.length >= blockBytes) flush();
    },
    flush,
  };
}

/** Call it within a transaction. */
export function appendBlock(table: Appendable, { keys, ends, bytes }: RowBlock<string>): void {
  let start = 0;
  for (const [index, key] of keys.entries()) {
    const end = ends[index] ?? start;
    append(table, key, Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start));
    start = end;
  }
}
