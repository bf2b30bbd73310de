/**
 * A sliding window of 60 seconds in one-second slots. A slot remembers the *last* arrival in it and is counted
 * until that one is 60 seconds old: with the slot's other arrivals a little longer than they need, never shorter.
 * So no half-open span of 60 seconds, wherever it begins, holds more admissions than the limit, and a client
 * never waits longer than 60 seconds.
 *
 *     slot      12:00:00          12:00:01
 *     arrivals  .100  .250  .900  .400
 *     expires   12:01:00.900      12:01:01.400
 */
import { burstMs } from './limits.ts';

const slotMs = 1_000;

export class SlidingWindow {
  /** Pairs of last arrival (epoch ms) and count, oldest first; at most 61 pairs. */
  #slots: number[] = [];
  #total = 0;

  /** Admissions that count at this moment. Slots that are over are dropped. */
  used(now: number): number {
    const slots = this.#slots;
    if (slots.length === 0) return 0;
    this.#followClockBack(now);
    let over = 0;
    while (over < slots.length && now - (slots[over] ?? 0) >= burstMs) {
      this.#total -= slots[over + 1] ?? 0;
      over += 2;
    }
    if (over > 0) slots.splice(0, over);
    return this.#total;
  }

  /** Counts one admission. */
  take(now: number): void {
    const slots = this.#slots;
    this.#followClockBack(now);
    const newest = slots.length - 2;
    if (newest >= 0 && slotOf(slots[newest] ?? 0) === slotOf(now)) {
      slots[newest] = now;
      slots[newest + 1] = (slots[newest + 1] ?? 0) + 1;
    } else {
      slots.push(now, 1);
    }
    this.#total++;
  }

  /**
   * Takes back an admission of that moment. Where its slot is no more, the oldest gives: what stays counted then
   * stays longer, never shorter.
   */
  giveBack(admittedAt: number): void {
    const slots = this.#slots;
    if (slots.length === 0) return;
    let at = slots.length - 2;
    while (at > 0 && slotOf(slots[at] ?? 0) !== slotOf(admittedAt)) at -= 2;
    const count = (slots[at + 1] ?? 0) - 1;
    if (count > 0) slots[at + 1] = count;
    else slots.splice(at, 2);
    this.#total--;
  }

  /** When some of it comes back, epoch ms; null while nothing is used. Right after `used` only. */
  returnsAt(): number | null {
    const oldest = this.#slots[0];
    return oldest === undefined ? null : oldest + burstMs;
  }

  /** Pairs of last arrival and count, oldest first, for keeping. */
  slots(): readonly number[] {
    return this.#slots;
  }

  static from(slots: readonly number[]): SlidingWindow {
    const window = new SlidingWindow();
    window.#slots = [...slots];
    for (let at = 1; at < slots.length; at += 2) window.#total += slots[at] ?? 0;
    return window;
  }

  /** A clock that was put back must not free anything, nor freeze the window until it has caught up. */
  #followClockBack(now: number): void {
    const slots = this.#slots;
    const ahead = (slots[slots.length - 2] ?? now) - now;
    if (ahead <= 0) return;
    for (let at = 0; at < slots.length; at += 2) slots[at] = (slots[at] ?? 0) - ahead;
  }
}

function slotOf(time: number): number {
  return Math.floor(time / slotMs);
}
