/** The publications of a running service: what to serve at start, swaps one after the other, and what is kept. */

import type { Config } from '../../config.ts';
import { timestamp } from '../../lei/timestamp.ts';
import type { Failure, Loading } from '../../protocol/control.ts';
import type { Layout } from '../../publication/layout.ts';
import { type Pointer, readablePointer } from '../../publication/pointer.ts';
import { readManifest } from '../../publication/sealed.ts';
import type { Publications } from '../contracts.ts';
import type { Log } from '../log.ts';
import type { QueryThreads } from '../threads/query-pool.ts';
import type { BringIntoMemory } from './bring-into-memory.ts';
import type { InspectPublication } from './inspect-publication.ts';
import { publicationLimits } from './limits.ts';
import { deleteUnneeded, keptIds } from './retire.ts';
import { Serving } from './serving.ts';
import { startServing } from './start.ts';
import { activate, follow, type SwapFailure, type SwapParts } from './swap.ts';

export interface PublicationsParts {
  readonly config: Pick<Config, 'keepPublications'>;
  readonly layout: Layout;
  readonly threads: QueryThreads;
  readonly inspect: InspectPublication;
  readonly bringIntoMemory: BringIntoMemory;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly now?: () => Date;
}

export type ActivationFailure = SwapFailure | { readonly code: 'shutting-down'; readonly message: string };

export interface ServicePublications extends Publications {
  /** Serves what the pointer names, or the newest sound publication; afterwards `active()` says whether one is. */
  start(): Promise<void>;
  /** Swaps to a sealed publication; null once every thread serves it. */
  activate(id: string): Promise<ActivationFailure | null>;
  /** Swaps where the pointer was moved by someone else. */
  followPointer(): Promise<void>;
  /** Closes publications so that their files may be deleted. Those that are active stay. @returns the closed ones */
  release(ids: readonly string[]): Promise<readonly string[]>;
  /**
   * Lets go of an earlier publication where its files are gone. What is active is never given up, nor what may be
   * opened the next time.
   */
  giveUp(id: string): boolean;
  reportLoading(loading: Loading | null, failure: Failure | null): void;
  /** Looks at the pointer every second from now on. */
  watch(): void;
  /** Stops accepting and watching; resolves when no swap runs any more. */
  stop(): Promise<void>;
}

export function createPublications(parts: PublicationsParts): ServicePublications {
  return new RunningPublications(parts);
}

class RunningPublications implements ServicePublications {
  readonly #parts: PublicationsParts;
  readonly #swap: SwapParts;
  readonly #serving = new Serving();
  /** The last job of the queue: swaps, releases and deletions never overlap. */
  #last: Promise<unknown> = Promise.resolve();
  /** A pointer that could not be followed, so that each is tried and reported once. */
  #refusedPointer = '';
  #following = false;
  #watcher: ReturnType<typeof setInterval> | null = null;

  constructor(parts: PublicationsParts) {
    this.#parts = parts;
    const { layout, threads, inspect, now = () => new Date() } = parts;
    this.#swap = { layout, threads, inspect, serving: this.#serving, now };
  }

  readonly active = () => this.#serving.active();
  readonly held = (id: string) => this.#serving.held(id);
  readonly previous = () => this.#serving.previous();
  readonly loading = () => this.#serving.loading();
  readonly lastFailure = () => this.#serving.lastFailure();
  readonly accepting = () => this.#serving.accepting();

