/** The work of access once a second, beside the requests: follow changes, save counts, forget. */
import type { AccountDirectory } from '../../ports/account-directory.ts';
import { dayMs, type Ledger } from '../../ports/ledger.ts';
import { stateLimits } from '../../state/limits.ts';
import type { Log } from '../log.ts';
import type { KeyRing } from './key-ring.ts';
import { accessLimits } from './limits.ts';

export interface Housekeeping {
  /** One round. Never rejects: failures are logged and tried again in the next round. */
  tick(now: number): Promise<void>;
  /** Ticks every second from now on. */
  start(): void;
  /** Stops ticking and saves a last time; takes epoch ms where the clock is the caller's. */
  stop(now?: number): Promise<void>;
}

interface Parts {
  readonly ring: KeyRing;
  readonly ledger: Ledger;
  readonly accounts: AccountDirectory;
  readonly log: Pick<Log, 'info' | 'error'>;
}

export function createHousekeeping({ ring, ledger, accounts, log }: Parts): Housekeeping {
  let timer: ReturnType<typeof setInterval> | null = null;
  let ticks = 0;
  let failures = 0;
  let round: Promise<void> | null = null;

  const attempt = async (what: string, step: () => unknown) => {
    try {
      await step();
      return true;
    } catch (error) {
      if (failures % accessLimits.failureLoggedEveryTicks === 0) {
        log.error(`${what} failed; it is tried again every second, and no request fails for it.`, { error });
      }
      return false;
    }
  };
  /** Client hashes are kept for today and yesterday only. */
  const forget = async (now: number) => {
    const before = Math.floor(now / dayMs) - stateLimits.counterDaysKept + 1;
    await ledger.forgetBefore(before);
    await accounts.forgetSignupsBefore(before);
  };
  const work = async (now: number) => {
    const followed = await attempt('Reading the accounts', ring.refresh);
    const saved = await attempt('Saving the quota counts', () => ledger.save(now));
    const noted = await attempt('Noting the use of keys', ring.saveUses);
    if (ticks % accessLimits.forgetEveryTicks === accessLimits.forgetFirstTick) {
      await attempt('Forgetting the counts of past days', () => forget(now));
    }
    ticks++;
    if (followed && saved && noted) {
      if (failures > 0) log.info('The state is read and written again.', { roundsFailed: failures });
      failures = 0;
    } else {
      failures++;
    }
  };
  const tick = (now: number): Promise<void> => {
    // A slow disk must not pile rounds up: callers wait for the round that runs.
    round ??= work(now).finally(() => {
      round = null;
    });
    return round;
  };
  return {
    tick,
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
