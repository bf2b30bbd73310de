/** Tally: the port that exports what callers have used, day by day, and imports it from another state. */
import type { BurstWindow } from './ledger.ts';

/** Units of one caller on one UTC day, by the kind that they were charged as; without kinds they count as look-ups. */
export interface CallerDay {
  /** An account id, or the keyed hash of a client's address. */
  readonly caller: string;
  /** Days since 1970-01-01 UTC. */
  readonly day: number;
  readonly units: Readonly<Record<BurstWindow, number>>;
}

export interface Tally {
  /** Every stored day of every caller, some at a time. A day may occur twice. */
  read(): AsyncIterable<readonly CallerDay[]>;
  /**
   * Takes over each day with more units than are counted here. A day with as many units here stays, so raising twice
   * changes nothing.
   * @returns how many days it took over
   */
  raise(days: readonly CallerDay[]): Promise<number>;
}
