/**
 * Tables that record the writes of a change instead of executing them: the same code then changes the local directory
 * and the shared one, which commits the recorded writes.
 */
import type { Key } from '../../lmdb.ts';
import type { Rows, Tables } from '../../state/account-tables.ts';
import { type Commit, sharedTables } from './account-store.ts';

interface Recording {
  /** The tables that changes read and write. */
  readonly tables: Tables;
  /** Returns what was written since the last call, and forgets it. */
  takeOut(): Commit;
}

/** @param held the current rows of the tables */
export function recordingOver(held: Tables): Recording {
  const rows = {
    accounts: new NotedRows(held.accounts),
    idByEmail: new NotedRows(held.idByEmail),
    keys: new NotedRows(held.keys),
    keyUses: new NotedRows(held.keyUses),
    signups: new NotedRows(held.signups),
  };
  const changed = new Set<string>();
  return {
    tables: { ...rows, noteChange: (accountId) => void changed.add(accountId) },
    takeOut() {
      const commit = {
        rows: sharedTables.flatMap((table) =>
          rows[table].takeOut().map(([key, value]) => ({ table, key, value })),
        ),
        changed: [...changed],
        keysGone: rows.keyUses.takeOut().map(([key]) => key),
      };
      changed.clear();
      return commit;
    },
  };
}

/** The rows of a table, overlaid with the written ones. */
class NotedRows implements Rows {
  readonly #held: Rows;
  readonly #noted = new Map<string, string | null>();

  constructor(held: Rows) {
    this.#held = held;
  }

  get(key: Key): string | undefined {
    const noted = this.#noted.get(String(key));
    return noted === undefined ? this.#held.get(key) : (noted ?? undefined);
  }

  putSync(key: Key, value: string): void {
    this.#noted.set(String(key), value);
  }

  removeSync(key: Key): void {
    this.#noted.set(String(key), null);
  }

  /** Changes read ranges before they write. */
  getKeys(range?: { end?: Key }): Iterable<Key> {
    return this.#held.getKeys(range);
  }

  takeOut(): readonly (readonly [key: string, value: string | null])[] {
    const noted = [...this.#noted];
    this.#noted.clear();
    return noted;
  }
}
