/**
 * Writes the values of the rate-limit headers from what a caller has left. This runs for every request, so texts that
 * depend on the policy alone are made once per policy, and the time to the end of the day once a second.
 */

import { type BurstWindow, burstMs, dayMs, type QuotaPolicy, type QuotaState } from '../../ports/ledger.ts';
import { AsciiText } from '../ascii-text.ts';

export interface LimitHeaders {
  readonly RateLimit: string;
  readonly 'RateLimit-Policy': string;
  readonly 'X-RateLimit-Limit': string;
  readonly 'X-RateLimit-Remaining': string;
  readonly 'X-RateLimit-Reset': string;
}

/** Texts of a policy for one burst window. */
interface PolicyTexts {
  readonly policy: string;
  /** The part of `RateLimit` between the rest of the day and the rest of the window. */
  between(dailySeconds: number): Uint8Array;
  readonly daily: string;
  readonly burst: string;
}

function policyTexts(policy: QuotaPolicy, window: BurstWindow): PolicyTexts {
  const { daily, [window]: burst } = policy;
  let known = 0;
  let text = Buffer.from('');
  return {
    policy: `"daily";q=${daily};w=${dayMs / 1_000}, "${window}";q=${burst};w=${burstMs / 1_000}`,
    between(dailySeconds) {
      if (dailySeconds !== known) text = Buffer.from(`;t=${dailySeconds}, "${window}";r=`);
      known = dailySeconds;
      return text;
    },
    daily: String(daily),
    burst: String(burst),
  };
}

/** By the policy object, which callers with the same limits share. */
const textsByPolicy = new WeakMap<QuotaPolicy, Readonly<Record<BurstWindow, PolicyTexts>>>();

function textsOf({ policy, window }: QuotaState): PolicyTexts {
  let texts = textsByPolicy.get(policy);
  if (texts === undefined) {
    texts = { lookup: policyTexts(policy, 'lookup'), search: policyTexts(policy, 'search') };
    textsByPolicy.set(policy, texts);
  }
  return texts[window];
}

/** Whole seconds from the reading of the quota until a moment, rounded up, at least 1. */
export function secondsUntil(moment: number, { now }: QuotaState): number {
  return Math.max(1, Math.ceil((moment - now) / 1_000));
}

const state = new AsciiText();
const dailyPiece = Buffer.from('"daily";r=');
const returnsPiece = Buffer.from(';t=');

/** X-RateLimit-* show the quota with the fewest units left; of two with equally many, the one that resets later. */
export function limitHeaders(quota: QuotaState): LimitHeaders {
  const { dailyLeft, burstLeft, dailyReturnsAt, burstReturnsAt } = quota;
  const texts = textsOf(quota);
  const dailyFirst = dailyLeft < burstLeft || (dailyLeft === burstLeft && dailyReturnsAt >= burstReturnsAt);
  state
    .begin()
    .put(dailyPiece)
    .number(dailyLeft)
    .put(texts.between(secondsUntil(dailyReturnsAt, quota)));
  state.number(burstLeft).put(returnsPiece).number(secondsUntil(burstReturnsAt, quota));
  return {
    RateLimit: state.toString(),
    'RateLimit-Policy': texts.policy,
    'X-RateLimit-Limit': dailyFirst ? texts.daily : texts.burst,
    'X-RateLimit-Remaining': String(dailyFirst ? dailyLeft : burstLeft),
    'X-RateLimit-Reset': String(Math.ceil((dailyFirst ? dailyReturnsAt : burstReturnsAt) / 1_000)),
  };
}
