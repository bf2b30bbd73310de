/**
 * Tables that record the writes of a change instead of executing them: the same code then changes the local directory
 * and the shared one, which commits the recorded writes.
 */
import type { Key } from '../../lmdb.ts';
import type { RowRange, Rows, Tables } from '../../state/account-tables.ts';
import { type Commit, type SharedTable, sharedTables } from './commit.ts';

interface Recording {
  /** The tables that changes read and write. */
  readonly tables: Tables;
  /** Returns what was written since the last call, and forgets it. */
  takeOut(): Commit;
}

/** @param held the current rows of the tables */
export function recordingOver(held: Tables): Recording {
  const accounts = new NotedRows(held.accounts);
  const idByEmail = new NotedRows(held.idByEmail);
  const keys = new NotedRows(held.keys);
  const keyUses = new NotedRows(held.keyUses);
  const signups = new NotedRows(held.signups);
  const changes = new NotedChanges();
  const tables = { accounts, idByEmail, keys, keyUses, signups, changes };
  return {
    tables,
    takeOut: () => ({
      rows: sharedTables.flatMap((table: SharedTable) =>
        tables[table].takeOut().map(([key, value]) => ({ table, key, value })),
      ),
      changed: changes.takeOut(),
      keysGone: keyUses.takeOut().map(([key]) => key),
    }),
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
  getKeys(range?: RowRange): Iterable<Key> {
    return this.#held.getKeys(range);
  }

  getRange(range?: RowRange) {
    return this.#held.getRange(range);
  }

  takeOut(): readonly (readonly [key: string, value: string | null])[] {
    const noted = [...this.#noted];
    this.#noted.clear();
    return noted;
  }
}

/** The list of changed accounts: each copy of the directory numbers its own. */
class NotedChanges implements Rows {
  readonly #ids = new Set<string>();

  get(): undefined {
    return undefined;
  }

  putSync(_version: Key, accountId: string): void {
    this.#ids.add(accountId);
  }

  removeSync(): void {}

  getKeys(): Iterable<Key> {
    return [];
  }

  getRange(): Iterable<{ readonly key: Key; readonly value: string }> {
    return [];
  }

  takeOut(): readonly string[] {
    const ids = [...this.#ids];
    this.#ids.clear();
    return ids;
  }
}
