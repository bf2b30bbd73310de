/** Removes publications from a store that are no longer kept, and objects that no shipment names any more. */
import { isPublicationId } from '../publication/layout.ts';
import { type FleetAnnouncement, readAnnouncement, targetsIn } from './announcement.ts';
import { shippingLimits } from './limits.ts';
import type { WritableStore } from './object-store.ts';
import { objectsOf, readShipment, shipmentName, shipmentsPrefix } from './shipment.ts';

export interface Swept {
  /** Ids of the publications removed. */
  readonly removed: readonly string[];
  readonly removedObjects: number;
  readonly freedBytes: number;
}

/**
 * Keeps the given number of newest publications by source time, and each that is or was recently announced: callers may
 * still page through it, or the fleet may be rolled back to it.
 * @param fresh the publication that was just published: it stays, however old its data are; null for none
 */
export async function sweep(
  store: WritableStore,
  keep: number,
  now: number,
  fresh: string | null = null,
): Promise<Swept> {
  const announced = announcedIds(await readAnnouncement(store));
  const listed = [...(await store.list(shipmentsPrefix)).keys()].map(idOf).filter(isPublicationId);
  const published = listed.toSorted().toReversed();
  const removed = published.filter((id, place) => place >= keep && !announced.has(id) && id !== fresh);
  // Remove the shipment first, so that no node begins to fetch it.
  for (const id of removed) await store.remove(shipmentName(id));
  const kept = published.filter((id) => !removed.includes(id));
  return { removed, ...(await sweepObjects(store, kept, now)) };
}

function idOf(name: string): string {
  return name.slice(shipmentsPrefix.length).replace(/\.json$/, '');
}

function announcedIds(announcement: FleetAnnouncement | null): ReadonlySet<string> {
  if (announcement === null) return new Set();
  const { active, next, previous } = announcement;
  const named = [active, next, previous[0], targetsIn(announcement)[0]];
  return new Set(named.flatMap((each) => (each ? [each.id] : [])));
}

async function sweepObjects(store: WritableStore, kept: readonly string[], now: number) {
  const named = new Set<string>();
  for (const id of kept) {
    const read = await readShipment(store, id);
    for (const [name] of read === null ? [] : objectsOf(read.shipment)) named.add(name);
  }
  let removedObjects = 0;
  let freedBytes = 0;
  for (const [name, { bytes, writtenAt }] of await store.list('objects/')) {
    if (named.has(name) || now - writtenAt < shippingLimits.unnamedAgeMsMax) continue;
    await store.remove(name);
    removedObjects++;
    freedBytes += bytes;
  }
  return { removedObjects, freedBytes };
}
