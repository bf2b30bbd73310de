/** Chooses the policy for a caller: one for anonymous clients, one for accounts, one for each set of custom limits. */
import type { Config } from '../../config.ts';
import type { AccountLimits } from '../../ports/account-directory.ts';
import type { QuotaPolicy } from '../../ports/ledger.ts';

export interface Tariffs {
  readonly anonymous: QuotaPolicy;
  /** Accounts with the same limits share one object, and therefore the header texts made from it. */
  of(own: AccountLimits): QuotaPolicy;
}

export function createTariffs(config: Config): Tariffs {
  const known = new Map<string, QuotaPolicy>();
  return {
    anonymous: { daily: config.anonymousDaily, lookup: config.burstLookup, search: config.burstSearch },
    of(own) {
      const daily = own.daily ?? config.accountDaily;
      const lookup = own.burstLookup ?? config.burstLookup;
      const search = own.burstSearch ?? config.burstSearch;
      const name = `${daily} ${lookup} ${search}`;
      const policy = known.get(name) ?? { daily, lookup, search };
      known.set(name, policy);
      return policy;
    },
  };
}
