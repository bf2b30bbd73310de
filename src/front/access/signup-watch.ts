/** Warns the operator before the sign-ups of a day run out: once at each level, and again on the next day. */
import type { AccountDirectory } from '../../ports/account-directory.ts';
import { dayOf } from '../../ports/ledger.ts';
import type { Log } from '../log.ts';

/** Shares of LEI_SIGNUP_DAILY, with the message when each is reached. */
const levels: readonly (readonly [share: number, message: string])[] = [
  [0.5, "Half of today's sign-ups are used: until midnight UTC each network gets only one account."],
  [0.9, "Nine tenths of today's sign-ups are used."],
  [1, "All of today's sign-ups are used: the sign-up page makes no account until midnight UTC."],
];

interface Parts {
  readonly accounts: Pick<AccountDirectory, 'signupsOn'>;
  /** Total sign-ups of a day. */
  readonly inAll: number;
  readonly log: Pick<Log, 'warn'>;
}

/** @returns a function that checks the day's sign-ups; call it now and then with epoch milliseconds */
export function signupWatch({ accounts, inAll, log }: Parts): (now: number) => void {
  let day = Number.NaN;
  let told = 0;
  return (now) => {
    const today = dayOf(now);
    if (today !== day) told = 0;
    day = today;
    const signups = accounts.signupsOn(new Date(now));
    for (const [, message] of levels.slice(told).filter(([share]) => signups >= share * inAll)) {
      told++;
      log.warn(`${message} LEI_SIGNUP_DAILY sets the limit.`, { signups, limit: inAll });
    }
  };
}
