/**
 * Rolls a publication out over a fleet: proposes it, waits until the nodes are ready for it, and then makes all of them
 * serve it from one moment on. A node that refuses it ends the roll-out without a change for callers.
 *
 * | by the deadline                        | then                                                           |
 * |----------------------------------------|----------------------------------------------------------------|
 * | all present nodes are ready            | the fleet moves at once                                        |
 * | at least half are                      | the fleet moves; the others leave `/readyz` before that        |
 * | fewer are, or a node refuses           | the proposal is withdrawn                                      |
 */
import type { KeyObject } from 'node:crypto';
import { ExpectedFailure, reasonOf } from '../errors.ts';
import type { Fleet, NodeSeen } from '../ports/fleet.ts';
import {
  changeAnnouncement,
  confirm,
  type FleetAnnouncement,
  propose,
  readAnnouncement,
  refuseOvertaken,
  type ShippedPublication,
  withdraw,
} from './announcement.ts';
import { shippingLimits } from './limits.ts';
import type { WritableStore } from './object-store.ts';
import { RollCall } from './roll-call.ts';

class RollOutFailure extends ExpectedFailure {
  override readonly name = 'RollOutFailure';
}

interface RollOut {
  readonly store: WritableStore;
  /** Signs the announcements; null for none. */
  readonly key: KeyObject | null;
  readonly fleet: Pick<Fleet, 'nodes'>;
  readonly named: ShippedPublication;
  /** The minimum number of ready nodes. */
  readonly nodes: number;
  readonly deadlineMs: number;
  /** Receives, repeatedly, the nodes that are waited for. */
  readonly waiting: (message: () => string) => void;
  readonly aborted: AbortSignal;
}

export interface RolledOut {
  readonly announcement: FleetAnnouncement;
  /** Names of the nodes that were not ready in time. */
  readonly leftBehind: readonly string[];
}

/**
 * Resolves once the nodes that were ready serve it.
 * @throws RollOutFailure if the fleet does not move, StoreFailure, or the reason of `aborted`
 */
export async function rollOut(order: RollOut): Promise<RolledOut> {
  const { store, key, named, deadlineMs } = order;
  const call = new RollCall(order.fleet);
  const proposed = await changeAnnouncement(store, propose(named, new Date(), deadlineMs), key);
  let ended: NodeReadiness;
  let announcement: FleetAnnouncement;
  try {
    ended = await untilReady(order, call, proposed.generation, performance.now() + deadlineMs);
    const { activationLeadMs, activationLeadLateMs } = shippingLimits;
    const leadMs = ended.late.length === 0 ? activationLeadMs : activationLeadLateMs;
    const now = new Date();
    announcement = await changeAnnouncement(store, confirm(named, { now, leadMs, deadline: now }), key);
  } catch (error) {
    await withdrawAfter(error, order);
    throw error;
  }
  await untilServed(order, call, ended.ready, announcement);
  return { announcement, leftBehind: ended.late };
}

/** @throws what ended the roll-out, together with the reason why its proposal is not withdrawn */
async function withdrawAfter(ended: unknown, { store, key, named }: RollOut): Promise<void> {
  try {
    await changeAnnouncement(store, withdraw(named.id), key);
  } catch (error) {
    if (!(ended instanceof ExpectedFailure)) throw new SuppressedError(error, ended);
    throw new RollOutFailure(
      ended.code,
      `${ended.message} ${named.id} stays proposed until the next announcement, because it could not be withdrawn: ${reasonOf(error)}`,
    );
  }
}

/** Names of nodes: the ready ones, and those that the fleet continues without. */
interface NodeReadiness {
  readonly ready: readonly string[];
  readonly late: readonly string[];
}

