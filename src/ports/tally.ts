/** Tally: the port that hands over what callers have used, day by day, and takes it over from another state. */
import type { BurstWindow } from './ledger.ts';

/** Units of one caller on one UTC day, by the kind that they were costed as; without kinds they count as look-ups. */
export interface CallerDay {
  /** An account id, or the keyed hash of a client's address. */
  readonly caller: string;
  /** Days since 1970-01-01 UTC. */
  readonly day: number;
  readonly units: Readonly<Record<BurstWindow, number>>;
}

export interface Tally {
  /** Every day of every caller that is kept, some at a time. A day may come twice. */
  read(): AsyncIterable<readonly CallerDay[]>;
  /**
   * Takes over each day on which more units are counted than here. A day of which as many are counted here stays as it is:
   * what is raised twice changes nothing.
   * @returns how many days it took over
   */
  raise(days: readonly CallerDay[]): Promise<number>;
}
