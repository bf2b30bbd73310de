/**
 * Keeps what a front admitted while it did not reach the store, until the store has received it: the units of the day,
 * and those of the last minute by the second.
 */
import { type BurstWindow, burstMs, type Demand, dayOf } from '../../../ports/ledger.ts';
import { sharedLimits } from '../limits.ts';
import type { Operation } from './operations.ts';

interface Debt {
  day: number;
  dayUnits: Record<BurstWindow, number>;
  readonly seconds: Second[];
}

interface Second {
  readonly window: BurstWindow;
  at: number;
  units: number;
}

export class OwedOperations {
  readonly #debts = new Map<string, Debt>();
  /** Operations that did not reach the store, unchanged. */
  readonly #missed: Operation[] = [];

  get isEmpty(): boolean {
    return this.#debts.size === 0 && this.#missed.length === 0;
  }

  /** Beyond the bound a caller is not recorded: its units then count on this node only. */
  admitted({ caller, window, units, countsForDay, now }: Demand): void {
    const debt = this.#debts.get(caller) ?? this.#newDebt(caller);
    if (debt === null) return;
    const day = dayOf(now);
    if (debt.day !== day) debt.dayUnits = { lookup: 0, search: 0 };
    debt.day = day;
    if (countsForDay) debt.dayUnits[window] += units;
    const { seconds } = debt;
    while (seconds[0] !== undefined && now - seconds[0].at >= burstMs) seconds.shift();
    const same = secondOf(seconds, window, now);
    if (same === undefined) seconds.push({ window, at: now, units });
    else {
      same.at = Math.max(same.at, now);
      same.units += units;
    }
  }

  /** Undoes {@link admitted}. */
  givenBack({ caller, window, units, countsForDay, now }: Demand): void {
    const debt = this.#debts.get(caller);
    if (debt === undefined) return;
    if (countsForDay && debt.day === dayOf(now)) {
      debt.dayUnits[window] = Math.max(0, debt.dayUnits[window] - units);
    }
    const same = secondOf(debt.seconds, window, now);
    if (same !== undefined) same.units = Math.max(0, same.units - units);
  }

  /**
   * Records refunds and additions that did not reach the store. Beyond the bound refunds are lost, so that too many
   * units count.
   */
  missed(operations: readonly Operation[]): void {
    for (const operation of operations) {
      if (operation.op === 'add' || this.#missed.length < sharedLimits.refundsKept)
        this.#missed.push(operation);
    }
  }

  /**
   * Returns the owed operations, one call's worth at a time, and forgets them.
   * @param aheadMs how far the store's clock is ahead of this node's
   */
  takeOut(now: number, aheadMs: number): Operation[] {
    const operations = this.#missed.splice(0, sharedLimits.operationsPerCall);
    for (const [caller, debt] of this.#debts) {
      if (operations.length >= sharedLimits.operationsPerCall) break;
      this.#debts.delete(caller);
      operations.push(...additions(caller, debt, aheadMs, now));
    }
    return operations;
  }

  #newDebt(caller: string): Debt | null {
    if (this.#debts.size >= sharedLimits.debtorsMax) return null;
    const debt = { day: 0, dayUnits: { lookup: 0, search: 0 }, seconds: [] };
    this.#debts.set(caller, debt);
    return debt;
  }
}

function secondOf(seconds: readonly Second[], window: BurstWindow, now: number): Second | undefined {
  const wanted = Math.floor(now / 1_000);
  return seconds.findLast((each) => each.window === window && Math.floor(each.at / 1_000) === wanted);
}

function* additions(
  caller: string,
  { day, dayUnits, seconds }: Debt,
  aheadMs: number,
  now: number,
): Iterable<Operation> {
  const common = { op: 'add', caller, day, now } as const;
  for (const window of ['lookup', 'search'] as const) {
    if (dayUnits[window] > 0) yield { ...common, window, units: 0, at: 0, dayUnits: dayUnits[window] };
  }
  for (const { window, at, units } of seconds) {
    if (units > 0) yield { ...common, window, units, at: at + aheadMs, dayUnits: 0 };
  }
}
