/**
 * Follows the announcement of a store: fetches what is announced into the data folder, then takes the announced
 * activation over into `active.json`, which a service swaps to. What is proposed is fetched ahead. A store that is away or
 * damaged changes nothing.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { reasonOf } from '../errors.ts';
import type { Layout } from '../publication/layout.ts';
import { readablePointer, setPointer } from '../publication/pointer.ts';
import { readManifest } from '../publication/sealed.ts';
import { type Activated, type FleetAnnouncement, readAnnouncement } from './announcement.ts';
import { type FetchPublication, fetchInProcess } from './fetch-in-process.ts';
import { jittered, shippingLimits } from './limits.ts';
import type { ObjectStore } from './object-store.ts';
import { openStore } from './open-store.ts';

interface FollowerLog {
  info(message: string, fields: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields: Readonly<Record<string, unknown>>): void;
}

/**
 * @returns stops following, and a fetch that is under way
 * @throws StoreFailure where the address names no store
 */
export function followStore(address: string, layout: Layout, log: FollowerLog): () => Promise<void> {
  const store = openStore(address);
  const fetch = fetchInProcess(layout.dataDir, address);
  const stopping = new AbortController();
  const follower = new Follower(store, layout, log, fetch, stopping.signal);
  const following = follower.run();
  return () => {
    stopping.abort();
    return following;
  };
}

class Follower {
  readonly #store: ObjectStore;
  readonly #layout: Layout;
  readonly #log: FollowerLog;
  readonly #fetch: FetchPublication;
  readonly #stopping: AbortSignal;
  /** The last failure, so that each is told once. */
  #failure = '';

  constructor(
    store: ObjectStore,
    layout: Layout,
    log: FollowerLog,
    fetch: FetchPublication,
    stopping: AbortSignal,
  ) {
    this.#store = store;
    this.#layout = layout;
    this.#log = log;
    this.#fetch = fetch;
    this.#stopping = stopping;
  }

  async run(): Promise<void> {
    while (!this.#stopping.aborted) {
      await this.#look();
      await pause(jittered(shippingLimits.announcementPollMs), undefined, { signal: this.#stopping }).catch(
        () => undefined,
      );
    }
  }

  async #look(): Promise<void> {
    try {
      const announcement = await readAnnouncement(this.#store);
      if (announcement !== null) await this.#follow(announcement);
      this.#failure = '';
    } catch (error) {
      const failure = reasonOf(error);
      if (this.#stopping.aborted || failure === this.#failure) return;
      this.#failure = failure;
      this.#log.warn('The announced publication could not be followed; what is served stays.', {
        source: this.#store.address,
        reason: failure,
      });
    }
  }

  async #follow({ active, next, previous }: FleetAnnouncement): Promise<void> {
    if (active !== null) {
      await this.#obtain(active);
      this.#takeOver(active, previous);
    }
    if (next !== null) await this.#obtain(next);
  }

  async #obtain({ id, shipment }: { readonly id: string; readonly shipment: string }): Promise<void> {
    if (readManifest(this.#layout, id).outcome === 'sound') return;
    const startedAt = performance.now();
    await this.#fetch(id, shipment, this.#stopping);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    this.#log.info('A publication was fetched.', { publication: id, source: this.#store.address, seconds });
  }

  /** A publication that was activated here by hand gives way to the announced one. */
  #takeOver({ id, activatedAt }: Activated, previous: readonly Activated[]): void {
    const pointer = readablePointer(this.#layout);
    if (pointer?.id === id && pointer.activatedAt === activatedAt) return;
    setPointer(this.#layout, {
      id,
      activatedAt,
      previous: previous.map((each) => ({ id: each.id, activatedAt: each.activatedAt })),
    });
  }
}
