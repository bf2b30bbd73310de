/** Counts the attempts on the sign-up page: by client and UTC day, and in all. */
import { type Environment, type TextTable, textTable } from '../lmdb.ts';
import type { SignupRefusal } from '../ports/account-directory.ts';
import { stateLimits } from './limits.ts';

export function openSignupCounts(environment: Environment): TextTable {
  return textTable(environment, 'signups', 'string');
}

/**
 * Counts one attempt, within the transaction that makes the account. Attempts that fail for a taken address count
 * too, so that trying addresses does not tell who has an account.
 */
export function countSignup(table: TextTable, client: string, now: Date): SignupRefusal | null {
  const day = now.toISOString().slice(0, 10);
  const mine = `${day} ${client}`;
  const all = `${day} all`;
  const byClient = Number(table.get(mine) ?? 0);
  const today = Number(table.get(all) ?? 0);
  if (byClient >= stateLimits.signupsPerClientAndDayMax) return 'client-limit';
  if (today >= stateLimits.signupsPerDayMax) return 'daily-limit';
  table.putSync(mine, String(byClient + 1));
  table.putSync(all, String(today + 1));
  return null;
}

/** Removes the counts of days before this one (days since 1970), within a transaction. */
export function forgetSignups(table: TextTable, day: number): void {
  const end = new Date(day * 86_400_000).toISOString().slice(0, 10);
  for (const key of [...table.getKeys({ end })]) table.removeSync(key);
}
