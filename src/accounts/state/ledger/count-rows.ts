/**
 * Stores counts on disk, a row for each caller and UTC day. Keys begin with the day: each day has one count however the
 * clock moves, and old days are deleted as one range. Rows of accounts that no quota needs any more move to a separate
 * table, which a start does not read. A tally exports the rows, and imports those of another state.
 */
import { type BytesTable, bytesTable, committed, type Environment } from '../../../lmdb.ts';
import type { CallerDay, Tally } from '../../../ports/state.ts';
import { isAccount } from '../../../ports/state.ts';
import type { Write } from '../account-writers.ts';
import { stateLimits } from '../limits.ts';
import type { Units, Usage } from './records.ts';
import type { KeptSecond } from './windows.ts';

export interface CountRow {
  readonly caller: string;
  /** Days since 1970-01-01 UTC. */
  readonly day: number;
  readonly usage: Usage;
}

export interface CountRows {
  /** Every row, earlier days first. */
  all(): Iterable<CountRow>;
  /** Resolves once the rows are durable; rejects if the disk refuses. */
  save(rows: readonly CountRow[]): Promise<void>;
  /** Removes every row of days before this one, and keeps the units of accounts. */
  forgetBefore(day: number): Promise<void>;
  /** Units of a caller on a day, even if only those are left; null if there is no row. */
  unitsOn(day: number, caller: string): Units | null;
  /** Removes the units of accounts on days before this one. */
  forgetUsageBefore(day: number): Promise<void>;
}

/** The counts, and the units of accounts on past days that no quota needs any more. */
function countTables(environment: Environment) {
  return {
    recent: bytesTable(environment, 'counters', 'binary'),
    past: bytesTable(environment, 'usage', 'binary'),
  };
}

export function openCountRows(environment: Environment): CountRows {
  const { recent, past } = countTables(environment);
  /** Removes the rows of earlier days, some in each transaction. */
  const removeBefore = async (day: number, from: BytesTable, keep: (key: Uint8Array) => void) => {
    for (;;) {
      const keys = [...from.getKeys({ end: rowKey(day, ''), limit: stateLimits.rowsPerTransaction })];
      if (keys.length === 0) return;
      await committed(
        environment.transaction(() => {
          for (const key of keys) {
            if (key instanceof Uint8Array) keep(key);
            from.removeSync(key);
          }
        }),
      );
    }
  };
  const keepUnits = (key: Uint8Array) => {
    const units = isAccount(readRowKey(key).caller) ? unitsIn(recent, key) : null;
    if (units !== null) past.putSync(key, pack({ units, lookup: [], search: [] }));
  };
  return {
    *all() {
      for (const { key, value } of recent.getRange()) {
        if (!(key instanceof Uint8Array) || key.length <= dayBytes) continue;
        const usage = unpack(value);
        if (usage !== null) yield { ...readRowKey(key), usage };
      }
    },
    async save(rows) {
      for (let start = 0; start < rows.length; start += stateLimits.rowsPerTransaction) {
        const part = rows.slice(start, start + stateLimits.rowsPerTransaction);
        // Use plain puts, which lmdb's own thread executes; a transaction's function would block this one.
        await Promise.all(
          part.map((row) => committed(recent.put(rowKey(row.day, row.caller), pack(row.usage)))),
        );
      }
    },
    forgetBefore: (day) => removeBefore(day, recent, keepUnits),
    unitsOn(day, caller) {
      const key = rowKey(day, caller);
      return unitsIn(recent, key) ?? unitsIn(past, key);
    },
    forgetUsageBefore: (day) => removeBefore(day, past, () => {}),
  };
}

function unitsIn(table: BytesTable, key: Uint8Array): Units | null {
  const row = table.get(key);
  return row === undefined ? null : (unpack(row)?.units ?? null);
}

/** Exports the counts of a data folder, and imports those of another state into its rows. */
export function localTally(environment: Environment, write: Write): Tally {
  const { recent, past } = countTables(environment);
  const raise = ({ caller, day, units }: CallerDay): boolean => {
    const key = rowKey(day, caller);
    const pastRow = past.get(key);
    const row = pastRow ?? recent.get(key);
    const kept = row === undefined ? null : unpack(row);
    if (kept !== null && total(kept.units) >= total(units)) return false;
    const value = pack({ units, lookup: kept?.lookup ?? [], search: kept?.search ?? [] });
    // Past days move to the other table by themselves.
    (pastRow === undefined ? recent : past).putSync(key, value);
    return true;
  };
  return {
    async *read() {
      for (const each of [past, recent]) yield* pages(each);
    },
    raise: (days) => write(() => days.filter(raise).length),
  };
}

function total({ lookup, search }: CallerDay['units']): number {
  return lookup + search;
}

/** No reading of the table is open between two pages. */
function* pages(table: BytesTable): Iterable<readonly CallerDay[]> {
  for (let start: Uint8Array = new Uint8Array(); ; ) {
    const rows = [...table.getRange({ start, limit: stateLimits.rowsPerTransaction })];
    const last = rows.at(-1)?.key;
    if (!(last instanceof Uint8Array)) return;
    yield rows.flatMap(({ key, value }) => {
      const units = unpack(value)?.units;
      return units !== undefined && key instanceof Uint8Array ? { ...readRowKey(key), units } : [];
    });
    // The smallest key after it.
    start = Buffer.concat([last, new Uint8Array(1)]);
  }
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

/** Bytes before the seconds. */
const head = 9;
const secondBytes = 16;
/**
 * An impossible arrival that marks the units beside it as the day's look-ups. Earlier versions read it as a past
 * second.
 */
const noArrival = 0;

/**
 * Count of the day (f64), number of seconds with look-ups (u8), then pairs of arrival (f64) and units (f64): the
 * seconds with look-ups, the part of the count that look-ups are, the seconds with searches.
 */
export function pack({ units, lookup, search }: Usage): Buffer {
  const seconds = [...lookup, [noArrival, units.lookup], ...search].flat();
  const bytes = Buffer.alloc(head + seconds.length * 8);
  bytes.writeDoubleLE(units.lookup + units.search, 0);
  bytes.writeUInt8(lookup.length, 8);
  seconds.forEach((value, index) => {
    bytes.writeDoubleLE(value, head + index * 8);
  });
  return bytes;
}

/** Null if the bytes are not a packed usage. */
export function unpack(bytes: Buffer): Usage | null {
  if (bytes.length < head || (bytes.length - head) % secondBytes !== 0) return null;
  const used = bytes.readDoubleLE(0);
  const seconds: KeptSecond[] = [];
  for (let at = head; at < bytes.length; at += secondBytes)
    seconds.push([bytes.readDoubleLE(at), bytes.readDoubleLE(at + 8)]);
  const lookups = bytes.readUInt8(8);
  if (lookups > seconds.length) return null;
  const lookup = seconds.slice(0, lookups);
  const rest = seconds.slice(lookups);
  const [arrival, ofDay] = rest[0] ?? [];
  // Rows of earlier versions lack the pair; their units count as look-ups.
  if (arrival !== noArrival || ofDay === undefined)
    return { units: { lookup: used, search: 0 }, lookup, search: rest };
  return { units: { lookup: ofDay, search: used - ofDay }, lookup, search: rest.slice(1) };
}
