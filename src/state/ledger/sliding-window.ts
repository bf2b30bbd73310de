/**
 * A sliding window of 60 seconds that counts by the second. A second remembers its *last* arrival and counts until that
 * one is 60 seconds old: its other arrivals count a little longer than they need, never shorter. So no half-open span of
 * 60 seconds, wherever it begins, holds more units than the limit, and a client never waits longer than 60 seconds.
 *
 *     second    12:00:00          12:00:01
 *     arrivals  .100  .250  .900  .400
 *     expires   12:01:00.900      12:01:01.400
 */
import { burstMs } from '../../ports/ledger.ts';

const secondMs = 1_000;

export class SlidingWindow {
  /** Pairs of last arrival (epoch ms) and units, oldest first; at most 61 pairs. */
  #seconds: number[] = [];
  #total = 0;

  /** Units that count at this moment. Drops the seconds that are over. */
  used(now: number): number {
    const seconds = this.#seconds;
    if (seconds.length === 0) return 0;
    this.#followClockBack(now);
    let over = 0;
    while (over < seconds.length && now - (seconds[over] ?? 0) >= burstMs) {
      this.#total -= seconds[over + 1] ?? 0;
      over += 2;
    }
    if (over > 0) seconds.splice(0, over);
    return this.#total;
  }

  take(now: number, units: number): void {
    const seconds = this.#seconds;
    this.#followClockBack(now);
    const newest = seconds.length - 2;
    if (newest >= 0 && secondOf(seconds[newest] ?? 0) === secondOf(now)) {
      seconds[newest] = now;
      seconds[newest + 1] = (seconds[newest + 1] ?? 0) + units;
    } else {
      seconds.push(now, units);
    }
    this.#total += units;
  }

  /**
   * Refunds units taken at that moment. Where their second is gone, the oldest one is reduced: the rest then counts
   * longer, never shorter.
   */
  refund(takenAt: number, units: number): void {
    const seconds = this.#seconds;
    for (let left = units; left > 0 && seconds.length > 0; ) {
      const at = this.#secondOrOldest(takenAt);
      const counted = seconds[at + 1] ?? 0;
      const given = Math.min(left, counted);
      if (given < counted) seconds[at + 1] = counted - given;
      else seconds.splice(at, 2);
      this.#total -= given;
      left -= given;
    }
  }

  /** When some of it comes back, epoch ms; null while nothing is used. Right after `used` only. */
  returnsAt(): number | null {
    const oldest = this.#seconds[0];
    return oldest === undefined ? null : oldest + burstMs;
  }

  /**
   * When no more than so many units count, if no further ones are taken; epoch ms. Where that is less than nothing: when
   * none count. Null while nothing is used. Right after `used` only.
   */
  fallsTo(units: number): number | null {
    const seconds = this.#seconds;
    let total = this.#total;
    let at = 0;
    while (at + 2 < seconds.length && total - (seconds[at + 1] ?? 0) > units) {
      total -= seconds[at + 1] ?? 0;
      at += 2;
    }
    const last = seconds[at];
    return last === undefined ? null : last + burstMs;
  }

  /** Units that counted when `used` was last asked for, or have been taken since. */
  total(): number {
    return this.#total;
  }

  /** The last arrival, epoch ms; 0 while nothing is used. */
  lastAt(): number {
    return this.#seconds[this.#seconds.length - 2] ?? 0;
  }

  /** Pairs of last arrival and units, oldest first, for keeping. */
  seconds(): readonly number[] {
    return this.#seconds;
  }

  static from(seconds: readonly number[]): SlidingWindow {
    const window = new SlidingWindow();
    window.#seconds = [...seconds];
    for (let at = 1; at < seconds.length; at += 2) window.#total += seconds[at] ?? 0;
    return window;
  }

  /** Index of the second in which something was taken, else of the oldest. */
  #secondOrOldest(takenAt: number): number {
    let at = this.#seconds.length - 2;
    while (at > 0 && secondOf(this.#seconds[at] ?? 0) !== secondOf(takenAt)) at -= 2;
    return at;
  }

  /** A clock that is put back must not free anything, nor freeze the window until it has caught up. */
  #followClockBack(now: number): void {
    const seconds = this.#seconds;
    const ahead = (seconds[seconds.length - 2] ?? now) - now;
    if (ahead <= 0) return;
    for (let at = 0; at < seconds.length; at += 2) seconds[at] = (seconds[at] ?? 0) - ahead;
  }
}

function secondOf(time: number): number {
  return Math.floor(time / secondMs);
}
