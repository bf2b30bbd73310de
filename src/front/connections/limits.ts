/** Bounds of connections, by the number of descriptors that the process may open. */

export const connectionLimits = {
  /** Fewer descriptors than this are worth a warning at start. */
  descriptorsWanted: 1_024,
  /** Kept free for the control socket and for files: this share of the limit, within these bounds. */
  keptShare: 1 / 8,
  keptMin: 16,
  keptMax: 256,
  /** New connections that wait until they are accepted: this share, within these bounds. All are accepted at once. */
  backlogShare: 1 / 16,
  backlogMin: 4,
  backlogMax: 512,
  /** What one address that is no trusted proxy may hold of all connections, and the least. */
  peerShare: 1 / 4,
  peerMin: 16,
  /** A connection that was silent this long is idle, once descriptors run out. */
  idleMs: 1_000,
  lookEveryMs: 50,
  /** Looks between two counts of a table that seems to have room: a count reads the whole table. */
  looksBetweenCounts: 20,
  /** While connections are ended, it is logged this often. */
  loggedEveryMs: 60_000,
} as const;

export interface ConnectionCaps {
  /** Descriptors that are open at most after a look, connections and everything else. */
  readonly open: number;
  /** Descriptors past which new connections are let in only as there is room. */
  readonly metered: number;
  /** Connections that wait until they are accepted. */
  readonly backlog: number;
  /** Connections of one peer. */
  readonly ofPeer: number;
}

/** @param limit how many descriptors the process may open */
export function capsOf(limit: number): ConnectionCaps {
  const { keptShare, keptMin, keptMax, backlogShare, backlogMin, backlogMax } = connectionLimits;
  const kept = within(limit * keptShare, keptMin, keptMax);
  const backlog = within(limit * backlogShare, backlogMin, backlogMax);
  const open = Math.max(1, limit - kept - backlog);
  return {
    open,
    metered: Math.max(1, open - kept),
    backlog,
    ofPeer: Math.max(connectionLimits.peerMin, Math.floor(open * connectionLimits.peerShare)),
  };
}

function within(value: number, least: number, most: number): number {
  return Math.floor(Math.min(Math.max(value, least), most));
}
