/**
 * Counts in sliding windows of 60 seconds, by the second. A second stores its *last* arrival and counts until that one
 * is 60 seconds old: its other arrivals count a little longer than necessary, never shorter. No half-open span of 60
 * seconds, wherever it begins, therefore has more units than the limit, and a client never waits longer than 60
 * seconds.
 *
 *     second    12:00:00          12:00:01
 *     arrivals  .100  .250  .900  .400
 *     expires   12:01:00.900      12:01:01.400
 *
 * A window contains its newest second, because most clients need no other. The earlier ones, at most 60, are in a list
 * in the memory of its shard. If there is no memory for another one, its units are added to the newest second and count
 * longer.
 */
import { burstMs } from '../../../ports/ledger.ts';
import { type LedgerMemory, shard } from './memory.ts';

const secondMs = 1_000;
/** Words of a window. The last arrival of the newest second takes two. */
const word = { newestAt: 0, newestUnits: 2, oldest: 3, last: 4, total: 5 } as const;
export const windowWords = 6;
/** Words of a second in the list. Its last arrival takes two. */
const second = { at: 0, units: 2, next: 3, words: 4 } as const;

/** A stored second: last arrival (epoch ms) and units. */
export type KeptSecond = readonly [at: number, units: number];

/** Every method takes the reference of a window; its shard must be locked. */
export class Windows {
  readonly #memory: LedgerMemory;
  readonly #words: Int32Array;
  readonly #floats: Float64Array;

  constructor(memory: LedgerMemory) {
    this.#memory = memory;
    this.#words = memory.words;
    this.#floats = memory.floats;
  }

  /** Units that count at this moment. Frees expired seconds. */
  used(window: number, now: number): number {
    let total = this.total(window);
    if (total === 0) return 0;
    this.#followClockBack(window, now);
    let each = this.#word(window + word.oldest);
    while (each !== 0 && now - this.#timeAt(each) >= burstMs) {
      total -= this.#word(each + second.units);
      each = this.#dropOldest(window, each);
    }
    if (each === 0 && now - this.#timeAt(window) >= burstMs) {
      this.#words[window + word.newestUnits] = 0;
      total = 0;
    }
    this.#words[window + word.total] = total;
    return total;
  }

