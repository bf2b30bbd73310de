/**
 * Follows the announcement of a store: reads it every second, and takes one step after the other towards serving the
 * publication that it names. A store that is away or damaged changes nothing. It reports how far the node is: to `/readyz`, to the other
 * nodes, and to the metrics.
 */
import type { KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { reasonOf } from '../../errors.ts';
import type { Following, FollowingFacts, Readiness } from '../../ports/fleet.ts';
import type { Layout } from '../../publication/layout.ts';
import { type FleetAnnouncement, readAnnouncement } from '../../shipping/announcement.ts';
import { jittered, shippingLimits } from '../../shipping/limits.ts';
import type { ObjectStore } from '../../shipping/object-store.ts';
import { openStore } from '../../shipping/open-store.ts';
import { nameOf } from '../../shipping/signature.ts';
import { timerMs } from '../../waits.ts';
import { Failures, nextStep, wantedIds } from './next-step.ts';
import { type FollowerLog, type FollowingService, Replica } from './replica.ts';
import { take } from './taken.ts';

interface FollowerParts {
  /** The address of the store. */
  readonly address: string;
  /** The public key whose announcements are followed; null for any. */
  readonly key: KeyObject | null;
  readonly layout: Layout;
  readonly service: FollowingService;
  readonly log: FollowerLog;
}

export class Follower implements Following {
  readonly #store: ObjectStore;
  readonly #key: KeyObject | null;
  readonly #layout: Layout;
  readonly #replica: Replica;
  readonly #log: FollowerLog;
  readonly #failures = new Failures();
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #announcement: FleetAnnouncement | null = null;
  #readAt: number | null = null;
  /** Whether the first check has ended, or has taken too long. */
  #looked = false;
  /** The last failure of a check. Each is logged once. */
  #lookFailure = '';
  #working: Promise<void> | null = null;
  #activation: ReturnType<typeof setTimeout> | undefined;
  /** The last remark about being behind. Each is logged once. */
  #remarked = '';

  /** Begins at once. @throws StoreFailure if the address names no store */
  constructor({ address, key, layout, service, log }: FollowerParts) {
    this.#store = openStore(address);
    this.#key = key;
    this.#layout = layout;
    this.#replica = new Replica({ address, source: this.#store.address, layout, service, log });
    this.#log = log;
    this.#running = this.#run();
  }

  /** Stops following, and a current fetch. */
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
      this.#remark();
      await pause(jittered(shippingLimits.announcementPollMs), undefined, { signal }).catch(() => undefined);
    }
    clearTimeout(late);
  }

  async #look(): Promise<void> {
    try {
      const announcement = (await this.#read()) ?? this.#announcement;
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

  async #read(): Promise<FleetAnnouncement | null> {
    const { signal } = this.#stopping;
    const announcement = await readAnnouncement(this.#store, { key: this.#key, signal });
    if (announcement !== null && this.#key !== null)
      take(this.#layout, nameOf(this.#key), announcement.generation);
    return announcement;
  }

  /** Takes the steps that are due, while further checks continue. */
  #begin(): void {
    this.#replica.endFetchUnless(wantedIds(this.#announcement, this.#replica.openId));
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
    });
  }

  async #work(): Promise<void> {
    for (let step = this.#nextStep(); step !== null; step = this.#nextStep()) {
      try {
        await step.take();
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
      this.#activation = setTimeout(() => this.#begin(), timerMs(waitMs));
  }

  #noteFailure(id: string, error: unknown): void {
    if (this.#stopping.signal.aborted || !wantedIds(this.#announcement, this.#replica.openId).has(id)) return;
    if (this.#failures.note(id, error)) this.#warn({ publication: id, reason: reasonOf(error) });
  }

  #warn(fields: Readonly<Record<string, string>>): void {
    const message =
      'The announced publication could not be taken over; the service goes on with the one that it serves.';
    this.#log.warn(message, { source: this.#store.address, ...fields });
  }

  #remark(): void {
    const remark = this.#behind() ?? '';
    if (remark === this.#remarked) return;
    this.#remarked = remark;
    if (remark !== '') this.#log.warn(remark, { source: this.#store.address });
  }

  /** Why this node serves another publication than the announced one, unless it is reported elsewhere; null if it serves that. */
  #behind(): string | null {
    const active = this.#announcement?.active ?? null;
    if (active === null || this.#replica.serves(active)) return null;
    const { id, activatedAt } = active;
    const aheadMs = Date.parse(activatedAt) - Date.now();
    if (aheadMs > shippingLimits.activationAheadMsUsual)
      return `${id} is announced for ${activatedAt}, which is far ahead by the clock of this node: the clock of this node or of the announcing machine is wrong, so keep both by NTP.`;
    if (-aheadMs > shippingLimits.behindMsMax)
      return `${id} was to be served from ${activatedAt} on, and this node still serves another publication.`;
    return null;
  }

  unready(): string | null {
    if (!this.#looked) return `The announcement at ${this.#store.address} has not been read yet.`;
    const active = this.#announcement?.active ?? null;
    const deadline = active?.deadline ?? null;
    if (active === null || deadline === null || this.#replica.serves(active)) return null;
    const { id, activatedAt } = active;
    const failure = this.#failures.of(id);
    const isReady = this.#replica.isOpen(id, activatedAt) && failure === null;
    if (isReady || Date.now() < Date.parse(deadline)) return null;
    const reason = failure?.reason ?? 'It is being fetched.';
    return `${id} is announced, and this node is behind the deadline ${deadline}: ${reason}`;
  }

  readiness(): Readiness {
    const { active = null, next = null, generation = 0 } = this.#announcement ?? {};
    const refused = [next, active].flatMap((named) => {
      const failure = named === null ? null : this.#failures.of(named.id);
      return named !== null && failure?.refused === true ? [{ id: named.id, reason: failure.reason }] : [];
    })[0];
    return {
      generation,
      readyFor: this.#replica.readyFor,
      refuses: refused?.id ?? null,
      reason: (refused?.reason ?? this.#behind() ?? this.#lookFailure) || null,
    };
  }

  facts(): FollowingFacts {
    const active = this.#announcement?.active ?? null;
    const due = active === null ? 0 : Date.parse(active.activatedAt);
    const isBehind = active !== null && !this.#replica.serves(active) && due <= Date.now();
    return {
      generation: this.#announcement?.generation ?? 0,
      readAt: this.#readAt,
      behindSince: isBehind ? due : null,
      ...this.#replica.fetchFacts(),
    };
  }
}
