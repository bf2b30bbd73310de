/** Maintains the state once a second, beside the requests: follows changes, saves counts, deletes past days. */
import type { AccountFeed } from '../accounts/access/account-feed.ts';
import type { KeyUses } from '../accounts/access/key-ring.ts';
import { accessLimits } from '../accounts/access/limits.ts';
import { ExpectedFailure } from '../errors.ts';
import type { Log } from '../log/log.ts';
import type { AccountDirectory } from '../ports/account-directory.ts';
import { dayOf, type Ledger } from '../ports/ledger.ts';
import type { Sessions } from '../ports/sessions.ts';
import { type UsageHistory, usageDays } from '../ports/state.ts';

export interface Housekeeping {
  /** One round. Never rejects: failures are logged and tried again in the next round. */
  tick(now: number): Promise<void>;
  /** When the counts were last saved, epoch milliseconds; null before the first time. */
  savedAt(): number | null;
  /** Ticks every second from now on. */
  start(): void;
  /** Stops ticking and saves a last time; takes epoch ms if the caller controls the clock. */
  stop(now?: number): Promise<void>;
}

interface HousekeepingParts {
  readonly accounts: AccountDirectory;
  readonly ledger: Pick<Ledger, 'save' | 'forgetBefore'>;
  readonly usage: Pick<UsageHistory, 'forgetBefore'>;
  readonly sessions: Pick<Sessions, 'forgetEnded'>;
  readonly feed: AccountFeed;
  readonly uses: KeyUses;
  /** Total sign-ups of a day. */
  readonly signupsInAll: number;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

export function createHousekeeping(parts: HousekeepingParts): Housekeeping {
  const { accounts, ledger, feed, uses, log } = parts;
  const watchSignups = signupWatch(parts);
  let timer: ReturnType<typeof setInterval> | null = null;
  let ticks = 0;
  let failures = 0;
  let savedAt: number | null = null;
  let round: Promise<void> | null = null;

  /** @param again when it is tried again */
  const attempt = async (what: string, step: () => unknown, again = 'every second') => {
    try {
      await step();
      return true;
    } catch (error) {
      if (failures % accessLimits.failureLoggedEveryTicks === 0) {
        const message = `${what} failed. The service tries again ${again}, and no request fails because of it.`;
        // A shared state that is away is told once (shared-state), and is no bug.
        if (error instanceof ExpectedFailure) log.warn(message, { reason: error.message });
        else log.error(message, { error });
      }
      return false;
    }
  };
  const work = async (now: number) => {
    const followed = await attempt('Reading the accounts', () => {
      feed.refresh();
      watchSignups(now);
    });
    const saved = await attempt('Saving the quota counts', () => ledger.save(now));
    if (saved) savedAt = now;
    const noted = await attempt('Noting the use of keys', () => uses.save(accounts));
    if (ticks % accessLimits.forgetEveryTicks === accessLimits.forgetFirstTick) {
      await attempt('Forgetting past days and sessions', () => forgetPastDays(parts, now), 'within an hour');
    }
    ticks++;
    if (followed && saved && noted) {
      if (failures > 0) log.info('The state can be read and written again.', { roundsFailed: failures });
      failures = 0;
    } else {
      failures++;
    }
  };
  const tick = (now: number): Promise<void> => {
    // A caller waits for the current round, so that rounds do not pile up on a slow disk.
    round ??= work(now).finally(() => {
      round = null;
    });
    return round;
  };
  return {
    tick,
    savedAt: () => savedAt,
    start() {
      timer ??= setInterval(() => void tick(Date.now()), accessLimits.saveEveryMs);
    },
    async stop(now = Date.now()) {
      if (timer !== null) clearInterval(timer);
      timer = null;
      await round;
      await tick(now);
    },
  };
}

async function forgetPastDays(
  { ledger, usage, sessions, accounts }: HousekeepingParts,
  now: number,
): Promise<void> {
  const tomorrow = dayOf(now) + 1;
  await ledger.forgetBefore(tomorrow - accessLimits.countDaysKept);
  await usage.forgetBefore(tomorrow - usageDays);
  await accounts.forgetSignupsBefore(tomorrow - accessLimits.countDaysKept);
  await sessions.forgetEnded(now);
  await accounts.eraseDeleted();
}

/** Shares of LEI_SIGNUP_DAILY, with the message when each is reached. */
const signupLevels: readonly (readonly [share: number, message: string])[] = [
  [0.5, "Half of today's sign-ups are used: until midnight UTC each network gets only one account."],
  [0.9, "Nine tenths of today's sign-ups are used."],
  [1, "All of today's sign-ups are used: the sign-up page makes no account until midnight UTC."],
];

/**
 * Warns the operator before the sign-ups of a day run out: once at each level, and again on the next day.
 * @returns a function that checks the day's sign-ups; call it now and then with epoch milliseconds
 */
function signupWatch({ accounts, signupsInAll, log }: HousekeepingParts): (now: number) => void {
  let day = Number.NaN;
  let told = 0;
  return (now) => {
    const today = dayOf(now);
    if (today !== day) told = 0;
    day = today;
    const signups = accounts.signupsOn(new Date(now));
    for (const [, message] of signupLevels.slice(told).filter(([share]) => signups >= share * signupsInAll)) {
      told++;
      log.warn(`${message} LEI_SIGNUP_DAILY sets the limit.`, { signups, limit: signupsInAll });
    }
  };
}
