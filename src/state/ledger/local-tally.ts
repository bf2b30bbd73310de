/** Exports the counts of a data folder, and imports those of another state into its rows. */
import type { BytesTable, Environment } from '../../lmdb.ts';
import type { CallerDay, Tally } from '../../ports/tally.ts';
import type { Write } from '../account-writers.ts';
import { stateLimits } from '../limits.ts';
import { countTables, readRowKey, rowKey } from './count-rows.ts';
import { pack, unpack } from './usage.ts';

export function localTally(environment: Environment, write: Write): Tally {
  const { table, usage } = countTables(environment);
  const raise = ({ caller, day, units }: CallerDay): boolean => {
    const key = rowKey(day, caller);
    const past = usage.get(key);
    const row = past ?? table.get(key);
    const kept = row === undefined ? null : unpack(row);
    if (kept !== null && total(kept.units) >= total(units)) return false;
    const value = pack({ units, lookup: kept?.lookup ?? [], search: kept?.search ?? [] });
    // Past days move to the other table by themselves.
    (past === undefined ? table : usage).putSync(key, value);
    return true;
  };
  return {
    async *read() {
      for (const each of [usage, table]) yield* pages(each);
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
