/**
 * Limits the page visits of a client in any 60 seconds. They are counted in the ledger of all fronts, under names that
 * no caller of the API has, so pages never use up a quota of the API.
 */
import type { Config } from '../../config.ts';
import type { Demand, Ledger, QuotaPolicy, Taking } from '../../ports/ledger.ts';
import type { PageAdmission } from '../contracts.ts';

/** @param client keyed hash of the client's address */
type PageBuckets = (client: string, now: number) => PageAdmission | Promise<PageAdmission>;

export function createPageBuckets(
  { pagesBurst, limitsMode }: Pick<Config, 'pagesBurst' | 'limitsMode'>,
  ledger: Ledger,
): PageBuckets {
  const policy: QuotaPolicy = { daily: 0, lookup: 0, search: pagesBurst };
  const refusable = limitsMode === 'enforce';
  return (client, now) => {
    const caller = `page:${client}`;
    if (limitsMode === 'off') return { outcome: 'admitted', caller, refund: () => {} };
    const demand: Demand = {
      caller,
      policy,
      window: 'search',
      units: 1,
      countsForDay: false,
      refusable,
      now,
    };
    const taking = ledger.take(demand);
    if (taking instanceof Promise) return taking.then((later) => admission(ledger, demand, later));
    return admission(ledger, demand, taking);
  };
}

function admission(ledger: Ledger, demand: Demand, taking: Taking): PageAdmission {
  const { caller } = demand;
  if (taking.outcome === 'refused') {
    return { outcome: 'exhausted', caller, quota: taking.quota, returnsAt: taking.returnsAt };
  }
  return { outcome: 'admitted', caller, refund: () => void ledger.giveBack(demand) };
}
