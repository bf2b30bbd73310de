/** Counts the attempts on the sign-up page by client, by network and in total, for each UTC day. */
import type { SignupOrigin, SignupRefusal } from '../../ports/account-directory.ts';
import { dayMs } from '../../ports/ledger.ts';
import type { AccountRows } from './account-tables.ts';

/** Attempts of a day so far. */
export function signupsOn(table: AccountRows, day: Date): number {
  return countOf(table, day, inAll);
}

/**
 * Counts one attempt, within the transaction that creates the account. Attempts that fail because of a taken address
 * count too, so that trying addresses does not reveal who has an account.
 *
 * Once half of the day's sign-ups are used, a network gets its first one only. The other half is for others, however
 * many a network has used by then.
 */
export function countSignup(table: AccountRows, origin: SignupOrigin, now: Date): SignupRefusal | null {
  const { client, network, limits } = origin;
  const today = signupsOn(table, now);
  const networkMax = today * 2 >= limits.inAll ? 1 : limits.byNetwork;
  if (countOf(table, now, client) >= limits.byClient) return 'client-limit';
  if (countOf(table, now, network) >= networkMax) return 'network-limit';
  if (today >= limits.inAll) return 'daily-limit';
  for (const name of [client, network, inAll]) {
    table.putSync(keyOf(now, name), String(countOf(table, now, name) + 1));
  }
  return null;
}

/** Removes the counts of days before this one (days since 1970), within a transaction. */
export function forgetSignups(table: AccountRows, day: number): void {
  const end = dayText(new Date(day * dayMs));
  for (const key of [...table.getKeys({ end })]) table.removeSync(key);
}

/** No client and no network has this name. */
const inAll = 'all';

function countOf(table: AccountRows, day: Date, name: string): number {
  return Number(table.get(keyOf(day, name)) ?? 0);
}

function keyOf(day: Date, name: string): string {
  return `${dayText(day)} ${name}`;
}

function dayText(day: Date): string {
  return day.toISOString().slice(0, 10);
}
