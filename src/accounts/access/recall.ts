/** Caches results that are expensive to compute, by the text that they are computed from. */
import { accessLimits } from './limits.ts';

/** Keeps two generations. A result that is not used during a whole generation is dropped, so the memory is bounded. */
export class Recall<Result> {
  #young = new Map<string, Result>();
  #old = new Map<string, Result>();
  /** Epoch milliseconds at which the young generation began. */
  #born = 0;

  /** @param now epoch milliseconds */
  get(text: string, now: number): Result | undefined {
    const known = this.#young.get(text);
    if (known !== undefined && !this.#isOutdated(now)) return known;
    const earlier = known ?? this.#old.get(text);
    if (earlier !== undefined) this.set(text, earlier, now);
    return earlier;
  }

  set(text: string, result: Result, now: number): void {
    if (this.#isOutdated(now) || this.#young.size >= accessLimits.rememberedMax) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#born = now;
    }
    this.#young.set(text, result);
  }

  /** Also true if the clock was set back. */
  #isOutdated(now: number): boolean {
    return Math.abs(now - this.#born) >= accessLimits.rememberedMs;
  }
}
