/**
 * The announcement, `fleet.json` in a store: which publication a fleet serves. Every change is a new generation,
 * written only if nobody else has written in between.
 *
 * | change    | from                 | to                                            |
 * |-----------|----------------------|-----------------------------------------------|
 * | `propose` | active A             | active A, next B: nodes fetch and open B      |
 * | `confirm` | active A, next B     | active B: nodes swap                          |
 * | `move`    | active A             | active B: nodes fetch, open and swap          |
 * | `withdraw`| active A, next B     | active A                                      |
 * | `pin`     | not pinned           | active A, pinned: nothing else is proposed    |
 *
 * `activatedAt` is a few seconds ahead, so that every node has read it by then. All nodes swap at that moment of their
 * clocks.
 */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { FormatRegistry, type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { ExpectedFailure } from '../errors.ts';
import { timestamp } from '../lei/dates.ts';
import { TimestampSchema } from '../lei/schema.ts';
import { PublicationIdSchema } from '../publication/id-schema.ts';
import { parsedOrNull } from '../publication/parsed-or-null.ts';
import { activationTime, type Direction, historyAfter, rollbackTargets } from '../publication/pointer.ts';
import { shippingLimits } from './limits.ts';
import { damagedObject, type ObjectStore, StoreFailure, type WritableStore } from './object-store.ts';
import { isSignedBy, signed } from './signature.ts';

export const announcementName = 'fleet.json';
const announcementVersion = 1;

const ShippedPublication = {
  id: PublicationIdSchema,
  /** SHA-256 of the shipment. */
  shipment: Type.String({ pattern: '^[0-9a-f]{64}$' }),
};
FormatRegistry.Set('moment', (value) => !Number.isNaN(Date.parse(value)));
/** A time that the calendar has. */
const Moment = Type.Intersect([TimestampSchema, Type.String({ format: 'moment' })]);

const ActiveSchema = Type.Object({
  ...ShippedPublication,
  /** When nodes start to serve it. */
  activatedAt: Moment,
  /** When nodes that are not ready for it leave `/readyz`; null, or absent, for never. */
  deadline: Type.Optional(Type.Union([Moment, Type.Null()])),
});
const EarlierSchema = Type.Object({
  ...ActiveSchema.properties,
  /** A rollback has undone it, as in active.json. Earlier versions do not say. */
  undone: Type.Optional(Type.Boolean()),
});
const AnnouncementSchema = Type.Object({
  version: Type.Integer(),
  generation: Type.Integer({ minimum: 1, maximum: 2 ** 48 }),
  active: Type.Union([ActiveSchema, Type.Null()]),
  /** The publication that nodes make ready. `deadline`: when the fleet continues without those that are not. */
  next: Type.Union([
    Type.Object({ ...ShippedPublication, proposedAt: Moment, deadline: Moment }),
    Type.Null(),
  ]),
  pinned: Type.Boolean(),
  /** Earlier activations, newest first. */
  previous: Type.Array(EarlierSchema),
  /** Ed25519, base64, over all other members (signature.ts); absent if nobody signs. */
  signature: Type.Optional(Type.String()),
});
/** Checked first: an announcement of a newer version may have another shape. */
const AnyVersionSchema = Type.Object({ version: Type.Number() });
export type FleetAnnouncement = Omit<Static<typeof AnnouncementSchema>, 'signature'>;
export type FleetActivation = Static<typeof ActiveSchema>;
export type EarlierFleetActivation = Static<typeof EarlierSchema>;
/** A publication, with the SHA-256 of its shipment. */
export type ShippedPublication = Pick<FleetActivation, 'id' | 'shipment'>;

/** Why a change of the announcement is refused. */
class AnnouncementRefused extends ExpectedFailure {
  override readonly name = 'AnnouncementRefused';
}

const none: FleetAnnouncement = {
  version: announcementVersion,
  generation: 0,
  active: null,
  next: null,
  pinned: false,
  previous: [],
};

interface ReadOptions {
  /** Only an announcement that this public key has signed is accepted; null for any. */
  readonly key?: KeyObject | null;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
}

/** Null before the first. @throws StoreFailure `not-signed` for one that the key has not signed, or another */
export async function readAnnouncement(
  store: ObjectStore,
  { key = null, signal }: ReadOptions = {},
): Promise<FleetAnnouncement | null> {
  const { announcement, tag, stored } = await readTagged(store, signal);
  if (key !== null && stored !== null && !isSignedBy(stored, key))
    throw new StoreFailure(
      'not-signed',
      `${store.address}: ${announcementName} is not signed by the key of this fleet; lei announce --sign signs it.`,
    );
  return tag === null ? null : announcement;
}

/**
 * @returns the announcement, its parsed text, and the tag by which it can be replaced: both null before the first
 */
async function readTagged(store: ObjectStore, signal?: AbortSignal) {
  const ends = [AbortSignal.timeout(shippingLimits.announcementTimeoutMs), ...(signal ? [signal] : [])];
  const { announcementBytesMax } = shippingLimits;
  const stored = await store.read(announcementName, announcementBytesMax, AbortSignal.any(ends));
  if (stored === null) return { announcement: none, stored: null, tag: null };
  const value = parsedOrNull(Buffer.from(stored.bytes).toString());
  const damaged = (what: string) => damagedObject(store.address, announcementName, what);
  if (Value.Check(AnyVersionSchema, value) && value.version > announcementVersion)
    throw damaged(`has version ${value.version}, made by a newer version of this program; update this one`);
  if (!Value.Check(AnnouncementSchema, value))
    throw damaged(
      'is not an announcement that this version can read; remove it there, then lei announce writes it again',
    );
  const aheadMs = Date.parse(value.active?.activatedAt ?? '') - Date.now();
  if (aheadMs > shippingLimits.activationAheadMsMax)
    throw damaged(
      `announces an activation for ${value.active?.activatedAt}, more than an hour ahead of this machine's clock; set the clocks by NTP and, if the announcement is wrong, remove it and announce again`,
    );
  const { signature: _, ...announcement } = value;
  return { announcement, stored: value, tag: stored.tag };
}

type AnnouncementChange = (announcement: FleetAnnouncement) => FleetAnnouncement;

/**
 * Changes the announcement by compare-and-swap: if another change came first, this one is applied to its result. A
 * change that returns what it was given writes nothing.
 * @param key the private key that signs; null for none. What it has not signed before is not taken over, so that it
 *   signs nothing that somebody else has written
 * @throws AnnouncementRefused by the change, StoreFailure
 */
export async function changeAnnouncement(
  store: WritableStore,
  change: AnnouncementChange,
  key: KeyObject | null = null,
): Promise<FleetAnnouncement> {
  for (;;) {
    const { announcement, stored, tag } = await readTagged(store);
    const isOurs = key === null || (stored !== null && isSignedBy(stored, createPublicKey(key)));
    const before = isOurs ? announcement : none;
    const wanted = change(before);
    if (wanted === before) return before;
    const changed = { ...wanted, generation: isOurs ? before.generation + 1 : firstSigned() };
    const text = JSON.stringify(key === null ? changed : signed(changed, key));
    if (await store.replace(announcementName, Buffer.from(`${text}\n`), tag)) return changed;
  }
}

/**
 * The generation of the first announcement that a key signs: the seconds since 1970, so that it exceeds all before, lost
 * ones included. Nodes take no older one.
 */
function firstSigned(): number {
  return Math.floor(Date.now() / 1000);
}

/** Makes the fleet get a publication ready. */
export function propose(named: ShippedPublication, now: Date, deadlineMs: number): AnnouncementChange {
  return (announcement) => {
    refusePinned(announcement, named.id);
    const deadline = timestamp(new Date(now.getTime() + deadlineMs));
    return { ...announcement, next: { ...named, proposedAt: timestamp(now), deadline } };
  };
}

/** When a move takes effect. */
interface Timing {
  readonly now: Date;
  /** How long nodes keep serving the previous publication; the first publication of all is served at once. */
  readonly leadMs: number;
  /** When nodes that are not ready for it leave `/readyz`; null for never. */
  readonly deadline: Date | null;
}

/** Makes a publication the active one, at least a second after the one before. */
export function move(
  named: ShippedPublication,
  { now, leadMs, deadline }: Timing,
  direction: Direction = 'forward',
): AnnouncementChange {
  return (announcement) => {
    refusePinned(announcement, named.id);
    const { active, previous } = announcement;
    const wanted = active === null ? now : new Date(now.getTime() + leadMs);
    const activatedAt = activationTime(wanted, active);
    return {
      ...announcement,
      active: { ...named, activatedAt, deadline: deadline === null ? null : timestamp(deadline) },
      next: null,
      previous: [...historyAfter(named.id, active, previous, direction)],
    };
  };
}

/** Moves to the proposed publication, if it is still proposed. */
export function confirm(named: ShippedPublication, timing: Timing): AnnouncementChange {
  return (announcement) => {
    refuseOvertaken(announcement, named);
    return move(named, timing)(announcement);
  };
}

/** @param announcement as it is now; null if there is none @throws AnnouncementRefused if the publication is not proposed */
export function refuseOvertaken(announcement: FleetAnnouncement | null, { id }: ShippedPublication): void {
  if (announcement?.next?.id === id) return;
  throw new AnnouncementRefused(
    'overtaken',
    `${id} is no longer proposed: another announcement was made in the meantime.`,
  );
}

/** Withdraws a proposal, if it is still this one. */
export function withdraw(id: string): AnnouncementChange {
  return (announcement) => (announcement.next?.id === id ? { ...announcement, next: null } : announcement);
}

/** Pins the active publication, or one that becomes active with it. */
export function pin(named: ShippedPublication, timing: Timing): AnnouncementChange {
  return (announcement) => {
    const unpinned = { ...announcement, pinned: false };
    const moved = announcement.active?.id === named.id ? unpinned : move(named, timing)(unpinned);
    return { ...moved, next: null, pinned: true };
  };
}

export const unpin: AnnouncementChange = (announcement) => {
  if (announcement.generation > 0) return { ...announcement, pinned: false };
  throw new AnnouncementRefused(
    'nothing-announced',
    'There is no announcement to change: nothing is announced at this address, or the key of --sign has not signed it.',
  );
};

function refusePinned({ pinned, active }: FleetAnnouncement, id: string): void {
  if (!pinned || active?.id === id) return;
  throw new AnnouncementRefused(
    'pinned',
    `The fleet is pinned to ${active?.id ?? 'nothing'}; lei announce --unpin lets it move again.`,
  );
}

/** The publications that a rollback may announce, as `lei rollback` chooses them: nearest first. */
export function targetsIn({ active, previous }: FleetAnnouncement): readonly FleetActivation[] {
  return active === null ? [] : rollbackTargets(active.id, previous);
}
