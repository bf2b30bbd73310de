/** Following: the port to what brings this node the publications that its fleet announces. */
import type { NodeReport } from './fleet.ts';

/** What a node says of itself to its fleet, beside what it serves. */
export type Readiness = Pick<NodeReport, 'generation' | 'readyFor' | 'refuses' | 'reason'>;

/** The figures of following. Times are epoch milliseconds; null for never. */
export interface FollowingFacts {
  /** Of the announcement that is known here; 0 before the first. */
  readonly generation: number;
  /** When the announcement was last read. */
  readonly readAt: number | null;
  /** Since when another publication is announced than the one served; null where that is served. */
  readonly behindSince: number | null;
  readonly fetchedAt: number | null;
  /** As they are stored, compressed. */
  readonly fetchedBytes: number;
  readonly fetches: { readonly ok: number; readonly failed: number };
}

export interface Following {
  /** Why this node should get no requests on account of what is announced; null where it may. */
  unready(): string | null;
  readiness(): Readiness;
  facts(): FollowingFacts;
}
