/** Merges the accounts and keys of another directory into this one, so that a move loses nothing of either side. */
import {
  type AccountRecord,
  type DirectoryRecords,
  type Import,
  type KeyRecord,
  type Merge,
  type PrevailingSide,
  serviceLimitNames,
} from '../../ports/account-directory.ts';
import {
  type AccountTables,
  emailKey,
  putAccount,
  putServiceLimits,
  readAccount,
  readKey,
  readServiceLimits,
} from './account-tables.ts';

/** Chooses between a value that is here and a given one. */
type Choose = <Value>(here: Value | null, given: Value | null) => Value | null;

const chooseHere: Choose = (here, given) => here ?? given;
const chooseGiven: Choose = (here, given) => given ?? here;

export function mergeRecords(
  tables: AccountTables,
  records: DirectoryRecords,
  prevailing: PrevailingSide,
): Merge {
  const choose = prevailing === 'here' ? chooseHere : chooseGiven;
  const keysOf = Map.groupBy(records.keys, ({ accountId }) => accountId);
  const changes = records.accounts.flatMap((given) => {
    const here = readAccount(tables, given.id);
    return here === null ? [] : changeOf(tables, here, given, keysOf.get(given.id) ?? [], choose);
  });
  const added = importRecords(tables, records, prevailing);
  if ('addressesTaken' in added) return added;
  for (const { account, keys } of changes) {
    for (const key of keys) tables.keys.putSync(key.id, JSON.stringify(key));
    putAccount(tables, account);
  }
  const keys = changes.reduce((sum, { newKeys }) => sum + newKeys, added.keys);
  return { accounts: added.accounts, keys, merged: changes.length };
}

/** What changes in an account that both sides have; empty if nothing does. */
function changeOf(
  tables: AccountTables,
  here: AccountRecord,
  given: AccountRecord,
  givenKeys: readonly KeyRecord[],
  choose: Choose,
) {
  const account = {
    ...here,
    suspendedAt: earlier(here.suspendedAt, given.suspendedAt),
    daily: choose(here.daily, given.daily),
    burstLookup: choose(here.burstLookup, given.burstLookup),
    burstSearch: choose(here.burstSearch, given.burstSearch),
    keyIds: [...new Set([...here.keyIds, ...given.keyIds])],
  };
  const keys = givenKeys.flatMap((key) => keyChangeOf(readKey(tables, key.id), key, choose));
  const newKeys = account.keyIds.length - here.keyIds.length;
  return keys.length === 0 && isSame(account, here) ? [] : [{ account, keys, newKeys }];
}

function keyChangeOf(here: KeyRecord | null, given: KeyRecord, choose: Choose): readonly KeyRecord[] {
  if (here === null) return [given];
  const merged = {
    ...here,
    name: choose(here.name, given.name),
    revokedAt: earlier(here.revokedAt, given.revokedAt),
  };
  return isSame(merged, here) ? [] : [merged];
}

/** The earlier of two times; a time on one side counts. */
function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

function isSame<Row>(one: Row, other: Row): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** @param prevailing whose limits of the service hold where both sides have changed one */
export function importRecords(
  tables: AccountTables,
  { accounts, keys, serviceLimits }: DirectoryRecords,
  prevailing: PrevailingSide = 'here',
): Import {
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
  const here = readServiceLimits(tables);
  const limits = prevailing === 'here' ? { ...serviceLimits, ...here } : { ...here, ...serviceLimits };
  if (serviceLimitNames.some((name) => limits[name] !== here[name])) putServiceLimits(tables, limits);
  return { accounts: missing.length, keys: added.length };
}
