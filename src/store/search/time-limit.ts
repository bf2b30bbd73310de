/**
 * Ends a search that takes too long. The parts of a search report each step they begin; beyond the limit, the next step
 * throws {@link TimeIsUp}, which the reader turns into an outcome.
 */

import type { TimedOut } from './search-reader.ts';

export class TimeIsUp extends Error {}

/** Small steps between two readings of the clock, a power of two: tens of microseconds of work. */
const smallStepsPerLook = 64;

export class TimeLimit {
  /** Steps since the search began, small and large. */
  steps = 0;
  private endsAt = Number.POSITIVE_INFINITY;
  private readonly clock: () => number;
  private readonly msMax: number;

  /**
   * @param clock milliseconds; never goes back
   * @param msMax milliseconds that one search may take
   */
  constructor(clock: () => number, msMax: number) {
    this.clock = clock;
    this.msMax = msMax;
  }

  /** Starts a search. */
  begin(): void {
    this.steps = 0;
    this.endsAt = this.clock() + this.msMax;
  }

  /** Before some microseconds of work: a row is read. @throws TimeIsUp */
  smallStep(): void {
    this.steps++;
    if ((this.steps & (smallStepsPerLook - 1)) === 0) this.look();
  }

  /**
   * Before work that may take up to a few milliseconds: collecting, sorting or scoring a set of documents. @throws
   * TimeIsUp
   */
  largeStep(): void {
    this.steps++;
    this.look();
  }

  private look(): void {
    if (this.clock() > this.endsAt) throw new TimeIsUp(`The search took more than ${this.msMax} ms.`);
  }
}

/** Does what `find` does as one search. */
export function inTime<Found>(timeLimit: TimeLimit, find: () => Found): Found | TimedOut {
  timeLimit.begin();
  try {
    return find();
  } catch (error) {
    if (error instanceof TimeIsUp) return { outcome: 'timeout', detail: error.message };
    throw error;
  }
}

/** For readers that check a publication: nobody waits for them, and a slow machine must not change their result. */
export function withoutTimeLimit(): TimeLimit {
  return new TimeLimit(() => 0, Number.POSITIVE_INFINITY);
}
