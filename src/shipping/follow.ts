/**
 * Follows the announcement of a store: fetches what is announced into the data folder, has the service open it, and at
 * the announced moment takes the activation over into `active.json`, which the service swaps to. A store that is away or
 * damaged changes nothing.
 *
 * | announced                       | here                     | next step                                          |
 * |---------------------------------|--------------------------|----------------------------------------------------|
 * | active B, before it A           | neither                  | fetch A, which cursors of other nodes may name     |
 * | active B                        | B is not here            | fetch B                                            |
 * | active B, from T on             | B is here                | open B in every thread; cursors may name it        |
 * | active B, T is over             | B is open                | serve B                                            |
 * | active A, next B                | A is served              | fetch B, open it, say that this node is ready      |
 * | active A, nothing next          | B is open                | close B; delete it where it was fetched for that   |
 */
import { setTimeout as pause } from 'node:timers/promises';
import { ExpectedFailure, reasonOf } from '../errors.ts';
import type { Following, FollowingFacts, Readiness } from '../ports/following.ts';
import type { Layout } from '../publication/layout.ts';
import { readablePointer, setPointer } from '../publication/pointer.ts';
import { deletePublication, readManifest } from '../publication/sealed.ts';
import { type Activated, type FleetAnnouncement, readAnnouncement } from './announcement.ts';
import { Failures } from './failures.ts';
import { type FetchPublication, fetchInProcess } from './fetch-in-process.ts';
import { jittered, shippingLimits } from './limits.ts';
import type { ObjectStore } from './object-store.ts';
import { openStore } from './open-store.ts';

export interface FollowerLog {
  info(message: string, fields: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields: Readonly<Record<string, unknown>>): void;
}

/** The publications of the service that follows. */
export interface FollowingService {
  active(): { readonly manifest: { readonly id: string }; readonly activatedAt: string } | null;
  held(id: string): unknown;
  /** Opens a publication in every thread. Null, or why it can't be served. */
  makeReady(
    id: string,
    activatedAt: string,
  ): Promise<{ readonly code: string; readonly message: string } | null>;
  /** What was made ready is not to come. */
  expectNone(): Promise<void>;
  /** Swaps to what `active.json` names. */
  followAnnounced(): Promise<void>;
}

interface RunningFollower extends Following {
  /** Stops following, and a fetch that is under way. */
  stop(): Promise<void>;
}

/** @throws StoreFailure where the address names no store */
export function followStore(
  address: string,
  layout: Layout,
  service: FollowingService,
  log: FollowerLog,
): RunningFollower {
  const follower = new Follower({
    store: openStore(address),
    fetch: fetchInProcess(layout.dataDir, address),
    layout,
    service,
    log,
  });
  follower.start();
  return follower;
}

interface FollowerParts {
  readonly store: ObjectStore;
  readonly layout: Layout;
  readonly service: FollowingService;
  readonly log: FollowerLog;
  readonly fetch: FetchPublication;
}

type Named = { readonly id: string; readonly shipment: string };
type Step = { readonly id: string; readonly run: () => Promise<void> };

