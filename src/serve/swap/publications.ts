/**
 * Manages the publications of a running service: what it serves from the start on, swaps one after the other, and
 * retiring.
 */
import { lstatSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { type ServedNow, ServedPublications } from '../../front/serving.ts';
import type { Publications } from '../../http/publication-texts.ts';
import { timestamp } from '../../lei/dates.ts';
import { nobody, type Observer, type WorkOutcome } from '../../ports/observer.ts';
import type { Failure, Loading } from '../../protocol/control.ts';
import { isLockHeld } from '../../publication/lock.ts';
import type { Manifest } from '../../publication/manifest.ts';
import { type Direction, type Pointer, readablePointer } from '../../publication/pointer.ts';
import { readManifest } from '../../publication/sealed.ts';
import { holdPrevious, startServing } from './start.ts';
import {
  activate,
  closePublication,
  deleteFetched,
  follow,
  prepare,
  retire,
  type SwapFailure,
  type SwapParts,
} from './swap.ts';
import { type Damage, takeOut } from './take-out.ts';

/** Checks of whether the pointer has moved are this far apart. */
const pointerPollMs = 1_000;

interface PublicationsParts extends Omit<SwapParts, 'serving' | 'keep' | 'now'> {
  readonly config: Pick<Config, 'keepPublications'>;
  readonly observer?: Observer;
  readonly now?: () => Date;
  /** Front threads, which are told what is served. */
  readonly fronts?: { served(now: ServedNow): void; settled(): Promise<void> } | undefined;
}

export type ActivationFailure = SwapFailure | { readonly code: 'shutting-down'; readonly message: string };

export class ServicePublications {
  /** The publications that are served now. */
  readonly serving: Publications;
  readonly #swap: SwapParts;
  readonly #fronts: PublicationsParts['fronts'];
  readonly #observer: Observer;
  readonly #serving: ServedPublications;
  /** The last job of the queue: swaps, closings and deletions never overlap. */
  #last: Promise<unknown> = Promise.resolve();
  /** The activation that could not be followed; it is tried and reported once. */
  #refused = '';
  /** Publications that were found damaged; each is reported once. */
  readonly #damaged = new Set<string>();
  /** A check of the pointer that has not begun yet. */
  #nextLook: Promise<void> | null = null;
  #watcher: ReturnType<typeof setInterval> | null = null;

  constructor({ config, observer = nobody, fronts, ...parts }: PublicationsParts) {
    this.#serving = new ServedPublications(undefined, fronts && (() => fronts.served(this.#serving.now())));
    this.serving = this.#serving;
    const keep = config.keepPublications;
    this.#swap = { now: () => new Date(), ...parts, serving: this.#serving, keep };
    this.#fronts = fronts;
    this.#observer = observer;
  }

  /** Serves the active publication, or the newest sound one. Afterwards {@link serving} says whether one is served. */
  start(): Promise<void> {
    return this.#inTurn(async () => {
      const refused = await startServing(this.#swap);
      if (refused !== null) this.#refused = markOf(refused);
    });
  }

  /** Swaps to a publication. Resolves to null once every thread serves it. */
  async activate(id: string, direction: Direction = 'forward'): Promise<ActivationFailure | null> {
    if (!this.#serving.accepting())
      return { code: 'shutting-down', message: 'The service is shutting down.' };
    const failure = await this.#inTurn(async () => {
      if (this.#serving.active()?.manifest.id === id && readablePointer(this.#swap.layout)?.id === id) {
        this.#isSound(id);
        return null;
      }
      return await this.#settle(id, await activate(this.#swap, id, direction));
    });
    if (failure === null) void this.#retire();
    return failure;
  }

  /** The publications that answer questions, the active one first. */
  answering(): readonly Manifest[] {
    const active = this.#serving.active()?.manifest;
    const held = this.#serving.heldIds().map((id) => this.#serving.held(id)?.manifest);
    return [active, ...held.filter((manifest) => manifest !== active)].filter(
      (manifest) => manifest !== undefined,
    );
  }

  /** How many publications were found damaged since the start, without those activated again and those deleted since. */
  damagedCount(): number {
    const { layout } = this.#swap;
    return [...this.#damaged].filter((id) => !isDeleted(layout.publication(id))).length;
  }

  /**
   * Takes a publication out of service in which damage was found (take-out.ts). Reports of the same publication after
   * the first change nothing. Never rejects: nobody awaits what a query thread finds.
   */
  async foundDamaged(id: string, damage: Damage): Promise<void> {
    if (this.#damaged.has(id)) return;
    this.#damaged.add(id);
    const { log } = this.#swap;
    log.error('A publication is damaged.', { publication: id, reason: damage.message });
    await this.#inTurn(() => this.#takeOut(id, damage)).catch((error: unknown) => {
      log.error('The damaged publication could not be taken out of service.', { publication: id, error });
    });
  }

  async #takeOut(id: string, damage: Damage): Promise<void> {
    if (this.#serving.held(id) === null) return;
    await takeOut(this.#swap, id, damage, this.#damaged);
    const pointer = readablePointer(this.#swap.layout);
    if (pointer !== null) this.#refused = markOf(pointer);
    const at = timestamp(this.#swap.now());
    this.#serving.fail({ at, phase: 'verify', message: damage.message });
    await this.#fronts?.settled();
  }

  /** Swaps if the pointer has moved, also just before this call. */
  followPointer(): Promise<void> {
    // A swap may take longer than the time between two checks. A check that has begun may have read the pointer already.
    this.#nextLook ??= this.#lookOnce();
    return this.#nextLook;
  }

  async #lookOnce(): Promise<void> {
    const look = () => {
      this.#nextLook = null;
      return this.#followNew();
    };
    if (await this.#inTurn(look)) void this.#retire();
  }

  /**
   * Opens a publication in every thread, so that it can be served at once, and holds it for cursors of nodes that serve
   * it already. The next one that is made ready takes its place. Null, or why it can't be served.
   * @param activatedAt when it becomes active, as far as that is known
   */
  makeReady(id: string, activatedAt: string): Promise<SwapFailure | null> {
    return this.#inTurn(async () => {
      const held = this.#serving.held(id);
      // A publication that cursors read keeps its last time of activation until it is activated again.
      if (held !== null && this.#serving.expected() !== id) {
        this.#serving.expect(held);
        return null;
      }
      const prepared = await prepare(this.#swap, id);
      if ('code' in prepared) return prepared;
      this.#isSound(id);
      this.#serving.expect({ manifest: prepared, activatedAt });
      return null;
    });
  }

  /** Closes the publication that was made ready. */
  async expectNone(): Promise<void> {
    this.#serving.expectNone();
    await this.#retire();
  }

  /** Deletes a publication that was fetched here, unless it was active, is held or is named by the pointer. */
  deleteFetched(id: string): Promise<void> {
    return this.#inTurn(() => deleteFetched(this.#swap, id));
  }

  /** @returns whether the pointer had moved and its publication is now served */
  async #followNew(): Promise<boolean> {
    const pointer = this.#movedPointer();
    if (pointer === null || !this.#serving.accepting()) return false;
    // Do this first: cursors may come from nodes that already serve these.
    await holdPrevious(this.#swap, pointer);
    const failure = await this.#settle(pointer.id, await follow(this.#swap, pointer));
    if (failure !== null) this.#refused = markOf(pointer);
    return failure === null;
  }

  /** Closes publications so that their files may be deleted. The active one stays. @returns the closed ones */
  release(ids: readonly string[]): Promise<readonly string[]> {
    return this.#inTurn(async () => {
      const releasable = ids.filter((id) => id !== this.#serving.active()?.manifest.id);
      for (const id of releasable) await closePublication(this.#swap, id);
      return releasable;
    });
  }

  /**
   * Closes an earlier publication whose files are gone. Never gives up the active one, nor one that may open at the
   * next try. @returns whether it was given up
   */
  giveUp(id: string): boolean {
    const { layout, log } = this.#swap;
    if (this.#serving.active()?.manifest.id === id) return false;
    const reading = readManifest(layout, id);
    if (reading.outcome === 'sound') return false;
    this.#serving.letGo(id);
    log.error('An earlier publication is no longer on the disk; its cursors have expired.', {
      publication: id,
      reason: reading.message,
    });
    return true;
  }

  /** @param outcome how a load has ended; absent if none has */
  reportLoading(loading: Loading | null, failure: Failure | null, outcome?: WorkOutcome): void {
    this.#serving.setLoading(loading);
    if (failure !== null) this.#tellFailure(failure);
    if (outcome !== undefined) this.#observer.load(outcome);
  }

  #tellFailure(failure: Failure): void {
    this.#serving.fail(failure);
    const { phase, message } = failure;
    this.#swap.log.warn('A load or an update failed; the service goes on with the data that it serves.', {
      phase,
      reason: message,
    });
  }

  /** Checks the pointer every second from now on. */
  watch(): void {
    const look = () => {
      this.#noticeKilledLoad();
      return this.followPointer().catch((error: unknown) => {
        this.#swap.log.error('The publication that active.json names could not be taken over.', { error });
      });
    };
    this.#watcher = setInterval(() => void look(), pointerPollMs);
  }

  /** A load and an update run under locks, which the kernel ends with their process. */
  #noticeKilledLoad(): void {
    const killed = this.#serving.perhapsKilled();
    const { loadLock, updateLock } = this.#swap.layout;
    if (killed === null || mayBeHeld(loadLock) || mayBeHeld(updateLock)) return;
    const at = timestamp(this.#swap.now());
    const message = 'The command was killed. lei prune deletes what it left in the staging folder.';
    this.reportLoading(null, { at, phase: killed.phase, message }, 'failed');
  }

  /** Stops accepting and watching. Resolves when no swap runs any more. */
  async stop(): Promise<void> {
    this.#serving.drain();
    if (this.#watcher !== null) clearInterval(this.#watcher);
    // A swap that ends meanwhile adds the job that retires.
    for (let last: unknown = null; last !== this.#last; ) {
      last = this.#last;
      await this.#last;
    }
  }

  #inTurn<Result>(job: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(job);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Reports the outcome of a swap to the log, the status and the observer, once every front has followed it. */
  async #settle(id: string, failure: SwapFailure | null): Promise<SwapFailure | null> {
    this.#observer.swap(failure === null ? 'ok' : 'failed');
    if (failure === null) {
      this.#isSound(id);
      await this.#fronts?.settled();
      this.#swap.log.info('A publication is active.', { publication: id });
      return null;
    }
    const at = timestamp(this.#swap.now());
    this.#serving.fail({ at, phase: 'activate', message: failure.message });
    this.#swap.log.error(
      'A publication could not be activated; the service goes on with the one that it serves.',
      {
        publication: id,
        code: failure.code,
        reason: failure.message,
      },
    );
    return failure;
  }

  /** A publication that was damaged before can be served again: somebody checked it, or it was fetched anew. */
  #isSound(id: string): void {
    if (this.#damaged.delete(id)) this.#refused = '';
  }

  /** The pointer, if it names another activation than the served one and was not refused already. */
  #movedPointer(): Pointer | null {
    // If it can't be read, the service keeps what it serves; the next activation rewrites it.
    const pointer = readablePointer(this.#swap.layout);
    if (pointer === null || markOf(pointer) === this.#refused) return null;
    const active = this.#serving.active();
    const same = active?.manifest.id === pointer.id && active.activatedAt === pointer.activatedAt;
    return same ? null : pointer;
  }

  #retire(): Promise<void> {
    return this.#inTurn(() => retire(this.#swap)).catch((error: unknown) => {
      this.#swap.log.warn('Outdated publications could not be retired.', { error });
    });
  }
}

/** A folder that can't be looked at counts as there. */
function isDeleted(folder: string): boolean {
  try {
    return lstatSync(folder, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/** A lock that can't be checked may be held. */
function mayBeHeld(path: string): boolean {
  try {
    return isLockHeld(path);
  } catch {
    return true;
  }
}

function markOf({ id, activatedAt }: Pointer): string {
  return `${id} ${activatedAt}`;
}
