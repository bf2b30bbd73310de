/**
 * Accounts and their keys on disk. The service and the command line write here at once, each change in one
 * transaction that also bumps a version; a running service follows the versions.
 *
 * An asynchronous lmdb transaction whose function throws still commits what it had written, so every function
 * here first decides and then writes.
 */
import { createHash } from 'node:crypto';
import { type Environment, type TextTable, textTable } from '../lmdb.ts';
import { type Account, type AccountLimits, type Applicant, canonicalEmail } from './account.ts';
import { type ApiKey, digestOf, newId, newSecret, prefixOf } from './key.ts';
import { stateLimits } from './limits.ts';
import {
  type AccountRecord,
  type KeyRecord,
  parseAccountRecord,
  parseKeyRecord,
  readRow,
} from './records.ts';
import { countSignup, forgetSignups, openSignupCounts, type SignupRefusal } from './signup-counts.ts';

export interface IssuedKey {
  readonly key: ApiKey;
  /** Shown once, kept nowhere. */
  readonly secret: string;
}

export type AccountCreation =
  | ({ readonly outcome: 'created'; readonly account: Account } & IssuedKey)
  | { readonly outcome: 'address-taken' }
  | { readonly outcome: SignupRefusal };

export type KeyCreation =
  | ({ readonly outcome: 'created' } & IssuedKey)
  | { readonly outcome: 'no-such-account' }
  | { readonly outcome: 'too-many-keys' };

/** An account with what a service needs to know its callers. */
export interface AccountWithKeys {
  readonly account: Account;
  readonly keys: readonly { readonly key: ApiKey; readonly digest: string }[];
}

export interface AccountChanges {
  readonly version: number;
  /** The accounts that may have changed, or null where too much did: read every one again. */
  readonly accountIds: readonly string[] | null;
}

export interface AccountStore {
  /** `signupClient` is set for the sign-up page, whose accounts are limited by client and day. */
  create(
    applicant: Applicant,
    limits: AccountLimits,
    now: Date,
    signupClient?: string,
  ): Promise<AccountCreation>;
  /** By id or by e-mail address. */
  find(idOrEmail: string): Account | null;
  /** Oldest first. */
  list(): readonly AccountWithKeys[];
  withKeys(accountId: string): AccountWithKeys | null;
  /** Null where there is none. */
  suspend(accountId: string, now: Date): Promise<Account | null>;
  resume(accountId: string): Promise<Account | null>;
  /** Removes the account and its keys. */
  remove(accountId: string): Promise<boolean>;
  createKey(accountId: string, now: Date): Promise<KeyCreation>;
  /** Null where there is no such key; a revoked one keeps its first time. */
  revokeKey(keyId: string, now: Date): Promise<ApiKey | null>;
  /** Notes when keys were last used, epoch seconds by key id. */
  noteUses(uses: ReadonlyMap<string, number>): Promise<void>;
  version(): number;
  changesSince(version: number): AccountChanges;
  exportRecords(): { readonly accounts: readonly AccountRecord[]; readonly keys: readonly KeyRecord[] };
  /** Adds the records whose accounts are not there; says how many, or which addresses are in the way. */
  importRecords(
    accounts: readonly AccountRecord[],
    keys: readonly KeyRecord[],
  ): Promise<
    { readonly accounts: number; readonly keys: number } | { readonly addressesTaken: readonly string[] }
  >;
  /** Sign-up counts of days before this one. */
  forgetSignupsBefore(day: number): Promise<void>;
}

interface Tables {
  readonly accounts: TextTable;
  readonly idByEmail: TextTable;
  readonly keys: TextTable;
  readonly keyUses: TextTable;
  readonly changes: TextTable;
}

