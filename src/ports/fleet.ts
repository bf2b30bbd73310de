/** Fleet: the port to the nodes that share one state: who is there, what each serves, and what it is ready for. */

/** What a node says of itself. */
export interface NodeReport {
  /** The version of the service. */
  readonly version: string;
  /** Id of the publication that it serves; null where it serves none. */
  readonly active: string | null;
  /** The generation of the announcement that it knows; 0 where it follows none. */
  readonly generation: number;
  /** Id of a publication that every one of its threads has open and that it would serve at once; null for none. */
  readonly readyFor: string | null;
  /** Id of a publication that it can't serve; null for none. */
  readonly refuses: string | null;
  /** Why not; null where it refuses none. */
  readonly reason: string | null;
}

export interface NodeSeen extends NodeReport {
  /** LEI_NODE, by default the name of its host. Two nodes of one name are seen as one. */
  readonly name: string;
  /** Epoch milliseconds by this node's clock; the store counts the time since. */
  readonly lastSeenAt: number;
  /** Whether it was seen within the last seconds. One that was not is forgotten after a while. */
  readonly present: boolean;
}

/** One node's view of its fleet. Every call rejects with an ExpectedFailure where the shared state is away. */
export interface Fleet {
  /** The name of this node. */
  readonly node: string;
  /** By name. */
  nodes(): Promise<readonly NodeSeen[]>;
  /**
   * From now on this node says so each second; and at once. Does not reject: what the store does not hear now, it hears
   * when it is back.
   */
  report(report: Partial<NodeReport>): Promise<void>;
}

/** What a node has counted since it started, over all of its threads. */
export interface StoreFacts {
  /** Why the store is away, for the operator; null while every thread reaches it. */
  readonly lost: string | null;
  /** The nodes that were seen last, this one included. */
  readonly nodes: number;
  /** Calls that count requests, and those of them that failed. */
  readonly calls: number;
  readonly failedCalls: number;
  /** The time that the others took together, and the requests in them. */
  readonly callSeconds: number;
  readonly requests: number;
  /** Requests that were refused without asking, since the store had just refused the caller. */
  readonly refusedFromMemory: number;
  /** Requests that this node decided by itself while the store was away. */
  readonly admittedAlone: number;
  readonly refusedAlone: number;
}

/** The store that the nodes of a fleet share, as one of them sees it. */
export interface SharedStore {
  facts(): StoreFacts;
}
