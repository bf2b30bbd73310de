/** Transfers rows of tables to the thread that writes them, in blocks of plain data. */
import { ByteWriter } from '../bytes/byte-writer.ts';
import { byKind } from '../lei/identifier-kinds.ts';
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

/** Tables that pass on the rows appended to them, block by block. */
interface BlockedTables<Table extends string> {
  readonly tables: Readonly<Record<Table, Appendable>>;
  /** Passes the last, incomplete blocks on. */
  flush(): void;
}

export function blockedTables<Table extends string>(
  names: readonly Table[],
  take: (block: RowBlock<Table>) => void,
): BlockedTables<Table> {
  const tables = byKind(names, (name) => blockedTable(name, take));
  return {
    tables,
    flush() {
      for (const name of names) tables[name].flush();
    },
  };
}

function blockedTable<Table extends string>(
  table: Table,
  take: (block: RowBlock<Table>) => void,
): Appendable & { flush(): void } {
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
  const values = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let start = 0;
  keys.forEach((key, index) => {
    const end = ends[index] ?? start;
    append(table, key, values.subarray(start, end));
    start = end;
  });
}