class Follower implements RunningFollower {
  readonly #parts: FollowerParts;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #announcement: FleetAnnouncement | null = null;
  #readAt: number | null = null;
  #looked = false;
  /** The last failure of a look, so that each is told once. */
  #lookFailure = '';
  readonly #failures = new Failures();
  #working: Promise<void> | null = null;
  #fetching: { readonly id: string; readonly ending: AbortController } | null = null;
  /** What the service was last asked to open, and for when. */
  #ready: { readonly id: string; readonly activatedAt: string } | null = null;
  /** Fetched for a proposal: deleted where that is withdrawn. */
  readonly #fetchedHere = new Set<string>();
  #activation: ReturnType<typeof setTimeout> | null = null;
  #fetchedAt: number | null = null;
  #fetchedBytes = 0;
  readonly #fetches = { ok: 0, failed: 0 };

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#fetching?.ending.abort();
    if (this.#activation !== null) clearTimeout(this.#activation);
    await this.#running;
    await this.#working;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const late = setTimeout(() => {
      this.#looked = true;
    }, shippingLimits.firstLookMsMax);
    while (!signal.aborted) {
      await this.#look();
      this.#looked = true;
      this.#begin();
      await pause(jittered(shippingLimits.announcementPollMs), undefined, { signal }).catch(() => undefined);
    }
    clearTimeout(late);
  }

  async #look(): Promise<void> {
    const { store, log } = this.#parts;
    try {
      const announcement = (await readAnnouncement(store)) ?? this.#announcement;
      // Whoever announces again has perhaps mended what failed.
      if (announcement?.generation !== this.#announcement?.generation) this.#failures.forget();
      this.#announcement = announcement;
      this.#readAt = Date.now();
      this.#lookFailure = '';
    } catch (error) {
      const reason = reasonOf(error);
      if (this.#stopping.signal.aborted || reason === this.#lookFailure) return;
      this.#lookFailure = reason;
      const message = 'The announced publication could not be followed; what is served stays.';
      log.warn(message, { source: store.address, reason });
    }
  }

  /** Works off what is to be done, beside further looks. */
  #begin(): void {
    if (this.#fetching !== null && !this.#wanted().has(this.#fetching.id)) this.#fetching.ending.abort();
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
    });
  }

  async #work(): Promise<void> {
    for (let step = this.#nextStep(); step !== null; step = this.#nextStep()) {
      if (this.#stopping.signal.aborted) return;
      try {
        await step.run();
        this.#failures.clear(step.id);
      } catch (error) {
        this.#noteFailure(step.id, error);
      }
    }
  }

  #noteFailure(id: string, error: unknown): void {
    if (this.#stopping.signal.aborted || !this.#wanted().has(id)) return;
    if (!this.#failures.note(id, error)) return;
    this.#parts.log.warn('The announced publication could not be followed; what is served stays.', {
      source: this.#parts.store.address,
      publication: id,
      reason: reasonOf(error),
    });
  }

  /** The next thing to do; null where there is none, or none yet. A publication that failed rests for a while. */
  #nextStep(): Step | null {
    if (this.#announcement === null) return null;
    const { active, next } = this.#announcement;
    const due = active === null || this.#serves(active) ? null : active;
    // One publication at a time is expected. A proposal comes before an active one that can't be had.
    const waits = due !== null && this.#failures.of(due.id) === null;
    const steps = [
      due === null ? null : this.#stepTo(due),
      next === null || waits ? null : this.#stepToReady(next, next.proposedAt),
      this.#stepBack(),
    ];
    return steps.find((step) => step !== null && !this.#failures.rests(step.id)) ?? null;
  }

  #stepTo(active: Activated): Step | null {
    const { id, activatedAt } = active;
    const earlier = this.#earlier(active);
    if (earlier !== null && !this.#isHere(earlier.id) && !this.#failures.rests(earlier.id))
      return { id: earlier.id, run: () => this.#obtain(earlier) };
    const step = this.#stepToReady(active, activatedAt);
    if (step !== null) return step;
    const waitMs = Date.parse(activatedAt) - Date.now();
    if (waitMs <= 0) return { id, run: () => this.#takeOver(active) };
    if (this.#activation !== null) clearTimeout(this.#activation);
    this.#activation = setTimeout(() => this.#begin(), waitMs);
    return null;
  }

  #stepToReady(named: Named, activatedAt: string): Step | null {
    const { id } = named;
    if (!this.#isHere(id)) return { id, run: () => this.#obtain(named) };
    if (this.#isReady(id, activatedAt)) return null;
    return { id, run: () => this.#makeReady(id, activatedAt) };
  }

  #stepBack(): Step | null {
    const ready = this.#ready;
    if (ready === null || this.#announcement === null) return null;
    const { active, next } = this.#announcement;
    if (ready.id === active?.id || ready.id === next?.id) return null;
    return { id: ready.id, run: () => this.#letGo(ready.id) };
  }

  /** The publication that was active before: nodes that serve it hand out cursors in it. */
  #earlier({ id }: Activated): Activated | null {
    return this.#announcement?.previous.find((each) => each.id !== id) ?? null;
  }

  #wanted(): ReadonlySet<string> {
    const { active = null, next = null } = this.#announcement ?? {};
    const earlier = active === null ? null : this.#earlier(active);
    return new Set(
      [active, next, earlier, this.#ready].flatMap((named) => (named === null ? [] : [named.id])),
    );
  }

  #serves({ id, activatedAt }: Activated): boolean {
    const active = this.#parts.service.active();
    return active?.manifest.id === id && active.activatedAt === activatedAt;
  }

  #isHere(id: string): boolean {
    return readManifest(this.#parts.layout, id).outcome === 'sound';
  }

  #isReady(id: string, activatedAt: string): boolean {
    const isExpected = this.#ready?.id === id && this.#ready.activatedAt === activatedAt;
    return isExpected && this.#parts.service.held(id) !== null;
  }

  async #obtain({ id, shipment }: Named): Promise<void> {
    const startedAt = performance.now();
    const ending = new AbortController();
    this.#fetching = { id, ending };
    try {
      const { fetchedBytes } = await this.#parts.fetch(id, shipment, ending.signal);
      this.#fetches.ok++;
      this.#fetchedAt = Date.now();
      this.#fetchedBytes += fetchedBytes;
      this.#fetchedHere.add(id);
    } catch (error) {
      if (!ending.signal.aborted) this.#fetches.failed++;
      throw error;
    } finally {
      this.#fetching = null;
    }
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    this.#parts.log.info('A publication was fetched.', {
      publication: id,
      source: this.#parts.store.address,
      seconds,
    });
  }

  async #makeReady(id: string, activatedAt: string): Promise<void> {
    const failure = await this.#parts.service.makeReady(id, activatedAt);
    if (failure !== null) throw new ExpectedFailure(failure.code, failure.message);
    this.#ready = { id, activatedAt };
  }

  /** A publication that was activated here by hand gives way to the announced one. */
  async #takeOver({ id, activatedAt }: Activated): Promise<void> {
    const { layout, service } = this.#parts;
    const pointer = readablePointer(layout);
    if (pointer?.id !== id || pointer.activatedAt !== activatedAt) {
      const previous = (this.#announcement?.previous ?? []).map((each) => ({
        id: each.id,
        activatedAt: each.activatedAt,
      }));
      setPointer(layout, { id, activatedAt, previous });
    }
    await service.followAnnounced();
    if (service.active()?.manifest.id !== id)
      throw new ExpectedFailure('not-activated', `Publication ${id} could not be activated.`);
  }

  async #letGo(id: string): Promise<void> {
    this.#ready = null;
    await this.#parts.service.expectNone();
    const isEarlier = this.#announcement?.previous.some((each) => each.id === id) ?? false;
    if (!isEarlier && this.#fetchedHere.delete(id)) await deletePublication(this.#parts.layout, id);
  }

  unready(): string | null {
    const { store } = this.#parts;
    if (!this.#looked) return `The announcement at ${store.address} has not been read yet.`;
    const active = this.#announcement?.active ?? null;
    const deadline = active?.deadline ?? null;
    if (active === null || deadline === null || this.#serves(active)) return null;
    const { id, activatedAt } = active;
    const failure = this.#failures.of(id);
    const isReady = this.#isReady(id, activatedAt) && failure === null;
    if (isReady || Date.now() < Date.parse(deadline)) return null;
    const reason = failure?.reason ?? 'It is being fetched.';
    return `${id} is announced, and this node is behind the deadline ${deadline}: ${reason}`;
  }

  readiness(): Readiness {
    const { service } = this.#parts;
    const ready = this.#ready?.id ?? null;
    const isServed = ready === service.active()?.manifest.id;
    const { active = null, next = null, generation = 0 } = this.#announcement ?? {};
    const failed = [next, active].flatMap((named) => {
      const failure = named === null ? null : this.#failures.of(named.id);
      return named !== null && failure?.refused === true ? [{ id: named.id, reason: failure.reason }] : [];
    })[0];
    return {
      generation,
      readyFor: ready === null || isServed || service.held(ready) === null ? null : ready,
      refuses: failed?.id ?? null,
      reason: failed?.reason ?? null,
    };
  }

  facts(): FollowingFacts {
    const active = this.#announcement?.active ?? null;
    const due = active === null ? 0 : Date.parse(active.activatedAt);
    const isBehind = active !== null && !this.#serves(active) && due <= Date.now();
    return {
      generation: this.#announcement?.generation ?? 0,
      readAt: this.#readAt,
      behindSince: isBehind ? due : null,
      fetchedAt: this.#fetchedAt,
      fetchedBytes: this.#fetchedBytes,
      fetches: { ...this.#fetches },
    };
  }
}
