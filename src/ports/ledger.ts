/**
 * Ledger: the port that counts requests against quotas. Callers are account ids or keyed hashes of client addresses.
 *
 * Each caller has a count for the UTC day and a sliding minute for each of two kinds of request. However many ledgers
 * share one store, no UTC day and no span of 60 seconds ever admits more units than the policy allows.
 */

export const dayMs = 86_400_000;

/** Days from 1970-01-01 UTC to a moment in epoch milliseconds. */
export function dayOf(at: number): number {
  return Math.floor(at / dayMs);
}

/** The length of a burst window. */
export const burstMs = 60_000;

/** Which requests share a burst window: identifier look-ups, or searches with relationships and changes. */
export type BurstWindow = 'lookup' | 'search';

/** Units that a caller may use. */
export interface QuotaPolicy {
  /** In a UTC day. */
  readonly daily: number;
  /** In any 60 seconds, for look-ups. */
  readonly lookup: number;
  /** In any 60 seconds, for searches, relationships and changes. */
  readonly search: number;
}

/** The most units that a request of one window can ever get. */
export function unitsEver(policy: QuotaPolicy, window: BurstWindow): number {
  return Math.min(policy.daily, policy[window]);
}

/** The part of a policy that a refused request exceeds. */
export type ViolatedPolicy = 'daily' | BurstWindow;

/** What a caller has left of the two quotas that apply to a request. */
export interface QuotaState {
  /** When this was read, epoch milliseconds. */
  readonly now: number;
  readonly policy: QuotaPolicy;
  readonly window: BurstWindow;
  readonly dailyLeft: number;
  readonly burstLeft: number;
  /** Epoch milliseconds of the next UTC midnight. */
  readonly dailyReturnsAt: number;
  /** Epoch milliseconds at which some of the window is restored; 60 seconds from now if nothing of it is used. */
  readonly burstReturnsAt: number;
}

export interface Demand {
  readonly caller: string;
  readonly policy: QuotaPolicy;
  readonly window: BurstWindow;
  /** A whole number, at least 1. Taken or refused as a whole. */
  readonly units: number;
  /** Whether the units also count for the day. A bad key costs its client the burst window only. */
  readonly countsForDay: boolean;
  /** False in shadow mode: the units are counted and never refused. */
  readonly refusable: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

export type TakeOutcome =
  | { readonly outcome: 'taken'; readonly quota: QuotaState }
  | {
      readonly outcome: 'refused';
      readonly quota: QuotaState;
      /** Never empty; `daily` first. */
      readonly violatedPolicies: readonly ViolatedPolicy[];
      /**
       * Epoch milliseconds at which the units are available, provided that nothing else is taken. If the policy never
       * allows that many, the moment at which the whole quota is restored.
       */
      readonly returnsAt: number;
    };

export interface Ledger {
  /** Takes the units of a demand, or none. Reads no disk. A shared ledger may answer later, and never rejects. */
  take(demand: Demand): TakeOutcome | Promise<TakeOutcome>;
  /**
   * Refunds units that were taken; call it at most once for a demand. What was taken on a past day stays taken. Returns
   * what is left as far as this node knows; a shared ledger is updated later.
   * @param units at least 1, at most those of the demand; all by default
   */
  giveBack(demand: Demand, units?: number): QuotaState;
  /**
   * Makes changes durable; called each second. Rejects if it can't, and the next call includes what is missing.
   * @param now epoch milliseconds
   */
  save(now: number): Promise<void>;
  /** Callers that it has in memory. */
  size(): number;
  /** Forgets counts of days before this one (days since 1970-01-01 UTC). */
  forgetBefore(day: number): Promise<void>;
}
