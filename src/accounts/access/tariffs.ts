/**
 * Chooses the policy for a caller: one for anonymous clients, one for pages, one for accounts, one for each set of
 * custom limits.
 */
import type { Config } from '../../config.ts';
import { type AccountLimits, type ServiceLimits, serviceLimitNames } from '../../ports/account-directory.ts';
import type { QuotaPolicy } from '../../ports/ledger.ts';

export interface Tariffs {
  readonly anonymous: QuotaPolicy;
  /** Of one client of the pages, whose units all count as searches. */
  readonly pages: QuotaPolicy;
  /** Accounts with the same limits share one object, and therefore the header texts made from it. */
  of(own: AccountLimits): QuotaPolicy;
  /** Makes every policy anew, because the limits in the settings have changed. */
  renew(): void;
}

export function createTariffs(config: Config): Tariffs {
  const known = new Map<string, QuotaPolicy>();
  const common = (): Pick<Tariffs, 'anonymous' | 'pages'> => ({
    anonymous: { daily: config.anonymousDaily, lookup: config.burstLookup, search: config.burstSearch },
    pages: { daily: config.pagesDaily, lookup: 0, search: config.pagesBurst },
  });
  let current = common();
  return {
    get anonymous() {
      return current.anonymous;
    },
    get pages() {
      return current.pages;
    },
    of(own) {
      const daily = own.daily ?? config.accountDaily;
      const lookup = own.burstLookup ?? config.burstLookup;
      const search = own.burstSearch ?? config.burstSearch;
      const name = `${daily} ${lookup} ${search}`;
      const policy = known.get(name) ?? { daily, lookup, search };
      known.set(name, policy);
      return policy;
    },
    renew() {
      known.clear();
      current = common();
    },
  };
}

interface LiveSettings {
  /** Always holds the current limits; read them when they are needed. */
  readonly config: Config;
  /** Applies the changed limits; all others are the configured ones again. @returns whether this changes any */
  adopt(limits: ServiceLimits): boolean;
}

export function liveSettings(configured: Config): LiveSettings {
  const config = { ...configured };
  return {
    config,
    adopt(limits) {
      const next = { ...configured, ...limits };
      const isChange = serviceLimitNames.some((name) => next[name] !== config[name]);
      Object.assign(config, next);
      return isChange;
    },
  };
}
