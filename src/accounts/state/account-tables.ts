/**
 * Reads and writes single rows of the tables of accounts and keys, and of the list of changed accounts.
 * account-writers.ts combines them to complete changes.
 */
import { createHash } from 'node:crypto';
import { timestamp } from '../../lei/dates.ts';
import { type Environment, type Key, type TextTable, textTable } from '../../lmdb.ts';
import {
  type Account,
  type AccountRecord,
  type ApiKey,
  type KeyRecord,
  type ServiceLimits,
  wholeService,
} from '../../ports/account-directory.ts';
import { canonicalEmail } from './account.ts';
import { stateLimits } from './limits.ts';
import { parseAccountRecord, parseKeyRecord, parseServiceLimits, readRow } from './records.ts';

/** The operations of changes on a table: of lmdb, or of a recorder of writes. */
export interface AccountRows {
  get(key: Key): string | undefined;
  putSync(key: Key, value: string): unknown;
  removeSync(key: Key): unknown;
  getKeys(range?: { end?: Key }): Iterable<Key>;
}

/** What changes of the directory read and write. */
export interface AccountTables {
  readonly accounts: AccountRows;
  readonly idByEmail: AccountRows;
  readonly keys: AccountRows;
  readonly keyUses: AccountRows;
  readonly signups: AccountRows;
  /** One row, by the key {@link wholeService}; none while every limit is the configured one. */
  readonly serviceLimits: AccountRows;
  /** Adds an account, or the whole service, to the list of changed ones. */
  noteChange(accountId: string): void;
}

export function openTables(environment: Environment) {
  const changes = textTable(environment, 'accountChanges', 'uint32');
  return {
    accounts: textTable(environment, 'accounts', 'string'),
    idByEmail: textTable(environment, 'accountByEmail', 'string'),
    keys: textTable(environment, 'keys', 'string'),
    keyUses: textTable(environment, 'keyUses', 'string'),
    signups: textTable(environment, 'signups', 'string'),
    serviceLimits: textTable(environment, 'serviceLimits', 'string'),
    changes,
    noteChange(accountId: string): void {
      const version = lastVersion(changes) + 1;
      changes.putSync(version, accountId);
      if (version > stateLimits.changesKept) changes.removeSync(version - stateLimits.changesKept);
    },
  };
}

/** The tables in an environment. */
export type OpenTables = ReturnType<typeof openTables>;

export function readAccount(tables: AccountTables, id: string): AccountRecord | null {
  return isShortKey(id) ? readRow(tables.accounts.get(id), parseAccountRecord) : null;
}

export function readKey(tables: AccountTables, id: string): KeyRecord | null {
  return isShortKey(id) ? readRow(tables.keys.get(id), parseKeyRecord) : null;
}

/** lmdb throws on a key that is too long; our ids are shorter. */
function isShortKey(id: string): boolean {
  return id.length > 0 && id.length <= 64;
}

export function putAccount(tables: AccountTables, record: AccountRecord): void {
  tables.accounts.putSync(record.id, JSON.stringify(record));
  tables.noteChange(record.id);
}

export function readServiceLimits({ serviceLimits }: Pick<AccountTables, 'serviceLimits'>): ServiceLimits {
  return readRow(serviceLimits.get(wholeService), parseServiceLimits) ?? {};
}

export function putServiceLimits(tables: AccountTables, limits: ServiceLimits): void {
  if (Object.keys(limits).length === 0) tables.serviceLimits.removeSync(wholeService);
  else tables.serviceLimits.putSync(wholeService, JSON.stringify(limits));
  tables.noteChange(wholeService);
}

export function lastVersion(changes: TextTable): number {
  for (const version of changes.getKeys({ reverse: true, limit: 1 })) return Number(version);
  return 0;
}

export function changesSince(changes: TextTable, version: number): readonly string[] | null {
  const latest = lastVersion(changes);
  if (latest - version >= stateLimits.changesKept || latest < version) return null;
  return [...new Set(changes.getRange({ start: version + 1 }).map(({ value }) => value))];
}

export function shownAccount(record: AccountRecord): Account {
  const { keyIds: _, ...account } = record;
  return account;
}

export function shownKey(tables: AccountTables, record: KeyRecord): ApiKey {
  const { digest: _, ...key } = record;
  return { ...key, lastUsedAt: tables.keyUses.get(record.id) ?? null };
}

/** Stores times of last use, epoch seconds by key id. Skips a key that was deleted after its use. */
export function putUses(tables: AccountTables, uses: ReadonlyMap<string, number>): void {
  for (const [id, second] of uses) {
    if (tables.keys.get(id) !== undefined) tables.keyUses.putSync(id, timestamp(new Date(second * 1_000)));
  }
}

/** A digest, because an address may be longer than a key of the table and may contain other characters. */
export function emailKey(email: string): string {
  return createHash('sha256').update(canonicalEmail(email)).digest('hex');
}
