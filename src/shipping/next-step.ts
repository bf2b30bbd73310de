/**
 * Decides what a node does next to serve what is announced.
 *
 * | announced                       | here                     | next step                                          |
 * |---------------------------------|--------------------------|----------------------------------------------------|
 * | active B, before it A           | neither                  | fetch A, which cursors of other nodes may name     |
 * | active B                        | B is not here            | fetch B                                            |
 * | active B, from T on             | B is here                | open B in every thread; cursors may name it        |
 * | active B, T is over             | B is open                | activate B                                         |
 * | active A, next B                | A is served              | fetch B, open it, say that this node is ready      |
 * | active A, nothing next          | B is open                | close B; delete it where it was fetched for that   |
 */
import type { Activated, FleetAnnouncement, Named } from './announcement.ts';

export type Step =
  | ({ readonly kind: 'fetch' } & Named)
  | { readonly kind: 'open'; readonly id: string; readonly activatedAt: string }
  | {
      readonly kind: 'activate';
      readonly id: string;
      readonly activatedAt: string;
      readonly previous: readonly Activated[];
    }
  | { readonly kind: 'close'; readonly id: string; readonly wasActive: boolean };

/** The publications of the node. */
interface Here {
  /** Id of the publication that is open for an activation; null if there is none. */
  readonly openId: string | null;
  serves(active: Activated): boolean;
  has(id: string): boolean;
  isOpen(id: string, activatedAt: string): boolean;
}

/** Failed steps, by the publication's id. */
interface Failed {
  has(id: string): boolean;
  /** Whether it is too early for another try. */
  rests(id: string): boolean;
}

/** @returns null if there is nothing to do, or nothing yet */
export function nextStep(announced: FleetAnnouncement, here: Here, failed: Failed): Step | null {
  const { active, next } = announced;
  const due = active === null || here.serves(active) ? null : active;
  // A node opens one publication at a time. A proposal takes precedence over an active one that can't be fetched.
  const waits = due !== null && !failed.has(due.id);
  const steps = [
    due === null ? null : stepToServe(due, announced, here, failed),
    next === null || waits ? null : stepToOpen(next, next.proposedAt, here),
    stepToClose(announced, here),
  ];
  return steps.find((step) => step !== null && !failed.rests(step.id)) ?? null;
}

function stepToServe(
  active: Activated,
  announced: FleetAnnouncement,
  here: Here,
  failed: Failed,
): Step | null {
  const { id, activatedAt } = active;
  const earlier = activeBefore(announced);
  if (earlier !== null && !here.has(earlier.id) && !failed.rests(earlier.id)) return fetchStep(earlier);
  const step = stepToOpen(active, activatedAt, here);
  if (step !== null || Date.parse(activatedAt) > Date.now()) return step;
  return { kind: 'activate', id, activatedAt, previous: announced.previous };
}

function stepToOpen(named: Named, activatedAt: string, here: Here): Step | null {
  const { id } = named;
  if (!here.has(id)) return fetchStep(named);
  return here.isOpen(id, activatedAt) ? null : { kind: 'open', id, activatedAt };
}

function fetchStep({ id, shipment }: Named): Step {
  return { kind: 'fetch', id, shipment };
}

function stepToClose({ active, next, previous }: FleetAnnouncement, { openId }: Here): Step | null {
  if (openId === null || openId === active?.id || openId === next?.id) return null;
  return { kind: 'close', id: openId, wasActive: previous.some(({ id }) => id === openId) };
}

/** The ids that a node still needs; a fetch of another one is useless. */
export function wantedIds(announced: FleetAnnouncement | null, { openId }: Here): ReadonlySet<string> {
  const named = announced === null ? [] : [announced.active, announced.next, activeBefore(announced)];
  const ids = [...named.map((each) => each?.id), openId];
  return new Set(ids.filter((id) => typeof id === 'string'));
}

/** The publication that was active before: nodes that serve it return cursors of it. */
function activeBefore({ active, previous }: FleetAnnouncement): Activated | null {
  return previous.find(({ id }) => id !== active?.id) ?? null;
}
