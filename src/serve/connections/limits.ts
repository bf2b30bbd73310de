/** Limits of connections, by the number of descriptors that the process may open. */

export const connectionLimits = {
  /** Fewer descriptors than this cause a warning at the start. */
  descriptorsWanted: 1_024,
  /** Kept free for the control socket and for files: this share of the limit, within these bounds. */
  keptShare: 1 / 8,
  keptMin: 16,
  keptMax: 256,
  /** New connections that wait until they are accepted: this share, within these bounds. All are accepted at once. */
  backlogShare: 1 / 16,
  backlogMin: 4,
  backlogMax: 512,
  /** The share of all connections that one address other than a trusted proxy may have, and the minimum. */
  peerShare: 1 / 4,
  peerMin: 16,
  /** A connection that was silent this long counts as idle, once descriptors run out. */
  idleMs: 1_000,
  lookEveryMs: 50,
  /** Checks between two counts of a table that seems to have room: a count reads the whole table. */
  looksBetweenCounts: 20,
  /** While connections are ended, it is logged at this interval. */
  loggedEveryMs: 60_000,
} as const;

export interface ConnectionCaps {
  /** The most descriptors that are open after a check, connections and everything else. */
  readonly open: number;
  /** The number of descriptors beyond which new connections are accepted only if there is room. */
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