  start(): Promise<void> {
    return this.#inTurn(async () => {
      const { config, log } = this.#parts;
      const refused = await startServing(this.#swap, { keep: config.keepPublications, log });
      if (refused !== null) this.#refusedPointer = markOf(refused);
    });
  }

  async activate(id: string): Promise<ActivationFailure | null> {
    if (!this.accepting()) return { code: 'shutting-down', message: 'The service is shutting down.' };
    const failure = await this.#inTurn(async () => {
      if (this.active()?.manifest.id === id && readablePointer(this.#parts.layout)?.id === id) return null;
      await this.#bringIntoMemory(id);
      return this.#settle(id, await activate(this.#swap, id));
    });
    if (failure === null) this.#retire();
    return failure;
  }

  async followPointer(): Promise<void> {
    // A swap may take longer than the time between two looks.
    if (this.#following) return;
    this.#following = true;
    try {
      if (await this.#inTurn(() => this.#followNewPointer())) this.#retire();
    } finally {
      this.#following = false;
    }
  }

  /** @returns whether there was one, and it is served now */
  async #followNewPointer(): Promise<boolean> {
    const pointer = this.#newPointer();
    if (pointer === null || !this.accepting()) return false;
    await this.#bringIntoMemory(pointer.id);
    const failure = this.#settle(pointer.id, await follow(this.#swap, pointer));
    if (failure !== null) this.#refusedPointer = markOf(pointer);
    return failure === null;
  }

  release(ids: readonly string[]): Promise<readonly string[]> {
    return this.#inTurn(async () => {
      const releasable = ids.filter((id) => id !== this.active()?.manifest.id);
      for (const id of releasable) await this.#close(id);
      return releasable;
    });
  }

  giveUp(id: string): boolean {
    const { layout, log } = this.#parts;
    if (this.active()?.manifest.id === id) return false;
    const reading = readManifest(layout, id);
    if (reading.outcome === 'sound') return false;
    this.#serving.letGo(id);
    log.error('An earlier publication is gone from the disk; cursors in it have expired.', {
      publication: id,
      reason: reading.message,
    });
    return true;
  }

  reportLoading(loading: Loading | null, failure: Failure | null): void {
    this.#serving.setLoading(loading);
    if (failure !== null) this.#serving.fail(failure);
  }

  watch(): void {
    const look = () =>
      this.followPointer().catch((error: unknown) => {
        this.#parts.log.error('The pointer to the active publication could not be followed.', { error });
      });
    this.#watcher = setInterval(() => void look(), publicationLimits.announcementPollMs);
  }

  async stop(): Promise<void> {
    this.#serving.drain();
    if (this.#watcher !== null) clearInterval(this.#watcher);
    // A swap that ends meanwhile has what is no longer kept retired.
    for (let last: unknown = null; last !== this.#last; ) {
      last = this.#last;
      await this.#last;
    }
  }

  /**
   * Before a swap beside answers, to one that is held too, as in a rollback: nobody may have asked for its rows for
   * days. Why one that is not sound can't be served the swap tells.
   */
  async #bringIntoMemory(id: string): Promise<void> {
    const { layout, bringIntoMemory } = this.#parts;
    if (readManifest(layout, id).outcome === 'sound') await bringIntoMemory(id);
  }

  #inTurn<Result>(job: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(job);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Makes the outcome of a swap known. */
  #settle(id: string, failure: SwapFailure | null): SwapFailure | null {
    if (failure === null) {
      this.#parts.log.info('A publication is active.', { publication: id });
      return null;
    }
    const at = timestamp(this.#swap.now());
    this.#serving.fail({ at, phase: 'activate', message: failure.message });
    this.#parts.log.error('A publication could not be activated; what was served still is.', {
      publication: id,
      code: failure.code,
      reason: failure.message,
    });
    return failure;
  }

  /** The pointer, where it names another activation than the one served and was not refused already. */
  #newPointer(): Pointer | null {
    // Where it is damaged while the service runs, what is served stays, and the next activation writes it anew.
    const pointer = readablePointer(this.#parts.layout);
    if (pointer === null || markOf(pointer) === this.#refusedPointer) return null;
    const active = this.active();
    const same = active?.manifest.id === pointer.id && active.activatedAt === pointer.activatedAt;
    return same ? null : pointer;
  }

  /** Closes what cursors may no longer read, then deletes what nobody needs. What hinders it hinders nothing else. */
  #retire(): void {
    const { layout, config, log } = this.#parts;
    void this.#inTurn(async () => {
      const kept = keptIds(layout, this.#serving, config.keepPublications);
      for (const id of this.#serving.heldIds()) if (!kept.has(id)) await this.#close(id);
      await deleteUnneeded(layout, this.#serving, kept, log);
    }).catch((error: unknown) => {
      log.warn('Publications that are no longer kept could not be retired.', { error });
    });
  }

  async #close(id: string): Promise<void> {
    this.#serving.letGo(id);
    await this.#parts.threads.close(id);
  }
}

function markOf({ id, activatedAt }: Pointer): string {
  return `${id} ${activatedAt}`;
}