  take(window: number, now: number, units: number): void {
    this.#followClockBack(window, now);
    const newest = this.newest(window);
    const goesOn =
      newest > 0 && (secondOf(this.#timeAt(window)) === secondOf(now) || !this.#putBy(window, newest));
    this.#floats[window >> 1] = now;
    this.#words[window + word.newestUnits] = units + (goesOn ? newest : 0);
    this.#words[window + word.total] = this.total(window) + units;
  }

  /**
   * Refunds units taken at that moment. If their second has expired, the oldest one is reduced: the rest then counts
   * longer, never shorter.
   */
  refund(window: number, takenAt: number, units: number): void {
    let left = Math.min(units, this.total(window));
    this.#words[window + word.total] = this.total(window) - left;
    while (left > 0) {
      const [before, found] = this.#secondOrOldest(window, takenAt);
      const place = found === 0 ? window + word.newestUnits : found + second.units;
      const given = Math.min(left, this.#word(place));
      if (given === 0) return;
      this.#words[place] = this.#word(place) - given;
      if (found !== 0 && this.#word(place) === 0) this.#unlink(window, before, found);
      left -= given;
    }
  }

  /** When some of it is restored, epoch ms; null while nothing is used. Call it right after `used` only. */
  returnsAt(window: number): number | null {
    if (this.total(window) === 0) return null;
    return this.#timeAt(this.#word(window + word.oldest) || window) + burstMs;
  }

  /**
   * When at most this many units count, if no further ones are taken; epoch ms. For a negative number: when none count.
   * Null while nothing is used. Call it right after `used` only.
   */
  fallsTo(window: number, units: number): number | null {
    let total = this.total(window);
    let last: number | null = null;
    for (const [at, counted] of this.seconds(window)) {
      last = at;
      total -= counted;
      if (total <= units) break;
    }
    return last === null ? null : last + burstMs;
  }

  /** Units that counted when `used` was last called, plus those taken since. */
  total(window: number): number {
    return this.#word(window + word.total);
  }

  /** The last arrival, epoch ms; 0 while nothing is used. */
  lastAt(window: number): number {
    return this.total(window) === 0 ? 0 : this.#timeAt(window);
  }

  /** Units of the newest second. */
  newest(window: number): number {
    return this.#word(window + word.newestUnits);
  }

  /** Counts at least this many units in a second with that last arrival. */
  restore(window: number, at: number, units: number): void {
    const kept = [...this.seconds(window)];
    const same = kept.find(([time]) => secondOf(time) === secondOf(at));
    const all = kept.filter((each) => each !== same);
    all.push([at, Math.max(units, same?.[1] ?? 0)]);
    all.sort(([one], [other]) => one - other);
    this.fill(window, all);
  }

  /** Replaces the content of the window by these seconds, oldest first. */
  fill(window: number, seconds: readonly KeptSecond[]): void {
    this.clear(window);
    for (const [at, units] of seconds) this.take(window, at, units);
  }

  clear(window: number): void {
    for (let each = this.#word(window + word.oldest); each !== 0; ) each = this.#dropOldest(window, each);
    this.#words[window + word.newestUnits] = 0;
    this.#words[window + word.total] = 0;
  }

  /** Its seconds, oldest first. */
  *seconds(window: number): Iterable<KeptSecond> {
    for (let each = this.#word(window + word.oldest); each !== 0; each = this.#word(each + second.next)) {
      yield [this.#timeAt(each), this.#word(each + second.units)];
    }
    if (this.newest(window) > 0) yield [this.#timeAt(window), this.newest(window)];
  }

  /** Recomputes the end of the list and the sum, after a thread ended in the middle of a change. */
  repair(window: number): void {
    let total = this.newest(window);
    for (let each = this.#word(window + word.oldest); each !== 0; each = this.#word(each + second.next)) {
      this.#words[window + word.last] = each;
      total += this.#word(each + second.units);
    }
    this.#words[window + word.total] = total;
  }

  /** Moves the newest second to the end of the list. @returns false if there is no memory for it */
  #putBy(window: number, units: number): boolean {
    const words = this.#words;
    const added = this.#newSecond();
    if (added === 0) return false;
    this.#floats[added >> 1] = this.#timeAt(window);
    words[added + second.units] = units;
    words[added + second.next] = 0;
    if (words[window + word.oldest] === 0) words[window + word.oldest] = added;
    else words[this.#word(window + word.last) + second.next] = added;
    words[window + word.last] = added;
    return true;
  }

  #newSecond(): number {
    const { locked } = this.#memory;
    const free = this.#word(locked + shard.freeSecond);
    if (free === 0) return this.#memory.take(second.words);
    this.#words[locked + shard.freeSecond] = this.#word(free + second.next);
    return free;
  }

  #free(each: number): void {
    const { locked } = this.#memory;
    this.#words[each + second.next] = this.#word(locked + shard.freeSecond);
    this.#words[locked + shard.freeSecond] = each;
  }

  /** @returns the now oldest one of the list; 0 if it is empty */
  #dropOldest(window: number, oldest: number): number {
    const next = this.#word(oldest + second.next);
    this.#words[window + word.oldest] = next;
    this.#free(oldest);
    return next;
  }

  #unlink(window: number, before: number, each: number): void {
    const next = this.#word(each + second.next);
    this.#words[before === 0 ? window + word.oldest : before + second.next] = next;
    if (next === 0) this.#words[window + word.last] = before;
    this.#free(each);
  }

  /** The second in which something was taken, otherwise the oldest; 0 for the newest, which is in no list. */
  #secondOrOldest(window: number, takenAt: number): readonly [before: number, found: number] {
    const wanted = secondOf(takenAt);
    const oldest = this.#word(window + word.oldest);
    if (oldest === 0 || (this.newest(window) > 0 && secondOf(this.#timeAt(window)) === wanted)) return [0, 0];
    let before = 0;
    for (let each = oldest; each !== 0; each = this.#word(each + second.next)) {
      if (secondOf(this.#timeAt(each)) === wanted) return [before, each];
      before = each;
    }
    return [0, oldest];
  }

  /** A clock that is set back must neither free anything nor freeze the window until it has caught up. */
  #followClockBack(window: number, now: number): void {
    const ahead = this.lastAt(window) - now;
    if (ahead <= 0) return;
    this.#floats[window >> 1] = this.#timeAt(window) - ahead;
    for (let each = this.#word(window + word.oldest); each !== 0; each = this.#word(each + second.next)) {
      this.#floats[each >> 1] = this.#timeAt(each) - ahead;
    }
  }

  #word(at: number): number {
    return this.#words[at] ?? 0;
  }

  /** The last arrival of a window's newest second, or of one in the list. Both begin with it. */
  #timeAt(at: number): number {
    return this.#floats[at >> 1] ?? 0;
  }
}

export function secondOf(time: number): number {
  return Math.floor(time / secondMs);
}
