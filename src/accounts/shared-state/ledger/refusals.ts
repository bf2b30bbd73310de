/**
 * Remembers callers that the store has just refused. Until their units are restored, or for a second, one that asks for
 * as much again is refused without asking the store. After that a refund by another node, or a raised limit, is
 * noticed.
 */
import type { Demand, TakeOutcome } from '../../../ports/ledger.ts';
import { sharedLimits } from '../limits.ts';

type RefusedTaking = Extract<TakeOutcome, { outcome: 'refused' }>;

interface KnownRefusal {
  readonly demand: Demand;
  readonly refusal: RefusedTaking;
}

export class Refusals {
  readonly #known = { lookup: new Map<string, KnownRefusal>(), search: new Map<string, KnownRefusal>() };

  note(demand: Demand, refusal: RefusedTaking): void {
    const known = this.#known[demand.window];
    if (known.size >= sharedLimits.refusalsKept) known.clear();
    known.set(demand.caller, { demand, refusal });
  }

  /** When units of this caller may be restored. */
  forget({ window, caller }: Demand): void {
    this.#known[window].delete(caller);
  }

  /** @param now epoch ms by the store's clock */
  of(demand: Demand, now: number): RefusedTaking | null {
    const known = this.#known[demand.window].get(demand.caller);
    if (known === undefined || !demand.refusable) return null;
    const { quota, returnsAt } = known.refusal;
    const over = now < quota.now || now >= Math.min(returnsAt, quota.now + sharedLimits.refusalKeptMs);
    if (over || !asksAsMuch(demand, known.demand)) return null;
    // The window's own time of return may have passed while the day's quota is still used up.
    const burstReturnsAt = Math.max(quota.burstReturnsAt, now);
    return { ...known.refusal, quota: { ...quota, now, burstReturnsAt } };
  }
}

function asksAsMuch(demand: Demand, refused: Demand): boolean {
  const { policy, window } = demand;
  return (
    demand.units >= refused.units &&
    demand.countsForDay === refused.countsForDay &&
    policy.daily === refused.policy.daily &&
    policy[window] === refused.policy[window]
  );
}
