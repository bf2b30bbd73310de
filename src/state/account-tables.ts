/**
 * Reads and writes single rows of the tables of accounts and keys, and of the list of changed accounts.
 * account-writers.ts combines them to complete changes.
 */
import { createHash } from 'node:crypto';
import { timestamp } from '../lei/dates.ts';
import { type Environment, type Key, textTable } from '../lmdb.ts';
import type { Account, AccountRecord, ApiKey, KeyRecord } from '../ports/account-directory.ts';
import { canonicalEmail } from './account.ts';
import { stateLimits } from './limits.ts';
import { parseAccountRecord, parseKeyRecord, readRow } from './records.ts';

/** The operations on a table: of lmdb, or of a recorder of writes. */
export interface Rows {
  get(key: Key): string | undefined;
  putSync(key: Key, value: string): unknown;
  removeSync(key: Key): unknown;
  getKeys(range?: RowRange): Iterable<Key>;
  getRange(range?: RowRange): Iterable<{ readonly key: Key; readonly value: string }>;
}

export interface RowRange {
  start?: Key;
  end?: Key;
  reverse?: boolean;
  limit?: number;
}

export interface Tables {
  readonly accounts: Rows;
  readonly idByEmail: Rows;
  readonly keys: Rows;
  readonly keyUses: Rows;
  readonly signups: Rows;
  readonly changes: Rows;
}

export function openTables(environment: Environment): Tables {
  return {
    accounts: textTable(environment, 'accounts', 'string'),
    idByEmail: textTable(environment, 'accountByEmail', 'string'),
    keys: textTable(environment, 'keys', 'string'),
    keyUses: textTable(environment, 'keyUses', 'string'),
    signups: textTable(environment, 'signups', 'string'),
    changes: textTable(environment, 'accountChanges', 'uint32'),
  };
}

export function readAccount(tables: Tables, id: string): AccountRecord | null {
  return isShortKey(id) ? readRow(tables.accounts.get(id), parseAccountRecord) : null;
}

export function readKey(tables: Tables, id: string): KeyRecord | null {
  return isShortKey(id) ? readRow(tables.keys.get(id), parseKeyRecord) : null;
}

/** lmdb throws on a key that is too long; our ids are shorter. */
function isShortKey(id: string): boolean {
  return id.length > 0 && id.length <= 64;
}

export function putAccount(tables: Tables, record: AccountRecord): void {
  tables.accounts.putSync(record.id, JSON.stringify(record));
  noteChange(tables, record.id);
}

export function noteChange(tables: Tables, accountId: string): void {
  const version = lastVersion(tables) + 1;
  tables.changes.putSync(version, accountId);
  if (version > stateLimits.changesKept) tables.changes.removeSync(version - stateLimits.changesKept);
}

export function lastVersion(tables: Tables): number {
  for (const version of tables.changes.getKeys({ reverse: true, limit: 1 })) return Number(version);
  return 0;
}

export function changesSince(tables: Tables, version: number): readonly string[] | null {
  const latest = lastVersion(tables);
  if (latest - version >= stateLimits.changesKept || latest < version) return null;
  const ids = new Set<string>();
  for (const { value } of tables.changes.getRange({ start: version + 1 })) ids.add(value);
  return [...ids];
}

export function shownAccount(record: AccountRecord): Account {
  const { keyIds: _, ...account } = record;
  return account;
}

export function shownKey(tables: Tables, record: KeyRecord): ApiKey {
  const { digest: _, ...key } = record;
  return { ...key, lastUsedAt: tables.keyUses.get(record.id) ?? null };
}

/** Stores times of last use, epoch seconds by key id. Skips a key that was deleted after its use. */
export function putUses(tables: Tables, uses: ReadonlyMap<string, number>): void {
  for (const [id, second] of uses) {
    if (tables.keys.get(id) !== undefined) tables.keyUses.putSync(id, timestamp(new Date(second * 1_000)));
  }
}

/** A digest, because an address may be longer than a key of the table and may contain other characters. */
export function emailKey(email: string): string {
  return createHash('sha256').update(canonicalEmail(email)).digest('hex');
}
