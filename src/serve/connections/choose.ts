/** Chooses the connections to close when descriptors run out. */

export interface OpenConnection {
  readonly descriptor: number;
  /** The other end's address; all connections of one peer have the same. */
  readonly peer: string;
  readonly idleMs: number;
}

/**
 * Idle connections are chosen first, the longest idle before the others. If they are not enough, the peers with the
 * most connections lose their longest idle ones, so that one peer can't crowd out the others.
 * @param idleMs how long a connection must have been silent to count as idle
 */
export function toEnd(
  connections: readonly OpenConnection[],
  count: number,
  idleMs: number,
): readonly OpenConnection[] {
  const bySilence = [...connections].sort((a, b) => b.idleMs - a.idleMs);
  const idle = bySilence.filter((connection) => connection.idleMs >= idleMs);
  if (idle.length >= count) return idle.slice(0, count);
  const others = bySilence.slice(idle.length);
  return [...idle, ...fromLargest(others, count - idle.length)];
}

/** @param connections the longest idle first */
function fromLargest(connections: readonly OpenConnection[], count: number): readonly OpenConnection[] {
  // The rank is how many connections the peer would have left, so its last one has the lowest.
  const ranked = [...byPeer(connections).values()].flatMap((own) =>
    own.map((connection, index) => ({ connection, left: own.length - index })),
  );
  ranked.sort((a, b) => b.left - a.left);
  return ranked.slice(0, count).map(({ connection }) => connection);
}

/**
 * The connections of each peer beyond its cap, the longest idle ones.
 * @param isExempt whether a peer has no cap: a trusted proxy has the connections of many clients
 */
export function beyondCap(
  connections: readonly OpenConnection[],
  cap: number,
  isExempt: (peer: string) => boolean,
): readonly OpenConnection[] {
  return [...byPeer(connections)].flatMap(([peer, own]) => {
    if (own.length <= cap || isExempt(peer)) return [];
    return own.sort((a, b) => b.idleMs - a.idleMs).slice(0, own.length - cap);
  });
}

function byPeer(connections: readonly OpenConnection[]): Map<string, OpenConnection[]> {
  return Map.groupBy(connections, ({ peer }) => peer);
}
