/**
 * Counts of one day for callers without a bucket: 40 bytes each in typed arrays, so that a day's callers stay in memory
 * and nobody's count is read from disk while a request waits.
 *
 * A burst window that still holds something comes to rest as one number, which counts until its last arrival is 60
 * seconds old: longer than it needs, never shorter. A caller is known by 64 bits of a hash; among a million of them two
 * share a count with a probability of 1 in 37 million.
 */
import { type Usage, unused } from './bucket.ts';
import { ledgerLimits } from './limits.ts';
import { SlidingWindow } from './sliding-window.ts';

const shardCount = 256;
const firstCapacity = 16;
/** Numbers of 64 bits in an entry: the day's count, last look-up, last search; then four of 32 bits. */
const wide = { used: 0, lookupAt: 1, searchAt: 2, length: 5 } as const;
/** Numbers of 32 bits in the same entry. */
const narrow = { lookups: 6, searches: 7, low: 8, high: 9, length: 10 } as const;

/** Small tables rather than one: a table that grows holds the thread up for microseconds. */
class RestingCounts {
  readonly #shards = Array.from({ length: shardCount }, () => new Shard());
  #size = 0;

  /** False where there is no room for another caller. */
  put(caller: string, usage: Usage): boolean {
    const low = Bun.hash.xxHash32(caller, 1) || 1;
    const high = Bun.hash.xxHash32(caller, 2);
    const shard = this.#shardOf(low);
    if (!shard.has(low, high)) {
      if (this.#size >= ledgerLimits.restingMax) return false;
      this.#size++;
    }
    shard.put(low, high, usage);
    return true;
  }

  get(caller: string): Usage | null {
    const low = Bun.hash.xxHash32(caller, 1) || 1;
    return this.#shardOf(low).get(low, Bun.hash.xxHash32(caller, 2));
  }

  #shardOf(low: number): Shard {
    return this.#shards[low >>> 24] ?? new Shard();
  }
}

/** A hash table with linear probing. A free entry has a low half of 0. */
class Shard {
  #size = 0;
  #capacity = 0;
  #wide = new Float64Array(0);
  #narrow = new Uint32Array(0);

  has(low: number, high: number): boolean {
    return this.#capacity > 0 && this.#narrow[this.#find(low, high) * narrow.length + narrow.low] === low;
  }

  get(low: number, high: number): Usage | null {
    if (!this.has(low, high)) return null;
    const at = this.#find(low, high);
    const wideAt = at * wide.length;
    const narrowAt = at * narrow.length;
    return {
      used: this.#wide[wideAt + wide.used] ?? 0,
      lookup: awake(this.#wide[wideAt + wide.lookupAt] ?? 0, this.#narrow[narrowAt + narrow.lookups] ?? 0),
      search: awake(this.#wide[wideAt + wide.searchAt] ?? 0, this.#narrow[narrowAt + narrow.searches] ?? 0),
    };
  }

  put(low: number, high: number, { used, lookup, search }: Usage): void {
    if (!this.has(low, high)) {
      if (++this.#size * 4 > this.#capacity * 3) this.#grow();
    }
    const at = this.#find(low, high);
    const wideAt = at * wide.length;
    const narrowAt = at * narrow.length;
    this.#wide[wideAt + wide.used] = used;
    this.#wide[wideAt + wide.lookupAt] = lookup.lastAt();
    this.#wide[wideAt + wide.searchAt] = search.lastAt();
    this.#narrow[narrowAt + narrow.lookups] = lookup.total();
    this.#narrow[narrowAt + narrow.searches] = search.total();
    this.#narrow[narrowAt + narrow.low] = low;
    this.#narrow[narrowAt + narrow.high] = high;
  }

  /** The entry of a caller, or the free one where it would be. */
  #find(low: number, high: number): number {
    const mask = this.#capacity - 1;
    for (let at = high & mask; ; at = (at + 1) & mask) {
      const there = this.#narrow[at * narrow.length + narrow.low];
      if (there === 0) return at;
      if (there === low && this.#narrow[at * narrow.length + narrow.high] === high) return at;
    }
  }

  #grow(): void {
    const [wideBefore, narrowBefore, entries] = [this.#wide, this.#narrow, this.#capacity];
    this.#capacity = Math.max(firstCapacity, entries * 2);
    this.#wide = new Float64Array(this.#capacity * wide.length);
    this.#narrow = new Uint32Array(this.#wide.buffer);
    for (let entry = 0; entry < entries; entry++) {
      const low = narrowBefore[entry * narrow.length + narrow.low] ?? 0;
      if (low === 0) continue;
      const at = this.#find(low, narrowBefore[entry * narrow.length + narrow.high] ?? 0);
      this.#wide.set(wideBefore.subarray(entry * wide.length, (entry + 1) * wide.length), at * wide.length);
    }
  }
}

function awake(lastAt: number, units: number): SlidingWindow {
  return units === 0 ? new SlidingWindow() : SlidingWindow.from([lastAt, units]);
}

/** Resting counts by day. A day that is looked for and has none gets an empty table when something is put there. */
export class RestingDays {
  readonly #days = new Map<number, RestingCounts>();

  get(day: number, caller: string): Usage | null {
    return this.#days.get(day)?.get(caller) ?? null;
  }

  put(day: number, caller: string, usage: Usage): boolean {
    let counts = this.#days.get(day);
    if (counts === undefined) {
      counts = new RestingCounts();
      this.#days.set(day, counts);
      this.#forgetFarthest(day);
    }
    return counts.put(caller, usage);
  }

  forgetBefore(day: number): void {
    for (const known of [...this.#days.keys()]) if (known < day) this.#days.delete(known);
  }

  /** Only a clock that jumps about names so many days. */
  #forgetFarthest(from: number): void {
    if (this.#days.size <= ledgerLimits.restingDaysMax) return;
    const byDistance = [...this.#days.keys()].sort((a, b) => Math.abs(b - from) - Math.abs(a - from));
    this.#days.delete(byDistance[0] ?? from);
  }
}

/** What is used on a day, without the bursts. */
export function withoutBursts(used: number): Usage {
  return { ...unused(), used };
}
