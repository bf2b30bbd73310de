/**
 * Changes of accounts and keys, each in one transaction.
 *
 * An asynchronous lmdb transaction whose function throws still commits the rows written until then. Every function here
 * therefore decides first and writes afterwards.
 */
import { timestamp } from '../../lei/dates.ts';
import type {
  Account,
  AccountCreation,
  AccountLimits,
  AccountRecord,
  Applicant,
  IssuedKey,
  KeyCreation,
  KeyDetails,
  KeyRecord,
  ServiceLimitChanges,
  ServiceLimits,
} from '../../ports/account-directory.ts';
import {
  type AccountTables,
  emailKey,
  putAccount,
  putServiceLimits,
  putUses,
  readAccount,
  readKey,
  readServiceLimits,
  shownAccount,
  shownKey,
} from './account-tables.ts';
import { digestOf, newId, newSecret, prefixOf } from './key.ts';
import { stateLimits } from './limits.ts';

/** Runs a change in a transaction of its own; resolves once it is durable. */
export type Write = <Result>(change: () => Result) => Promise<Result>;

export function accountWriters(tables: AccountTables, write: Write) {
  const change = (id: string, fields: Partial<Pick<Account, 'suspendedAt'> & AccountLimits>) =>
    write(() => {
      const record = readAccount(tables, id);
      if (record === null) return null;
      const changed = { ...record, ...fields };
      putAccount(tables, changed);
      return shownAccount(changed);
    });
  return {
    suspend: (id: string, now: Date) => change(id, { suspendedAt: timestamp(now) }),
    resume: (id: string) => change(id, { suspendedAt: null }),
    setLimits: (id: string, limits: AccountLimits) => change(id, limits),
    changeServiceLimits: (changes: ServiceLimitChanges) =>
      write(() => {
        const limits = withChanges(readServiceLimits(tables), changes);
        putServiceLimits(tables, limits);
        return limits;
      }),
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
        tables.noteChange(id);
        return true;
      }),
  };
}

function withChanges(limits: ServiceLimits, changes: ServiceLimitChanges): ServiceLimits {
  const all = Object.entries({ ...limits, ...changes });
  return Object.fromEntries(all.filter((entry): entry is [string, number] => entry[1] !== null));
}

export function keyWriters(tables: AccountTables, write: Write) {
  const change = (id: string, fieldsOf: (key: KeyRecord) => Partial<Pick<KeyRecord, 'name' | 'revokedAt'>>) =>
    write(() => {
      const record = readKey(tables, id);
      if (record === null) return null;
      const changed = { ...record, ...fieldsOf(record) };
      tables.keys.putSync(id, JSON.stringify(changed));
      tables.noteChange(record.accountId);
      return shownKey(tables, changed);
    });
  return {
    createKey: (accountId: string, now: Date, details: KeyDetails = {}) =>
      write((): KeyCreation => {
        const record = readAccount(tables, accountId);
        if (record === null) return { outcome: 'no-such-account' };
        const active = record.keyIds.filter((id) => readKey(tables, id)?.revokedAt === null);
        if (active.length >= stateLimits.activeKeysPerAccountMax) return { outcome: 'too-many-keys' };
        const issued = issueKey(tables, accountId, now, details);
        putAccount(tables, { ...record, keyIds: [...record.keyIds, issued.key.id] });
        return { outcome: 'created', ...issued };
      }),
    nameKey: (keyId: string, name: string | null) => change(keyId, () => ({ name })),
    revokeKey: (keyId: string, now: Date) =>
      change(keyId, ({ revokedAt }) => ({ revokedAt: revokedAt ?? timestamp(now) })),
    noteUses: (uses: ReadonlyMap<string, number>) => write(() => putUses(tables, uses)),
  };
}

export function createAccount(
  tables: AccountTables,
  applicant: Applicant,
  limits: AccountLimits,
  now: Date,
): AccountCreation {
  if (tables.idByEmail.get(emailKey(applicant.email)) !== undefined) return { outcome: 'address-taken' };
  const id = newId('acc');
  const issued = issueKey(tables, id, now, {});
  const record: AccountRecord = {
    id,
    ...applicant,
    createdAt: timestamp(now),
    suspendedAt: null,
    ...limits,
    keyIds: [issued.key.id],
  };
  tables.idByEmail.putSync(emailKey(applicant.email), id);
  putAccount(tables, record);
  return { outcome: 'created', account: shownAccount(record), ...issued };
}

function issueKey(tables: AccountTables, accountId: string, now: Date, details: KeyDetails): IssuedKey {
  const { name = null, kind = 'api' } = details;
  const secret = newSecret(kind);
  const record: KeyRecord = {
    id: newId('key'),
    accountId,
    prefix: prefixOf(secret),
    name,
    createdAt: timestamp(now),
    revokedAt: null,
    digest: digestOf(secret),
  };
  tables.keys.putSync(record.id, JSON.stringify(record));
  return { key: shownKey(tables, record), secret };
}
