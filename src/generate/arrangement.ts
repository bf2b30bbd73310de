/** How many things are arranged over entities without keeping a table of them: permutations and power laws. */
import { lowerBound } from '../bytes/binary-search.ts';
import type { Random } from './random.ts';

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** A bijection of 0 … size − 1 onto itself that can be asked both ways: x ↦ (factor·x + shift) mod size. */
export class Permutation {
  readonly size: number;
  private readonly factor: number;
  private readonly inverse: number;
  private readonly shift: number;

  /** @param size below 2^26, so that products stay exact in a double */
  constructor(size: number, random: Random) {
    this.size = size;
    // Near the golden ratio neighbours land far apart; the seed moves it a little.
    let factor = Math.max(1, Math.floor(size * (0.6 + 0.036 * random.unit())));
    while (greatestCommonDivisor(factor, size) !== 1) factor++;
    this.factor = factor % size || 1;
    this.inverse = inverseModulo(this.factor, size);
    this.shift = random.below(size);
  }

  /** Where x goes. */
  at(x: number): number {
    return (this.factor * x + this.shift) % this.size;
  }

  /** What comes to y. */
  from(y: number): number {
    return (this.inverse * ((y - this.shift + this.size) % this.size)) % this.size;
  }
}

/** Extended Euclid. */
function inverseModulo(value: number, modulus: number): number {
  let [r, nextR] = [modulus, value];
  let [t, nextT] = [0, 1];
  while (nextR !== 0) {
    const quotient = Math.floor(r / nextR);
    [r, nextR] = [nextR, r - quotient * nextR];
    [t, nextT] = [nextT, t - quotient * nextT];
  }
  return ((t % modulus) + modulus) % modulus;
}

/** Consecutive runs whose lengths follow a power law. */
export class PowerLawRuns {
  /** Start of each run, and the end of the last. */
  private readonly starts: Uint32Array;
  readonly total: number;
  readonly runs: number;

  /**
   * @param total members over all runs, at least as many as runs
   * @param runs how many
   * @param giants lengths of the first few runs, which a smooth curve would not give
   * @param exponent of the curve: 1 is Zipf's law
   */
  constructor(total: number, runs: number, giants: readonly number[], exponent: number) {
    const lengths = runLengths(total, Math.min(runs, total), giants, exponent);
    this.runs = lengths.length;
    this.starts = new Uint32Array(this.runs + 1);
    let start = 0;
    lengths.forEach((length, run) => {
      this.starts[run] = start;
      start += length;
    });
    this.starts[this.runs] = start;
    this.total = start;
  }

  length(run: number): number {
    return this.start(run + 1) - this.start(run);
  }

  start(run: number): number {
    return this.starts[run] ?? this.total;
  }

  /** The run that holds a member (0 … total − 1). */
  runOf(member: number): number {
    return lowerBound(this.starts, member + 1, 1, this.runs) - 1;
  }
}

function runLengths(total: number, runs: number, giants: readonly number[], exponent: number): Uint32Array {
  const lengths = new Uint32Array(runs).fill(1);
  let left = total - runs;
  giants.slice(0, runs).forEach((giant, run) => {
    const more = Math.max(0, Math.min(left, Math.floor(giant) - 1));
    lengths[run] = 1 + more;
    left -= more;
  });
  const first = Math.min(giants.length, runs);
  let weights = 0;
  for (let run = first; run < runs; run++) weights += (run - first + 2) ** -exponent;
  const shared = left;
  for (let run = first; run < runs && left > 0; run++) {
    const more = Math.min(left, Math.round((shared * (run - first + 2) ** -exponent) / weights));
    lengths[run] = 1 + more;
    left -= more;
  }
  // What rounding left over: one more each, so that no run stands out.
  for (let run = first < runs ? first : 0; left > 0; run = run + 1 < runs ? run + 1 : 0, left--) {
    lengths[run] = (lengths[run] ?? 0) + 1;
  }
  return lengths;
}
