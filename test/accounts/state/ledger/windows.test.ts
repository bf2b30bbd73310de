import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { LedgerMemory, ledgerMemory } from '../../../../src/accounts/state/ledger/memory.ts';
import { type KeptSecond, Windows, windowWords } from '../../../../src/accounts/state/ledger/windows.ts';

const minute = 60_000;
/** An odd millisecond, so that seconds do not start where spans do. */
const start = Date.UTC(2026, 10, 21, 12, 0, 0) + 437;

/** A window in its own shard memory. */
class SlidingWindow {
  readonly #memory = new LedgerMemory(ledgerMemory(), 0);
  readonly #windows = new Windows(this.#memory);
  readonly #at = this.#roomForWindow();

  static from(seconds: readonly KeptSecond[]): SlidingWindow {
    const window = new SlidingWindow();
    window.#windows.fill(window.#at, seconds);
    return window;
  }

  #roomForWindow(): number {
    this.#memory.lock(this.#memory.shardAt(0));
    return this.#memory.take(windowWords);
  }

  used = (now: number) => this.#windows.used(this.#at, now);
  take = (now: number, units: number) => this.#windows.take(this.#at, now, units);
  refund = (takenAt: number, units: number) => this.#windows.refund(this.#at, takenAt, units);
  returnsAt = () => this.#windows.returnsAt(this.#at);
  seconds = () => [...this.#windows.seconds(this.#at)];
}

/** Arrival times as from a client: bunched, spread, or exactly on the bounds of seconds and windows. */
const gaps = fc.array(
  fc.oneof(
    fc.integer({ min: 0, max: 40 }),
    fc.integer({ min: 0, max: 5_000 }),
    fc.constantFrom(0, 1, 437, 563, 999, 1_000, 1_001, 59_999, 60_000, 60_001),
  ),
  { minLength: 1, maxLength: 150, size: 'max' },
);

/** Admits while there is room, as access does; returns the times of the admitted requests. */
function admitAll(limit: number, arrivals: readonly number[]): readonly number[] {
  const window = new SlidingWindow();
  return arrivals.filter((now) => {
    if (window.used(now) >= limit) return false;
    window.take(now, 1);
    return true;
  });
}

function timesOf(between: readonly number[]): readonly number[] {
  let now = start;
  return between.map((gap) => {
    now += gap;
    return now;
  });
}

/** The most admissions in any half-open span of a minute; one that begins at an admission has the most. */
function busiestMinute(admitted: readonly number[]): number {
  return Math.max(
    0,
    ...admitted.map((first) => admitted.filter((time) => time >= first && time < first + minute).length),
  );
}

describe('a sliding window', () => {
  test('never admits more than the limit in any span of 60 seconds, whenever requests arrive', () => {
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 20 }), (between, limit) => {
        expect(busiestMinute(admitAll(limit, timesOf(between)))).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 400 },
    );
  });

  test('never refuses a client that stayed below the limit in the minute and second before', () => {
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 20 }), (between, limit) => {
        const arrivals = timesOf(between);
        const admitted = new Set(admitAll(limit, arrivals));
        for (const now of arrivals) {
          const recent = arrivals.filter(
            (time) => admitted.has(time) && time > now - minute - 1_000 && time <= now,
          );
          expect(admitted.has(now) || recent.length >= limit).toBe(true);
        }
      }),
    );
  });

  test('delays a client by 60 seconds at most, and says exactly how long', () => {
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 20 }), (between, limit) => {
        const window = new SlidingWindow();
        for (const now of timesOf(between)) {
          if (window.used(now) < limit) {
            window.take(now, 1);
            continue;
          }
          const returnsAt = window.returnsAt() ?? Number.NaN;
          expect(returnsAt).toBeGreaterThan(now);
          expect(returnsAt).toBeLessThanOrEqual(now + minute);
          const again = SlidingWindow.from(window.seconds());
          expect(again.used(returnsAt - 1)).toBe(window.used(now));
          expect(again.used(returnsAt)).toBeLessThan(limit);
        }
      }),
    );
  });

  test('frees nothing after the clock is set back, and does not freeze while the clock catches up', () => {
    const window = new SlidingWindow();
    for (let i = 0; i < 5; i++) window.take(start + i * 10_000, 1);
    const earlier = start - 3_600_000;
    expect(window.used(earlier)).toBe(5);
    expect(window.used(earlier + 19_999)).toBe(5);
    expect(window.used(earlier + 20_000)).toBe(4);
    expect(window.used(earlier + 60_000)).toBe(0);
  });

  test('frees nothing however often the clock is set back', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -100_000, max: 400 }), { maxLength: 50, size: 'max' }),
        (steps) => {
          const window = new SlidingWindow();
          let now = start;
          let forward = 0;
          for (const step of steps) {
            now += step;
            forward += Math.max(0, step);
            window.used(now);
            window.take(now, 1);
          }
          // All steps forward together are under a minute: nothing may be restored yet.
          expect(forward).toBeLessThan(minute);
          expect(window.used(now)).toBe(steps.length);
        },
      ),
    );
  });

  test('refunds units to the second that they were taken in', () => {
    const window = new SlidingWindow();
    window.take(start, 1);
    window.take(start + 5_000, 1);
    window.take(start + 5_100, 1);
    window.refund(start, 1);
    expect(window.used(start + 6_000)).toBe(2);
    expect(window.returnsAt()).toBe(start + 5_100 + minute);
    window.refund(start + 5_000, 1);
    window.refund(start + 5_000, 1);
    window.refund(start + 5_000, 1);
    expect(window.used(start + 6_000)).toBe(0);
    expect(window.returnsAt()).toBeNull();
    window.take(start + 6_000, 1);
    expect(window.used(start + 6_000)).toBe(1);
  });

  test('refunds units of an expired second to the oldest second instead', () => {
    const window = new SlidingWindow();
    for (const later of [0, 1, 5_000, 5_001, 5_002]) window.take(start + later, 1);
    window.refund(start - 2 * minute, 1);
    expect(window.used(start + 6_000)).toBe(4);
    expect(window.used(start + 1 + minute)).toBe(3);
  });

  test('stores at most one pair per second, however many requests arrive', () => {
    const window = new SlidingWindow();
    for (let now = start; now < start + 300_000; now += 7) {
      window.used(now);
      window.take(now, 1);
    }
    expect(window.seconds().length).toBeLessThanOrEqual(61);
  });
});
