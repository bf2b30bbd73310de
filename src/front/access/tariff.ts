/** Quotas with their header texts: one tariff for anonymous clients, one for accounts, one per set of own limits. */
import type { Config } from '../../config.ts';
import { piece } from '../../protocol/json-bytes.ts';
import type { AccountLimits } from '../../state/account.ts';
import { AsciiText } from '../ascii-text.ts';
import type { BurstWindow, LimitHeaders } from '../contracts.ts';
import type { Bucket } from './bucket.ts';
import { burstMs, burstSeconds, dayMs, daySeconds } from './limits.ts';

export interface Tariff {
  readonly daily: number;
  readonly lookup: number;
  readonly search: number;
  readonly texts: Readonly<Record<BurstWindow, TariffTexts>>;
  readonly dailyText: string;
}

interface TariffTexts {
  /** The `RateLimit-Policy` header. */
  readonly policy: string;
  /** What stands between what is left of the day and of the burst window in the `RateLimit` header. */
  between(at: Standing, now: number): Uint8Array;
  readonly limit: string;
}

/** The day ends at the same moment for all: its text is made once a second. */
function memoOfSecond(textOf: (seconds: number) => string): TariffTexts['between'] {
  let known = 0;
  let text = piece('');
  return ({ dailyReturnsAt }, now) => {
    const seconds = secondsUntil(dailyReturnsAt, now);
    if (seconds !== known) {
      known = seconds;
      text = piece(textOf(seconds));
    }
    return text;
  };
}

function tariff(daily: number, lookup: number, search: number): Tariff {
  const texts = (window: BurstWindow, limit: number): TariffTexts => ({
    policy: `"daily";q=${daily};w=${daySeconds}, "${window}";q=${limit};w=${burstSeconds}`,
    between: memoOfSecond((seconds) => `;t=${seconds}, "${window}";r=`),
    limit: String(limit),
  });
  return {
    daily,
    lookup,
    search,
    texts: { lookup: texts('lookup', lookup), search: texts('search', search) },
    dailyText: String(daily),
  };
}

export interface Tariffs {
  readonly anonymous: Tariff;
  /** Accounts with the same limits share one tariff. */
  of(own: AccountLimits): Tariff;
}

export function createTariffs(config: Config): Tariffs {
  const known = new Map<string, Tariff>();
  return {
    anonymous: tariff(config.anonymousDaily, config.burstLookup, config.burstSearch),
    of(own) {
      const daily = own.daily ?? config.accountDaily;
      const lookup = own.burstLookup ?? config.burstLookup;
      const search = own.burstSearch ?? config.burstSearch;
      const name = `${daily} ${lookup} ${search}`;
      const found = known.get(name) ?? tariff(daily, lookup, search);
      known.set(name, found);
      return found;
    },
  };
}

/** What is left of the two quotas a request meets, and when some of each comes back. */
export interface Standing {
  readonly dailyLeft: number;
  readonly burstLeft: number;
  /** Epoch ms. */
  readonly dailyReturnsAt: number;
  /** Epoch ms. */
  readonly burstReturnsAt: number;
}

/** Reads a bucket that is of the current day. A window that holds nothing has its whole length to go. */
export function standing(bucket: Bucket, of: Tariff, window: BurstWindow, now: number): Standing {
  const slots = bucket.window(window);
  const burstUsed = slots.used(now);
  return {
    dailyLeft: Math.max(0, of.daily - bucket.used),
    burstLeft: Math.max(0, of[window] - burstUsed),
    dailyReturnsAt: (bucket.day + 1) * dayMs,
    burstReturnsAt: slots.returnsAt() ?? now + burstMs,
  };
}

/** Whole seconds from now, rounded up, at least 1. */
export function secondsUntil(moment: number, now: number): number {
  return Math.max(1, Math.ceil((moment - now) / 1_000));
}

const state = new AsciiText();
const dailyPiece = piece('"daily";r=');
const returnsPiece = piece(';t=');

/** The rate-limit headers of a standing; X-RateLimit-* tell the policy with fewest requests left. */
export function limitHeaders(at: Standing, of: Tariff, window: BurstWindow, now: number): LimitHeaders {
  const texts = of.texts[window];
  const dailyFirst =
    at.dailyLeft < at.burstLeft || (at.dailyLeft === at.burstLeft && at.dailyReturnsAt >= at.burstReturnsAt);
  state.begin().put(dailyPiece).number(at.dailyLeft).put(texts.between(at, now));
  state.number(at.burstLeft).put(returnsPiece).number(secondsUntil(at.burstReturnsAt, now));
  return {
    state: state.toString(),
    policy: texts.policy,
    limit: dailyFirst ? of.dailyText : texts.limit,
    remaining: String(dailyFirst ? at.dailyLeft : at.burstLeft),
    reset: String(Math.ceil((dailyFirst ? at.dailyReturnsAt : at.burstReturnsAt) / 1_000)),
  };
}
