/**
 * Counts per subject (an account, or the keyed hash of a client address) and UTC day. Rows are keyed by day first:
 * a day's count is one fact however the clock moves, and old days are forgotten with one range.
 */
import { bytesTable, committed, type Environment, rowCount } from '../lmdb.ts';
import { stateLimits } from './limits.ts';

export interface CounterRow {
  readonly subject: string;
  /** Days since 1970-01-01 UTC. */
  readonly day: number;
  /** As the counting side packs it. */
  readonly value: Buffer;
}

export interface CounterTable {
  read(subject: string, day: number): Buffer | undefined;
  /** Resolves once the rows outlive this process; rejects where the disk refuses. */
  save(rows: readonly CounterRow[]): Promise<void>;
  /** Removes every row of days before this one and says how many there were. */
  forgetBefore(day: number): Promise<number>;
  /** Rows on disk. */
  size(): number;
}

export function openCounters(environment: Environment): CounterTable {
  const table = bytesTable(environment, 'counters', 'binary');
  const remove = (keys: readonly Uint8Array[]) =>
    committed(
      environment.transaction(() => {
        for (const key of keys) table.removeSync(key);
      }),
    );
  return {
    read: (subject, day) => table.get(rowKey(day, subject)),
    async save(rows) {
      for (let start = 0; start < rows.length; start += stateLimits.rowsPerTransaction) {
        const part = rows.slice(start, start + stateLimits.rowsPerTransaction);
        // Plain puts are carried out by lmdb's own thread; a transaction's function would hold this one up.
        await Promise.all(part.map((row) => committed(table.put(rowKey(row.day, row.subject), row.value))));
      }
    },
    async forgetBefore(day) {
      let forgotten = 0;
      for (;;) {
        const keys = [...table.getKeys({ end: rowKey(day, ''), limit: stateLimits.rowsPerTransaction })];
        if (keys.length === 0) return forgotten;
        await remove(keys.filter((key): key is Uint8Array => key instanceof Uint8Array));
        forgotten += keys.length;
      }
    },
    size: () => rowCount(table),
  };
}

/** Big-endian, so that bytes sort as days do. */
function rowKey(day: number, subject: string): Uint8Array {
  const key = Buffer.alloc(4 + subject.length);
  key.writeUInt32BE(day, 0);
  key.write(subject, 4, 'latin1');
  return key;
}
