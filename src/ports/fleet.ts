/**
 * Fleet: the port to the nodes that share one state: which are present, what each serves, and what it is ready for.
 * Following: the port to the component that brings this node the publications announced to its fleet.
 */

/** A node's report about itself. */
export interface NodeReport {
  /** The version of the service. */
  readonly version: string;
  /** Id of the publication that it serves; null if it serves none. */
  readonly active: string | null;
  /** The generation of the announcement that it knows; 0 if it follows none. */
  readonly generation: number;
  /** Id of a publication that all of its threads have open and that it could serve at once; null for none. */
  readonly readyFor: string | null;
  /** Id of a publication that it can't serve; null for none. */
  readonly refuses: string | null;
  /** Why not; null if it refuses none. */
  readonly reason: string | null;
}

export interface NodeSeen extends NodeReport {
  /** LEI_NODE, by default the name of its host. Two nodes with one name count as one. */
  readonly name: string;
  /** Epoch milliseconds by this node's clock; the store counts the time since. */
  readonly lastSeenAt: number;
  /** Whether it was seen within the last seconds. A silent one is forgotten after a while. */
  readonly present: boolean;
}

/** One node's view of its fleet. Every call rejects with an ExpectedFailure if the shared state is away. */
export interface Fleet {
  /** The name of this node. */
  readonly node: string;
  /** By name. */
  nodes(): Promise<readonly NodeSeen[]>;
  /**
   * Sets the report, which the node sends now and each second. Does not reject: the store receives it when it is back.
   */
  report(report: Partial<NodeReport>): Promise<void>;
}

/** What a node has counted since it started, over all of its threads. */
export interface StoreFacts {
  /** Why the store is away, for the operator; null while every thread reaches it. */
  readonly lost: string | null;
  /** The nodes that were seen last, this one included. */
  readonly nodes: number;
  /** The name of this node if another has it too; null otherwise. */
  readonly namesake: string | null;
  /** Calls that count requests, and those of them that failed. */
  readonly calls: number;
  readonly failedCalls: number;
  /** The total time of the others, and the requests in them. */
  readonly callSeconds: number;
  readonly requests: number;
  /** Requests that were refused without asking, because the store had just refused the caller. */
  readonly refusedFromMemory: number;
  /** Requests that this node decided by itself while the store was away. */
  readonly admittedAlone: number;
  readonly refusedAlone: number;
}

/** The store that the nodes of a fleet share, as one of them sees it. */
export interface SharedStore {
  facts(): StoreFacts;
}

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
