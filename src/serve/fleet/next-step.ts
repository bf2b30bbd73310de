/**
 * Decides the next step of a node towards the announced publication, and when it repeats a failed one.
 *
 * | announced                       | here                     | next step                                          |
 * |---------------------------------|--------------------------|----------------------------------------------------|
 * | active B, before it A           | neither                  | fetch A, which cursors of other nodes may name     |
 * | active B                        | B is not here            | fetch B                                            |
 * | active B, from T on             | B is here                | open B in every thread; cursors may name it        |
 * | active B, T is over             | B is open                | activate B                                         |
 * | active A, next B                | A is served              | fetch B, open it, say that this node is ready      |
 * | active A, nothing next          | B is open                | close B                                            |
 * | B nowhere                       | B was fetched, is closed | delete B                                           |
 */
import { errorCode, reasonOf } from '../../errors.ts';
import type { FleetActivation, FleetAnnouncement, ShippedPublication } from '../../shipping/announcement.ts';
import { shippingLimits } from '../../shipping/limits.ts';
import type { Replica } from './replica.ts';

interface StepFailure {
  readonly reason: string;
  /** Whether the publication itself, or this machine, is to blame rather than the connection to the store. */
  readonly refused: boolean;
  readonly tries: number;
  /** A time of `performance.now()`. */
  readonly againAt: number;
}

/** Remembers which publications could not be fetched or served, and when to try each again. */
export class Failures {
  readonly #failed = new Map<string, StepFailure>();

  /** @returns whether this reason is new */
  note(id: string, error: unknown): boolean {
    const before = this.of(id);
    const tries = (before?.tries ?? 0) + 1;
    const pauseMs = Math.min(shippingLimits.announcementPollMs * 2 ** (tries - 1), shippingLimits.againMsMax);
    const reason = reasonOf(error);
    const refused = errorCode(error) !== 'unreachable';
    this.#failed.set(id, { reason, refused, tries, againAt: performance.now() + pauseMs });
    return before?.reason !== reason;
  }

  clear(id: string): void {
    this.#failed.delete(id);
  }

  of(id: string): StepFailure | null {
    return this.#failed.get(id) ?? null;
  }

  /** Whether it is too early for another try. */
  rests(id: string): boolean {
    return (this.of(id)?.againAt ?? 0) > performance.now();
  }

  forget(): void {
    this.#failed.clear();
  }
}

/** One change of the node's publications. */
interface FleetStep {
  /** The publication that it is about. */
  readonly id: string;
  /** Rejects if the step fails. */
  take(): Promise<void>;
}

/** @returns null if there is nothing to do, or nothing yet */
export function nextStep(announced: FleetAnnouncement, here: Replica, failures: Failures): FleetStep | null {
  const { active, next } = announced;
  const due = active === null || here.serves(active) ? null : active;
  // A node opens one publication at a time. A proposal takes precedence over an active one that can't be fetched.
  const waits = due !== null && failures.of(due.id) === null;
  const steps = [
    due === null ? null : stepToServe(due, announced, here, failures),
    next === null || waits ? null : stepToOpen(next, next.proposedAt, here),
    stepToClose(announced, here),
    stepToDelete(announced, here),
  ];
  return steps.find((step) => step !== null && !failures.rests(step.id)) ?? null;
}

function stepToServe(
  active: FleetActivation,
  announced: FleetAnnouncement,
  here: Replica,
  failures: Failures,
): FleetStep | null {
  const { id, activatedAt } = active;
  const earlier = activeBefore(announced);
  if (earlier !== null && !here.has(earlier.id) && !failures.rests(earlier.id))
    return { id: earlier.id, take: () => here.fetch(earlier) };
  const step = stepToOpen(active, activatedAt, here);
  if (step !== null || Date.parse(activatedAt) > Date.now()) return step;
  return { id, take: () => here.activate(active, announced.previous) };
}

function stepToOpen(named: ShippedPublication, activatedAt: string, here: Replica): FleetStep | null {
  const { id } = named;
  if (!here.has(id)) return { id, take: () => here.fetch(named) };
  return here.isOpen(id, activatedAt) ? null : { id, take: () => here.open(id, activatedAt) };
}

function stepToClose({ active, next }: FleetAnnouncement, here: Replica): FleetStep | null {
  const { openId } = here;
  if (openId === null || openId === active?.id || openId === next?.id) return null;
  return { id: openId, take: () => here.close() };
}

/** A proposal may have been withdrawn while this node did not run. */
function stepToDelete(announced: FleetAnnouncement, here: Replica): FleetStep | null {
  const earlier = announced.previous.map(({ id }) => id);
  const id = here.uselessOf(new Set([...wantedIds(announced, here.openId), ...earlier]));
  return id === null ? null : { id, take: () => here.deleteFetched(id) };
}

/** The ids that a node still needs; a fetch of another one is useless. */
export function wantedIds(announced: FleetAnnouncement | null, openId: string | null): ReadonlySet<string> {
  const named = announced === null ? [] : [announced.active, announced.next, activeBefore(announced)];
  const ids = [...named.map((each) => each?.id), openId];
  return new Set(ids.filter((id) => typeof id === 'string'));
}

/** The publication that was active before: nodes that serve it return cursors of it. */
function activeBefore({ active, previous }: FleetAnnouncement): FleetActivation | null {
  return previous.find(({ id }) => id !== active?.id) ?? null;
}
