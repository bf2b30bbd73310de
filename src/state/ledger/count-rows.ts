/**
 * Stores counts on disk, a row for each caller and UTC day. Keys begin with the day: each day has one count however the
 * clock moves, and old days are deleted as one range. Rows of accounts that no quota needs any more move to a separate
 * table, which a start does not read.
 */
import { type BytesTable, bytesTable, committed, type Environment, rowCount } from '../../lmdb.ts';
import { isAccount } from '../../ports/usage.ts';
import { stateLimits } from '../limits.ts';
import type { Units } from './records.ts';
import { pack, unpack } from './usage.ts';

export interface CountRow {
  readonly caller: string;
  /** Days since 1970-01-01 UTC. */
  readonly day: number;
  /** A packed bucket. */
  readonly value: Buffer;
}

export interface CountRows {
  /** Every row, earlier days first. */
  all(): Iterable<CountRow>;
  /** Resolves once the rows are durable; rejects if the disk refuses. */
  save(rows: readonly CountRow[]): Promise<void>;
  /** Removes every row of days before this one, keeps the units of accounts, and returns how many rows there were. */
  forgetBefore(day: number): Promise<number>;
  /** Units of a caller on a day, even if only those are left; null if there is no row. */
  unitsOn(day: number, caller: string): Units | null;
  /** Removes the units of accounts on days before this one. */
  forgetUsageBefore(day: number): Promise<void>;
  /** Rows on disk. */
  size(): number;
}

/** The counts, and the units of accounts on days that no quota needs any more. */
export function countTables(environment: Environment) {
  return {
    table: bytesTable(environment, 'counters', 'binary'),
    usage: bytesTable(environment, 'usage', 'binary'),
  };
}

export function openCountRows(environment: Environment): CountRows {
  const { table, usage } = countTables(environment);
  /** Removes the rows of earlier days, some in each transaction, and returns how many there were. */
  const removeBefore = async (day: number, from: BytesTable, keep: (key: Uint8Array) => void) => {
    for (let removed = 0; ; ) {
      const keys = [...from.getKeys({ end: rowKey(day, ''), limit: stateLimits.rowsPerTransaction })];
      if (keys.length === 0) return removed;
      await committed(
        environment.transaction(() => {
          for (const key of keys) {
            if (key instanceof Uint8Array) keep(key);
            from.removeSync(key);
          }
        }),
      );
      removed += keys.length;
    }
  };
  const keepUnits = (key: Uint8Array) => {
    const units = isAccount(readRowKey(key).caller) ? unitsIn(table, key) : null;
    if (units !== null) usage.putSync(key, pack({ units, lookup: [], search: [] }));
  };
  return {
    *all() {
      for (const { key, value } of table.getRange()) {
        if (key instanceof Uint8Array && key.length > dayBytes) yield { ...readRowKey(key), value };
      }
    },
    async save(rows) {
      for (let start = 0; start < rows.length; start += stateLimits.rowsPerTransaction) {
        const part = rows.slice(start, start + stateLimits.rowsPerTransaction);
        // Use plain puts, which lmdb's own thread executes; a transaction's function would block this one.
        await Promise.all(part.map((row) => committed(table.put(rowKey(row.day, row.caller), row.value))));
      }
    },
    forgetBefore: (day) => removeBefore(day, table, keepUnits),
    unitsOn(day, caller) {
      const key = rowKey(day, caller);
      return unitsIn(table, key) ?? unitsIn(usage, key);
    },
    async forgetUsageBefore(day) {
      await removeBefore(day, usage, () => {});
    },
    size: () => rowCount(table),
  };
}

function unitsIn(table: BytesTable, key: Uint8Array): Units | null {
  const row = table.get(key);
  return row === undefined ? null : (unpack(row)?.units ?? null);
}

const dayBytes = 4;

/** Big-endian, so that bytes sort as days do. */
export function rowKey(day: number, caller: string): Uint8Array {
  const key = Buffer.alloc(dayBytes + caller.length);
  key.writeUInt32BE(day, 0);
  key.write(caller, dayBytes, 'latin1');
  return key;
}

export function readRowKey(key: Uint8Array): Pick<CountRow, 'day' | 'caller'> {
  const bytes = Buffer.from(key.buffer, key.byteOffset, key.length);
  return { day: bytes.readUInt32BE(0), caller: bytes.toString('latin1', dayBytes) };
}
