/**
 * Generates pseudo-random numbers: a seed gives the same bytes on every machine and in every version of the runtime.
 * Each record has its own stream, started from (seed, purpose, number), so any record can be made without those before
 * it, in constant memory.
 */
import { scrambled } from '../bytes/hash.ts';

/** Purposes of streams: streams of different purposes are independent. */
export const purposes = {
  key: 1,
  entity: 2,
  relationship: 3,
  exception: 4,
  mapping: 5,
  change: 6,
  newcomer: 7,
  market: 8,
} as const;
type Purpose = (typeof purposes)[keyof typeof purposes];

/** A 32-bit number computed from seed, purpose and number. */
export function mix(seed: number, purpose: Purpose, number: number): number {
  const high = Math.floor(number / 0x100000000);
  const start = scrambled(seed ^ Math.imul(purpose, 0x9e3779b1));
  return scrambled(scrambled(start ^ number) + Math.imul(high + 1, 0x7feb352d));
}

/** A stream of random numbers: sfc32 by Chris Doty-Humphrey, three words of state and a counter. */
export class Random {
  private a = 0;
  private b = 0;
  private c = 0;
  private counter = 1;

  /** Restarts as the stream of one record. @returns itself */
  start(seed: number, purpose: Purpose, number: number): this {
    this.a = mix(seed, purpose, number);
    this.b = scrambled(this.a + 0x6d2b79f5);
    this.c = scrambled(this.b ^ number);
    this.counter = 1;
    this.next();
    this.next();
    return this;
  }

  /** 0 to 2^32 − 1. */
  next(): number {
    const sum = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** 0 up to but not including 1. */
  unit(): number {
    return this.next() / 0x100000000;
  }

  /** A whole number from 0 up to but not including the bound. */
  below(bound: number): number {
    return Math.floor(this.unit() * bound);
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return elementOf(list, this.below(list.length));
  }

  /** A rank from 0 below `size`; rank r is about 1/(r+1) times as frequent as rank 0 (Zipf's law). */
  zipf(size: number): number {
    return Math.min(size - 1, Math.floor(Math.exp(this.unit() * Math.log(size + 1))) - 1);
  }
}

/** The element at an index. @throws RangeError outside the list, which is a bug of the generator */
export function elementOf<T>(list: readonly T[], index: number): T {
  const element = list[index];
  if (element === undefined) throw new RangeError(`no element ${index} in a list of ${list.length}`);
  return element;
}

/** Chooses values by weight in constant time (Walker's alias method). */
export class Chooser<T> {
  private readonly values: readonly T[];
  private readonly threshold: Float64Array;
  private readonly alias: Int32Array;

  /** @param weighted values with weights of any positive scale */
  constructor(weighted: readonly (readonly [T, number])[]) {
    const size = weighted.length;
    this.values = weighted.map(([value]) => value);
    this.threshold = new Float64Array(size).fill(1);
    this.alias = Int32Array.from({ length: size }, (_, index) => index);
    const total = weighted.reduce((sum, [, weight]) => sum + weight, 0);
    const scaled = Float64Array.from(weighted, ([, weight]) => (weight * size) / total);
    this.fill(scaled);
  }

  private fill(scaled: Float64Array): void {
    const small: number[] = [];
    const large: number[] = [];
    scaled.forEach((weight, index) => {
      (weight < 1 ? small : large).push(index);
    });
    for (;;) {
      const low = small.pop();
      const high = large.pop();
      if (low === undefined || high === undefined) return;
      const share = scaled[low] ?? 1;
      this.threshold[low] = share;
      this.alias[low] = high;
      scaled[high] = (scaled[high] ?? 0) + share - 1;
      ((scaled[high] ?? 0) < 1 ? small : large).push(high);
    }
  }

  choose(random: Random): T {
    const index = random.below(this.values.length);
    const kept = random.unit() < (this.threshold[index] ?? 1);
    return elementOf(this.values, kept ? index : (this.alias[index] ?? index));
  }
}
