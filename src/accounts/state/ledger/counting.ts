/**
 * Counts in the records of one ledger; any number of threads do so at once. The thread that opened the ledger also saves
 * it (local-ledger.ts).
 */
import {
  burstMs,
  type Demand,
  dayMs,
  dayOf,
  type Ledger,
  type QuotaState,
  type TakeOutcome,
  type ViolatedPolicy,
} from '../../../ports/ledger.ts';
import { ledgerLimits } from '../limits.ts';
import type { Journal } from './journal.ts';
import type { ShardRecords } from './records.ts';

export class CountingLedger implements Ledger {
  protected readonly records: ShardRecords;
  protected readonly journal: Journal | null;

  /** @param journal null if changes since the last save may be lost with the process */
  constructor(records: ShardRecords, journal: Journal | null) {
    this.records = records;
    this.journal = journal;
  }

  /** Answers at once. */
  take(demand: Demand): TakeOutcome {
    const { records } = this;
    records.open(demand.caller);
    try {
      const now = this.#arrive(demand.now);
      const refusal = demand.refusable ? this.#refusal(demand, now) : null;
      if (refusal !== null) return refusal;
      if (demand.countsForDay) records.count(demand.window, demand.units);
      records.windows.take(records.window(demand.window), now, demand.units);
      this.#changed(demand);
      return { outcome: 'taken', quota: this.#state(demand, now) };
    } finally {
      records.close();
    }
  }

  giveBack(demand: Demand, units = demand.units): QuotaState {
    const { records } = this;
    records.open(demand.caller);
    try {
      // Use the latest time: an older one rewinds the windows, and what was taken since would count too briefly.
      const now = Math.max(demand.now, records.lastAsked);
      records.turnTo(dayOf(now));
      // Refund nothing after midnight: the charged day and its count are over.
      if (demand.countsForDay && records.day === dayOf(demand.now)) records.count(demand.window, -units);
      records.windows.refund(records.window(demand.window), demand.now, units);
      this.#changed(demand);
      return this.#state(demand, now);
    } finally {
      records.close();
    }
  }

  size(): number {
    return this.records.memory.callers;
  }

  async save(_now: number): Promise<void> {}

  async forgetBefore(_day: number): Promise<void> {}

  /**
   * Moves the open record on to the day of a request. Requests of several threads may be late by the time that a thread
   * waits for a core: a time before the last one counts as the last one, unless the clock was set back.
   * @returns the time that counts
   */
  #arrive(asked: number): number {
    const { records } = this;
    const lateMs = records.lastAsked - asked;
    const now = lateMs > 0 && lateMs <= ledgerLimits.lateMsMax ? records.lastAsked : asked;
    records.turnTo(dayOf(now));
    records.lastAsked = now;
    return now;
  }

  #changed({ window }: Demand): void {
    this.journal?.note(this.records, window);
    this.records.markUnsaved();
  }

  #refusal(demand: Demand, now: number): TakeOutcome | null {
    const { records } = this;
    const { policy, window, units, countsForDay } = demand;
    const dailyOver = countsForDay && records.used + units > policy.daily;
    const burstOver = records.windowUsed(window, now) + units > policy[window];
    if (!dailyOver && !burstOver) return null;
    const quota = this.#state(demand, now);
    const violatedPolicies: ViolatedPolicy[] = [];
    let returnsAt = 0;
    if (dailyOver) {
      violatedPolicies.push('daily');
      returnsAt = quota.dailyReturnsAt;
    }
    if (burstOver) {
      violatedPolicies.push(window);
      const fallsAt = records.windows.fallsTo(records.window(window), policy[window] - units);
      returnsAt = Math.max(returnsAt, fallsAt ?? now + burstMs);
    }
    return { outcome: 'refused', quota, violatedPolicies, returnsAt };
  }

  #state({ policy, window }: Demand, now: number): QuotaState {
    const { records } = this;
    const burstUsed = records.windowUsed(window, now);
    return {
      now,
      policy,
      window,
      dailyLeft: Math.max(0, policy.daily - records.used),
      burstLeft: Math.max(0, policy[window] - burstUsed),
      dailyReturnsAt: (records.day + 1) * dayMs,
      burstReturnsAt: records.windows.returnsAt(records.window(window)) ?? now + burstMs,
    };
  }
}
