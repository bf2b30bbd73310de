/** Permutations and power laws: they arrange millions of entities without a table. */
import { lowerBound } from '../bytes/binary-search.ts';
import type { Random } from './random.ts';

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** A bijection of 0 … size − 1 onto itself, computed in both directions: x ↦ (factor·x + shift) mod size. */
export class Permutation {
  readonly size: number;
  private readonly factor: number;
  private readonly inverse: number;
  private readonly shift: number;

  /** @param size below 2^26, so that products stay exact in a double */
  constructor(size: number, random: Random) {
    this.size = size;
    // A factor near the golden ratio sends neighbours far apart; the seed varies it a little.
    let factor = Math.max(1, Math.floor(size * (0.6 + 0.036 * random.unit())));
    while (greatestCommonDivisor(factor, size) !== 1) factor++;
    this.factor = factor % size || 1;
    this.inverse = inverseModulo(this.factor, size);
    this.shift = random.below(size);
  }

  /** The image of x. */
  at(x: number): number {
    return (this.factor * x + this.shift) % this.size;
  }

  /** The number whose image is y. */
  from(y: number): number {
    return (this.inverse * ((y - this.shift + this.size) % this.size)) % this.size;
  }
}

/** The inverse modulo a number, by the extended Euclidean algorithm. */
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

/** Divides members into consecutive runs whose lengths follow a power law. */
export class PowerLawRuns {
  /** The start of each run, then the end of the last. */
  private readonly starts: Uint32Array;
  readonly total: number;
  readonly runs: number;

  /**
   * @param total members over all runs, at least as many as runs
   * @param runs number of runs
   * @param giants lengths of the first few runs, longer than the curve would make them
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

  /** The run that contains a member (0 … total − 1). */
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
  // Rounding leaves some members over: each run gets one more until none is left.
  for (let run = first < runs ? first : 0; left > 0; run = run + 1 < runs ? run + 1 : 0, left--) {
    lengths[run] = (lengths[run] ?? 0) + 1;
  }
  return lengths;
}
