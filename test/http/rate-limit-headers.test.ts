import { describe, expect, test } from 'bun:test';
import { parseList } from 'structured-headers';
import { type LimitHeaders, limitHeaders, secondsUntil } from '../../src/http/headers.ts';
import type { QuotaState } from '../../src/ports/ledger.ts';

const second = 1_000;
const noon = Date.UTC(2026, 10, 21, 12);
const midnight = noon + 12 * 3_600 * second;
const quota: QuotaState = {
  now: noon,
  policy: { daily: 100, lookup: 300, search: 60 },
  window: 'lookup',
  dailyLeft: 99,
  burstLeft: 299,
  dailyReturnsAt: midnight,
  burstReturnsAt: noon + 60 * second,
};

/** The two lists, read by an independent parser of structured fields. */
function parsed(headers: LimitHeaders) {
  const read = (text: string) =>
    Object.fromEntries(parseList(text).map(([name, parameters]) => [name, Object.fromEntries(parameters)]));
  return { state: read(headers.RateLimit), policy: read(headers['RateLimit-Policy']) };
}

describe('the rate-limit headers', () => {
  test('name both quotas, and the one with fewest requests left in X-RateLimit', () => {
    expect(limitHeaders(quota)).toEqual({
      RateLimit: '"daily";r=99;t=43200, "lookup";r=299;t=60',
      'RateLimit-Policy': '"daily";q=100;w=86400, "lookup";q=300;w=60',
      'X-RateLimit-Limit': '100',
      'X-RateLimit-Remaining': '99',
      'X-RateLimit-Reset': String(midnight / second),
    });
    expect(limitHeaders({ ...quota, window: 'search', burstLeft: 59 })).toEqual({
      RateLimit: '"daily";r=99;t=43200, "search";r=59;t=60',
      'RateLimit-Policy': '"daily";q=100;w=86400, "search";q=60;w=60',
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': '59',
      'X-RateLimit-Reset': String(noon / second + 60),
    });
  });

  test('name the quota that is restored later in X-RateLimit if both have equally many left', () => {
    const even = { ...quota, burstLeft: 99 };
    expect(limitHeaders(even)).toMatchObject({
      'X-RateLimit-Limit': '100',
      'X-RateLimit-Reset': String(midnight / second),
    });
    const lateInTheDay = { ...even, now: midnight - 10 * second, burstReturnsAt: midnight + 50 * second };
    expect(limitHeaders(lateInTheDay)).toMatchObject({
      'X-RateLimit-Limit': '300',
      'X-RateLimit-Reset': String(midnight / second + 50),
    });
  });

  test('round seconds up, so that a retry succeeds, and never say 0', () => {
    const now = midnight - 1;
    const headers = limitHeaders({ ...quota, now, burstLeft: 1, burstReturnsAt: now + 10_500 });
    expect(headers.RateLimit).toBe('"daily";r=99;t=1, "lookup";r=1;t=11');
    expect(headers['X-RateLimit-Reset']).toBe(String(midnight / second + 11));
    expect(secondsUntil(noon - 5 * second, quota)).toBe(1);
  });

  test('are read by an independent parser of structured fields', () => {
    expect(parsed(limitHeaders(quota))).toEqual({
      state: { daily: { r: 99, t: 43_200 }, lookup: { r: 299, t: 60 } },
      policy: { daily: { q: 100, w: 86_400 }, lookup: { q: 300, w: 60 } },
    });
  });

  test('of policies that differ in one quota only are not mixed up', () => {
    const policies = [
      { daily: 20, lookup: 20, search: 20 },
      { daily: 10, lookup: 20, search: 20 },
      { daily: 20, lookup: 10, search: 20 },
      { daily: 20, lookup: 20, search: 10 },
    ];
    const texts = policies.flatMap((policy) =>
      (['lookup', 'search'] as const).map(
        (window) => limitHeaders({ ...quota, policy, window })['RateLimit-Policy'],
      ),
    );
    expect(texts).toEqual([
      '"daily";q=20;w=86400, "lookup";q=20;w=60',
      '"daily";q=20;w=86400, "search";q=20;w=60',
      '"daily";q=10;w=86400, "lookup";q=20;w=60',
      '"daily";q=10;w=86400, "search";q=20;w=60',
      '"daily";q=20;w=86400, "lookup";q=10;w=60',
      '"daily";q=20;w=86400, "search";q=20;w=60',
      '"daily";q=20;w=86400, "lookup";q=20;w=60',
      '"daily";q=20;w=86400, "search";q=10;w=60',
    ]);
  });
});