async function untilReady(
  { store, named, nodes: wanted, waiting, aborted }: RollOut,
  call: RollCall,
  generation: number,
  deadline: number,
): Promise<NodeReadiness> {
  let nextLook = 0;
  for (;;) {
    const seen = await call.present();
    const known = seen.filter((node) => node.generation >= generation);
    refuseRefused(known, named.id);
    const ready = known.filter(({ readyFor, active }) => readyFor === named.id || active === named.id);
    const late = awaited(seen).filter((node) => !ready.includes(node));
    const ended = { ready: ready.map(nameOf), late: late.map(nameOf) };
    if (late.length === 0 && ready.length >= Math.max(1, wanted)) return ended;
    const { away } = call;
    const tell = () =>
      away === null ? tellOfWaiting(named.id, ready, late, wanted) : tellOfAbsence(named.id, away);
    if (performance.now() > deadline) {
      if (ready.length * 2 >= Math.max(1, wanted, ready.length + late.length)) return ended;
      throw new RollOutFailure('not-ready', `No node has swapped: at the deadline ${tell()}.`);
    }
    waiting(tell);
    if (performance.now() >= nextLook) {
      // As often as a node does: object stores charge for each read.
      nextLook = performance.now() + shippingLimits.announcementPollMs;
      await refuseOvertakenIn(store, named, aborted);
    }
    await pauseUnless(aborted);
  }
}

/** No node gets ready for what is not proposed any more. A store that can't be read now may be back later. */
async function refuseOvertakenIn(
  store: WritableStore,
  named: ShippedPublication,
  signal: AbortSignal,
): Promise<void> {
  let announcement: FleetAnnouncement | null;
  try {
    announcement = await readAnnouncement(store, { signal });
  } catch (error) {
    if (error instanceof ExpectedFailure) return;
    throw error;
  }
  refuseOvertaken(announcement, named);
}

function nameOf({ name }: NodeSeen): string {
  return name;
}

/** A node that serves nothing yet gets no requests, so it is waited for only if no other node serves anything. */
function awaited(seen: readonly NodeSeen[]): readonly NodeSeen[] {
  const serving = seen.filter(({ active }) => active !== null);
  return serving.length > 0 ? serving : seen;
}

function refuseRefused(seen: readonly NodeSeen[], id: string): void {
  const refusing = seen.filter(({ refuses }) => refuses === id);
  if (refusing.length === 0) return;
  const reasons = refusing.map(({ name, reason }) => `${name} refuses ${id}: ${reason ?? 'no reason given'}`);
  throw new RollOutFailure('refused-by-node', `No node has swapped. ${reasons.join(' ')}`);
}

function tellOfWaiting(
  id: string,
  ready: readonly NodeSeen[],
  late: readonly NodeSeen[],
  wanted: number,
): string {
  const names = late.map(({ name, reason }) => (reason === null ? name : `${name} (${reason})`));
  const missing = wanted - ready.length - late.length;
  const others = missing > 0 ? [`${missing} that ${missing === 1 ? 'is' : 'are'} not present`] : [];
  const waited = [...names, ...others];
  const all = ready.length + late.length + Math.max(0, missing);
  const rest = waited.length === 0 ? '' : `; not ready: ${waited.join(', ')}`;
  return `${ready.length} of ${all} nodes are ready for ${id}${rest}`;
}

function tellOfAbsence(id: string, away: string): string {
  return `no node is known to be ready for ${id}: ${away}`;
}

/** Waits until every node that was ready serves it, or is gone. The announcement stays in force in any case. */
async function untilServed(
  { named, aborted }: RollOut,
  call: RollCall,
  ready: readonly string[],
  { active }: FleetAnnouncement,
): Promise<void> {
  const at = Date.parse(active?.activatedAt ?? '') + shippingLimits.servedMsMax;
  while (Date.now() < at && !aborted.aborted) {
    const present = await call.present();
    if (present.every(({ name, active: served }) => served === named.id || !ready.includes(name))) return;
    await pauseUnless(aborted);
  }
}

async function pauseUnless(aborted: AbortSignal): Promise<void> {
  aborted.throwIfAborted();
  await Bun.sleep(shippingLimits.reportMs);
}