export function openAccounts(environment: Environment): AccountStore {
  const tables: Tables = {
    accounts: textTable(environment, 'accounts', 'string'),
    idByEmail: textTable(environment, 'accountByEmail', 'string'),
    keys: textTable(environment, 'keys', 'string'),
    keyUses: textTable(environment, 'keyUses', 'string'),
    changes: textTable(environment, 'accountChanges', 'uint32'),
  };
  const signups = openSignupCounts(environment);
  const write = <Result>(change: () => Result): Promise<Result> => environment.transaction(change);
  return {
    ...readers(environment, tables),
    ...accountWriters(tables, write),
    ...keyWriters(tables, write),
    create: (applicant, limits, now, signupClient) =>
      write(() => {
        const refusal = signupClient === undefined ? null : countSignup(signups, signupClient, now);
        return refusal === null ? createAccount(tables, applicant, limits, now) : { outcome: refusal };
      }),
    importRecords: (accounts, keys) => write(() => importRecords(tables, accounts, keys)),
    forgetSignupsBefore: (day) => write(() => forgetSignups(signups, day)),
  };
}

type Write = <Result>(change: () => Result) => Promise<Result>;

function readers(environment: Environment, tables: Tables) {
  const withKeys = (id: string): AccountWithKeys | null => {
    const record = readAccount(tables, id);
    if (record === null) return null;
    const keys = record.keyIds.flatMap((keyId) => {
      const key = readKey(tables, keyId);
      return key === null ? [] : [{ key: shownKey(tables, key), digest: key.digest }];
    });
    return { account: shownAccount(record), keys };
  };
  return {
    withKeys,
    find(idOrEmail: string) {
      const id = idOrEmail.includes('@') ? tables.idByEmail.get(emailKey(idOrEmail)) : idOrEmail;
      const record = id === undefined ? null : readAccount(tables, id);
      return record === null ? null : shownAccount(record);
    },
    list() {
      const all = [...tables.accounts.getKeys()].flatMap((id) => withKeys(String(id)) ?? []);
      return all.sort(
        (a, b) => byText(a.account.createdAt, b.account.createdAt) || byText(a.account.id, b.account.id),
      );
    },
    version: () => {
      // Another process may have written since this one last looked: a new snapshot shows it.
      environment.resetReadTxn();
      return lastVersion(tables);
    },
    changesSince: (version: number) => changesSince(tables, version),
    exportRecords() {
      const accounts = [...tables.accounts.getKeys()].flatMap((id) => readAccount(tables, String(id)) ?? []);
      const keys = [...tables.keys.getKeys()].flatMap((id) => readKey(tables, String(id)) ?? []);
      return { accounts, keys };
    },
  };
}

function accountWriters(tables: Tables, write: Write) {
  const change = (id: string, suspendedAt: string | null) =>
    write(() => {
      const record = readAccount(tables, id);
      if (record === null) return null;
      const changed = { ...record, suspendedAt };
      putAccount(tables, changed);
      return shownAccount(changed);
    });
  return {
    suspend: (id: string, now: Date) => change(id, moment(now)),
    resume: (id: string) => change(id, null),
    remove: (id: string) =>
      write(() => {
        const record = readAccount(tables, id);
        if (record === null) return false;
        for (const keyId of record.keyIds) {
          tables.keys.removeSync(keyId);
          tables.keyUses.removeSync(keyId);
        }
        tables.idByEmail.removeSync(emailKey(record.email));
        tables.accounts.removeSync(id);
        noteChange(tables, id);
        return true;
      }),
  };
}

function keyWriters(tables: Tables, write: Write) {
  return {
    createKey: (accountId: string, now: Date) =>
      write((): KeyCreation => {
        const record = readAccount(tables, accountId);
        if (record === null) return { outcome: 'no-such-account' };
        const active = record.keyIds.filter((id) => readKey(tables, id)?.revokedAt === null);
        if (active.length >= stateLimits.activeKeysPerAccountMax) return { outcome: 'too-many-keys' };
        const issued = issueKey(tables, accountId, now);
        putAccount(tables, { ...record, keyIds: [...record.keyIds, issued.key.id] });
        return { outcome: 'created', ...issued };
      }),
    revokeKey: (keyId: string, now: Date) =>
      write(() => {
        const record = readKey(tables, keyId);
        if (record === null) return null;
        const revoked = { ...record, revokedAt: record.revokedAt ?? moment(now) };
        tables.keys.putSync(keyId, JSON.stringify(revoked));
        noteChange(tables, record.accountId);
        return shownKey(tables, revoked);
      }),
    noteUses: (uses: ReadonlyMap<string, number>) =>
      write(() => {
        for (const [keyId, second] of uses) {
          // A key may have been deleted since it was used.
          if (tables.keys.get(keyId) !== undefined) {
            tables.keyUses.putSync(keyId, moment(new Date(second * 1000)));
          }
        }
      }),
  };
}

