/** Reports how far a node is with what is announced: to `/readyz`, to the other nodes, and to the metrics. */
import type { FollowingFacts, Readiness } from '../ports/following.ts';
import type { FleetAnnouncement } from './announcement.ts';
import type { Failures } from './failures.ts';
import type { Replica } from './replica.ts';

export interface Progress {
  readonly announcement: FleetAnnouncement | null;
  readonly replica: Replica;
  readonly failures: Failures;
}

/** Why the node should get no requests; null if it may get some. */
export function whyUnready({ announcement, replica, failures }: Progress): string | null {
  const active = announcement?.active ?? null;
  const deadline = active?.deadline ?? null;
  if (active === null || deadline === null || replica.serves(active)) return null;
  const { id, activatedAt } = active;
  const failure = failures.of(id);
  const isReady = replica.isOpen(id, activatedAt) && failure === null;
  if (isReady || Date.now() < Date.parse(deadline)) return null;
  const reason = failure?.reason ?? 'It is being fetched.';
  return `${id} is announced, and this node is behind the deadline ${deadline}: ${reason}`;
}

export function readinessOf({ announcement, replica, failures }: Progress): Readiness {
  const { active = null, next = null, generation = 0 } = announcement ?? {};
  const refused = [next, active].flatMap((named) => {
    const failure = named === null ? null : failures.of(named.id);
    return named !== null && failure?.refused === true ? [{ id: named.id, reason: failure.reason }] : [];
  })[0];
  return {
    generation,
    readyFor: replica.readyFor,
    refuses: refused?.id ?? null,
    reason: refused?.reason ?? null,
  };
}

/** @param readAt epoch milliseconds at which the announcement was last read */
export function factsOf({ announcement, replica }: Progress, readAt: number | null): FollowingFacts {
  const active = announcement?.active ?? null;
  const due = active === null ? 0 : Date.parse(active.activatedAt);
  const isBehind = active !== null && !replica.serves(active) && due <= Date.now();
  return {
    generation: announcement?.generation ?? 0,
    readAt,
    behindSince: isBehind ? due : null,
    ...replica.fetchFacts(),
  };
}
