/**
 * Follows the announcement of a store: reads it every second, and takes one step after the other towards serving what
 * it names. A store that is away or damaged changes nothing.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { reasonOf } from '../errors.ts';
import type { Following, FollowingFacts, Readiness } from '../ports/following.ts';
import type { Layout } from '../publication/layout.ts';
import { type FleetAnnouncement, readAnnouncement } from './announcement.ts';
import { Failures } from './failures.ts';
import { fetchInProcess } from './fetch-in-process.ts';
import { factsOf, type Progress, readinessOf, whyUnready } from './following-progress.ts';
import { jittered, shippingLimits } from './limits.ts';
import { nextStep, wantedIds } from './next-step.ts';
import type { ObjectStore } from './object-store.ts';
import { openStore } from './open-store.ts';
import { type FollowerLog, type FollowingService, Replica } from './replica.ts';

interface RunningFollower extends Following {
  /** Stops following, and a current fetch. */
  stop(): Promise<void>;
}

/** @throws StoreFailure if the address names no store */
export function followStore(
  address: string,
  layout: Layout,
  service: FollowingService,
  log: FollowerLog,
): RunningFollower {
  const store = openStore(address);
  const fetch = fetchInProcess(layout.dataDir, address);
  const replica = new Replica({ source: store.address, layout, service, log, fetch });
  const follower = new Follower(store, replica, log);
  follower.start();
  return follower;
}

class Follower implements RunningFollower {
  readonly #store: ObjectStore;
  readonly #replica: Replica;
  readonly #log: FollowerLog;
  readonly #failures = new Failures();
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #announcement: FleetAnnouncement | null = null;
  #readAt: number | null = null;
  /** Whether the first check has ended, or has taken too long. */
  #looked = false;
  /** The last failure of a check. Each is logged once. */
  #lookFailure = '';
  #working: Promise<void> | null = null;
  #activation: ReturnType<typeof setTimeout> | undefined;

  constructor(store: ObjectStore, replica: Replica, log: FollowerLog) {
    this.#store = store;
    this.#replica = replica;
    this.#log = log;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#replica.endFetchUnless(new Set());
    clearTimeout(this.#activation);
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
    try {
      const announcement = (await readAnnouncement(this.#store)) ?? this.#announcement;
      // A new announcement may have repaired what failed.
      if (announcement?.generation !== this.#announcement?.generation) this.#failures.forget();
      this.#announcement = announcement;
      this.#readAt = Date.now();
      this.#lookFailure = '';
    } catch (error) {
      const reason = reasonOf(error);
      if (this.#stopping.signal.aborted || reason === this.#lookFailure) return;
      this.#lookFailure = reason;
      this.#warn({ reason });
    }
  }

  /** Takes the steps that are due, while further checks continue. */
  #begin(): void {
    this.#replica.endFetchUnless(wantedIds(this.#announcement, this.#replica));
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
    });
  }

  async #work(): Promise<void> {
    for (let step = this.#nextStep(); step !== null; step = this.#nextStep()) {
      try {
        await this.#replica.take(step);
        this.#failures.clear(step.id);
      } catch (error) {
        this.#noteFailure(step.id, error);
      }
    }
    this.#wakeForActivation();
  }

  #nextStep() {
    if (this.#announcement === null || this.#stopping.signal.aborted) return null;
    return nextStep(this.#announcement, this.#replica, this.#failures);
  }

  /** Continues at the announced moment instead of at the next check. */
  #wakeForActivation(): void {
    clearTimeout(this.#activation);
    const waitMs = Date.parse(this.#announcement?.active?.activatedAt ?? '') - Date.now();
    if (waitMs > 0 && !this.#stopping.signal.aborted)
      this.#activation = setTimeout(() => this.#begin(), waitMs);
  }

  #noteFailure(id: string, error: unknown): void {
    if (this.#stopping.signal.aborted || !wantedIds(this.#announcement, this.#replica).has(id)) return;
    if (this.#failures.note(id, error)) this.#warn({ publication: id, reason: reasonOf(error) });
  }

  #warn(fields: Readonly<Record<string, string>>): void {
    const message =
      'The announced publication could not be taken over; the service goes on with the one that it serves.';
    this.#log.warn(message, { source: this.#store.address, ...fields });
  }

  unready(): string | null {
    if (!this.#looked) return `The announcement at ${this.#store.address} has not been read yet.`;
    return whyUnready(this.#progress());
  }

  readiness(): Readiness {
    return readinessOf(this.#progress());
  }

  facts(): FollowingFacts {
    return factsOf(this.#progress(), this.#readAt);
  }

  #progress(): Progress {
    return { announcement: this.#announcement, replica: this.#replica, failures: this.#failures };
  }
}
