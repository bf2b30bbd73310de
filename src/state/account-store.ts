/**
 * Accounts and their keys on disk. The service and the command line write here at once, each change in one
 * transaction that also bumps a version; a running service follows the versions.
 */
import type { Environment } from '../lmdb.ts';
import type { Account, AccountLimits, Applicant } from './account.ts';
import {
  changesSince,
  emailKey,
  lastVersion,
  openTables,
  readAccount,
  readKey,
  shownAccount,
  shownKey,
  type Tables,
} from './account-tables.ts';
import {
  type AccountCreation,
  accountWriters,
  createAccount,
  importRecords,
  type KeyCreation,
  keyWriters,
  type Write,
} from './account-writers.ts';
import type { ApiKey } from './key.ts';
import type { AccountRecord, KeyRecord } from './records.ts';
import { countSignup, forgetSignups, openSignupCounts } from './signup-counts.ts';

/** An account with what a service needs to know its callers. */
export interface AccountWithKeys {
  readonly account: Account;
  readonly keys: readonly { readonly key: ApiKey; readonly digest: string }[];
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
  setLimits(accountId: string, limits: AccountLimits): Promise<Account | null>;
  /** Removes the account and its keys. */
  remove(accountId: string): Promise<boolean>;
  createKey(accountId: string, now: Date): Promise<KeyCreation>;
  /** Null where there is no such key; a revoked one keeps its first time. */
  revokeKey(keyId: string, now: Date): Promise<ApiKey | null>;
  /** Notes when keys were last used, epoch seconds by key id. */
  noteUses(uses: ReadonlyMap<string, number>): Promise<void>;
  /** Rises with every change. */
  version(): number;
  /** The accounts that may have changed, or null where too much did: read every one again. */
  changesSince(version: number): readonly string[] | null;
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

/** Opens the tables, making them where they are not there. Every change goes through `write`. */
export function openAccounts(environment: Environment, write: Write): AccountStore {
  const tables = openTables(environment);
  const signups = openSignupCounts(environment);
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

function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
