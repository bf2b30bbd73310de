/** Following: the port to the component that brings this node the publications announced to its fleet. */
import type { NodeReport } from './fleet.ts';

/** A node's report to its fleet, in addition to what it serves. */
export type Readiness = Pick<NodeReport, 'generation' | 'readyFor' | 'refuses' | 'reason'>;

/** The figures of following. Times are epoch milliseconds; null for never. */
export interface FollowingFacts {
  /** Of the known announcement; 0 before the first. */
  readonly generation: number;
  /** When the announcement was last read. */
  readonly readAt: number | null;
  /** Since when another publication is announced than the served one; null if that is served. */
  readonly behindSince: number | null;
  readonly fetchedAt: number | null;
  /** As stored, compressed. */
  readonly fetchedBytes: number;
  readonly fetches: { readonly ok: number; readonly failed: number };
}

export interface Following {
  /** Why this node should get no requests because of the announcement; null if it may. */
  unready(): string | null;
  readiness(): Readiness;
  facts(): FollowingFacts;
}
