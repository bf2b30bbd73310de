/** The account directory in the local state. A service and the commands beside it may write at the same time. */
import type { Environment } from '../../lmdb.ts';
import type { AccountDirectory, AccountWithKeys } from '../../ports/account-directory.ts';
import { importRecords, mergeRecords } from './account-merge.ts';
import {
  type AccountTables,
  changesSince,
  emailKey,
  lastVersion,
  type OpenTables,
  readAccount,
  readKey,
  readServiceLimits,
  shownAccount,
  shownKey,
} from './account-tables.ts';
import { accountWriters, createAccount, keyWriters, type Write } from './account-writers.ts';
import { countSignup, forgetSignups, signupsOn } from './signup-counts.ts';

/**
 * Every change goes through `write`.
 * @param eraseDeleted erases what deleted accounts leave in the file
 * @param written the tables that changes read and write
 */
export function openAccounts(
  environment: Environment,
  tables: OpenTables,
  write: Write,
  eraseDeleted: () => Promise<void>,
  written: AccountTables = tables,
): AccountDirectory {
  const writers = accountWriters(written, write);
  return {
    ...readers(environment, tables),
    ...writers,
    async remove(id) {
      const isRemoved = await writers.remove(id);
      if (isRemoved) await eraseDeleted();
      return isRemoved;
    },
    eraseDeleted,
    ...keyWriters(written, write),
    create: (applicant, limits, now, origin) =>
      write(() => {
        const refusal = origin === undefined ? null : countSignup(written.signups, origin, now);
        return refusal === null ? createAccount(written, applicant, limits, now) : { outcome: refusal };
      }),
    importRecords: (records) => write(() => importRecords(written, records)),
    mergeRecords: (records, prevailing) => write(() => mergeRecords(written, records, prevailing)),
    signupsOn: (day) => signupsOn(tables.signups, day),
    forgetSignupsBefore: (day) => write(() => forgetSignups(written.signups, day)),
  };
}

function readers(environment: Environment, tables: OpenTables) {
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
      // Begin a new snapshot, which shows changes by other processes.
      environment.resetReadTxn();
      return lastVersion(tables.changes);
    },
    changesSince: (version: number) => changesSince(tables.changes, version),
    serviceLimits: () => readServiceLimits(tables),
    exportRecords() {
      const accounts = [...tables.accounts.getKeys()].flatMap((id) => readAccount(tables, String(id)) ?? []);
      const keys = [...tables.keys.getKeys()].flatMap((id) => readKey(tables, String(id)) ?? []);
      return { accounts, keys, serviceLimits: readServiceLimits(tables) };
    },
  };
}

function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