function createAccount(
  tables: Tables,
  applicant: Applicant,
  limits: AccountLimits,
  now: Date,
): AccountCreation {
  if (tables.idByEmail.get(emailKey(applicant.email)) !== undefined) return { outcome: 'address-taken' };
  const id = newId('acc');
  const issued = issueKey(tables, id, now);
  const record: AccountRecord = {
    id,
    ...applicant,
    createdAt: moment(now),
    suspendedAt: null,
    ...limits,
    keyIds: [issued.key.id],
  };
  tables.idByEmail.putSync(emailKey(applicant.email), id);
  putAccount(tables, record);
  return { outcome: 'created', account: shownAccount(record), ...issued };
}

function issueKey(tables: Tables, accountId: string, now: Date): IssuedKey {
  const secret = newSecret();
  const record: KeyRecord = {
    id: newId('key'),
    accountId,
    prefix: prefixOf(secret),
    createdAt: moment(now),
    revokedAt: null,
    digest: digestOf(secret),
  };
  tables.keys.putSync(record.id, JSON.stringify(record));
  return { key: shownKey(tables, record), secret };
}

function importRecords(tables: Tables, accounts: readonly AccountRecord[], keys: readonly KeyRecord[]) {
  const missing = accounts.filter(({ id }) => readAccount(tables, id) === null);
  const addressesTaken = missing
    .filter(({ email }) => tables.idByEmail.get(emailKey(email)) !== undefined)
    .map(({ email }) => email);
  if (addressesTaken.length > 0) return { addressesTaken };
  const ids = new Set(missing.map(({ id }) => id));
  const added = keys.filter(({ accountId }) => ids.has(accountId));
  for (const key of added) tables.keys.putSync(key.id, JSON.stringify(key));
  for (const account of missing) {
    tables.idByEmail.putSync(emailKey(account.email), account.id);
    putAccount(tables, account);
  }
  return { accounts: missing.length, keys: added.length };
}

function readAccount(tables: Tables, id: string): AccountRecord | null {
  return isShortKey(id) ? readRow(tables.accounts.get(id), parseAccountRecord) : null;
}

function readKey(tables: Tables, id: string): KeyRecord | null {
  return isShortKey(id) ? readRow(tables.keys.get(id), parseKeyRecord) : null;
}

/** lmdb throws on a key longer than it can hold; nothing of ours is longer than this. */
function isShortKey(id: string): boolean {
  return id.length > 0 && id.length <= 64;
}

function putAccount(tables: Tables, record: AccountRecord): void {
  tables.accounts.putSync(record.id, JSON.stringify(record));
  noteChange(tables, record.id);
}

function noteChange(tables: Tables, accountId: string): void {
  const version = lastVersion(tables) + 1;
  tables.changes.putSync(version, accountId);
  if (version > stateLimits.changesKept) tables.changes.removeSync(version - stateLimits.changesKept);
}

function lastVersion(tables: Tables): number {
  for (const version of tables.changes.getKeys({ reverse: true, limit: 1 })) return Number(version);
  return 0;
}

function changesSince(tables: Tables, version: number): AccountChanges {
  const latest = lastVersion(tables);
  const gone = latest - version >= stateLimits.changesKept || latest < version;
  if (gone) return { version: latest, accountIds: null };
  const ids = new Set<string>();
  for (const { value } of tables.changes.getRange({ start: version + 1 })) ids.add(value);
  return { version: latest, accountIds: [...ids] };
}

function shownAccount(record: AccountRecord): Account {
  const { keyIds: _, ...account } = record;
  return account;
}

function shownKey(tables: Tables, record: KeyRecord): ApiKey {
  const { id, accountId, prefix, createdAt, revokedAt } = record;
  return { id, accountId, prefix, createdAt, lastUsedAt: tables.keyUses.get(id) ?? null, revokedAt };
}

/** Addresses may be longer, and have other letters, than a key of the table takes. */
function emailKey(email: string): string {
  return createHash('sha256').update(canonicalEmail(email)).digest('hex');
}

function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** UTC, to the second. */
function moment(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
