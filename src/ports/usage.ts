/**
 * UsageHistory: the port that returns how many units an account has used on each of the last days. They are what the
 * ledger has taken and not refunded, without refused requests and bad keys.
 */
import type { BurstWindow } from './ledger.ts';

/** Days that are stored, today included. */
export const usageDays = 30;

/** Units of one UTC day, by the kind that they were charged as. */
export interface DayUsage extends Readonly<Record<BurstWindow, number>> {
  /** Days since 1970-01-01 UTC. */
  readonly day: number;
}

/** Only accounts have a history of usage. */
export function isAccount(caller: string): boolean {
  return caller.startsWith('acc_');
}

export interface UsageHistory {
  /**
   * The last {@link usageDays} days on which the account has used something, earliest first.
   * @param today days since 1970-01-01 UTC
   */
  of(accountId: string, today: number): Promise<readonly DayUsage[]>;
  /** Forgets days before this one (days since 1970-01-01 UTC). */
  forgetBefore(day: number): Promise<void>;
}
