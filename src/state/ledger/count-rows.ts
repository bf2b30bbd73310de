/**
 * Counts on disk, a row for each caller and UTC day. Keys begin with the day: a day's count is one fact however the
 * clock moves, and old days are forgotten with one range.
 */
import { bytesTable, committed, type Environment, rowCount } from '../../lmdb.ts';
import { stateLimits } from '../limits.ts';

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
  /** Resolves once the rows outlive this process; rejects where the disk refuses. */
  save(rows: readonly CountRow[]): Promise<void>;
  /** Removes every row of days before this one and says how many there were. */
  forgetBefore(day: number): Promise<number>;
  /** Rows on disk. */
  size(): number;
}

export function openCountRows(environment: Environment): CountRows {
  const table = bytesTable(environment, 'counters', 'binary');
  const remove = (keys: readonly Uint8Array[]) =>
    committed(
      environment.transaction(() => {
        for (const key of keys) table.removeSync(key);
      }),
    );
  return {
    *all() {
      for (const { key, value } of table.getRange()) {
        if (key instanceof Uint8Array && key.length > dayBytes) yield { ...readRowKey(key), value };
      }
    },
    async save(rows) {
      for (let start = 0; start < rows.length; start += stateLimits.rowsPerTransaction) {
        const part = rows.slice(start, start + stateLimits.rowsPerTransaction);
        // lmdb's own thread carries out plain puts; the function of a transaction would hold this one up.
        await Promise.all(part.map((row) => committed(table.put(rowKey(row.day, row.caller), row.value))));
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

const dayBytes = 4;

/** Big-endian, so that bytes sort as days do. */
function rowKey(day: number, caller: string): Uint8Array {
  const key = Buffer.alloc(dayBytes + caller.length);
  key.writeUInt32BE(day, 0);
  key.write(caller, dayBytes, 'latin1');
  return key;
}

function readRowKey(key: Uint8Array): Pick<CountRow, 'day' | 'caller'> {
  const bytes = Buffer.from(key.buffer, key.byteOffset, key.length);
  return { day: bytes.readUInt32BE(0), caller: bytes.toString('latin1', dayBytes) };
}
