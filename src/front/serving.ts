/** Tracks the publications served now: the active one, and earlier ones that cursors still read. */

import type { HeldPublication, Publications } from '../http/publication-texts.ts';
import type { Failure, Loading } from '../protocol/control.ts';
import { controlLimits } from '../protocol/control-limits.ts';
import type { Unavailability } from '../protocol/questions.ts';
import { type Activation, earlierActivations, type Pointer } from '../publication/pointer.ts';

/** The served publications as plain data, which the main thread posts to front threads. */
export interface ServedNow {
  readonly activeId: string | null;
  /** Includes the active one. */
  readonly held: readonly HeldPublication[];
  /** As {@link ServedPublications.history}. */
  readonly history: readonly Activation[];
  readonly loading: Loading | null;
  readonly lastFailure: Failure | null;
  readonly accepting: boolean;
}

/**
 * In the main thread, only `serve` changes it. A front thread has one of its own, which adopts each change. All others see
 * {@link Publications}.
 */
export class ServedPublications implements Publications {
  /** Renewed with each change, because every request reads it. */
  answering: HeldPublication | Unavailability = 'no-publication';
  #active: HeldPublication | null = null;
  readonly #held = new Map<string, HeldPublication>();
  #expected: string | null = null;
  #history: readonly Activation[] = [];
  #loading: Loading | null = null;
  #loadingHeardAt = 0;
  #lastFailure: Failure | null = null;
  #accepting = true;
  readonly #clock: () => number;
  readonly #changed: () => void;

  /**
   * @param clock milliseconds; never goes back
   * @param changed is called after each change
   */
  constructor(clock: () => number = () => performance.now(), changed: () => void = () => {}) {
    this.#clock = clock;
    this.#changed = changed;
  }

  active(): HeldPublication | null {
    return this.#active;
  }

  held(id: string): HeldPublication | null {
    return this.#held.get(id) ?? null;
  }

  previous(): readonly Activation[] {
    if (this.#active === null) return [];
    const pointer = { id: this.#active.manifest.id, previous: this.#history };
    return earlierActivations(pointer, (id) => this.#held.has(id));
  }

  /** Every earlier activation that the pointer lists, newest first, including publications that are gone. */
  history(): readonly Activation[] {
    return this.#history;
  }

  /** Null once a load has gone silent: a command that is killed can't report its end. */
  loading(): Loading | null {
    return this.#silentMs() < controlLimits.loadingSilentMsMax ? this.#loading : null;
  }

  /** The load that is shown, if its last report is so old that it may have ended. */
  perhapsKilled(): Loading | null {
    return this.#silentMs() < controlLimits.loadingEndMsMax ? null : this.loading();
  }

  #silentMs(): number {
    return this.#clock() - this.#loadingHeardAt;
  }

  lastFailure(): Failure | null {
    return this.#lastFailure;
  }

  accepting(): boolean {
    return this.#accepting;
  }

  /** Everything that a front thread needs to know. */
  now(): ServedNow {
    return {
      activeId: this.#active?.manifest.id ?? null,
      held: [...this.#held.values()],
      history: this.#history,
      loading: this.loading(),
      lastFailure: this.#lastFailure,
      accepting: this.#accepting,
    };
  }

  /** Takes over the publications that the main thread serves. */
  adopt({ activeId, held, history, loading, lastFailure, accepting }: ServedNow): void {
    const known = new Map(this.#held);
    this.#held.clear();
    for (const publication of held) {
      const { id } = publication.manifest;
      const before = known.get(id);
      // Keep a known object: the texts made for its publication are cached with it.
      this.#held.set(id, before?.activatedAt === publication.activatedAt ? before : publication);
    }
    this.#active = activeId === null ? null : this.held(activeId);
    this.#history = history;
    this.#loading = loading;
    this.#loadingHeardAt = this.#clock();
    this.#lastFailure = lastFailure;
    this.#accepting = accepting;
    this.#renewAnswering();
  }

  #renewAnswering(): void {
    if (this.#active === null) this.answering = 'no-publication';
    else this.answering = this.#accepting ? this.#active : 'shutting-down';
  }

  heldIds(): readonly string[] {
    return [...this.#held.keys()];
  }

  /** The publication that is held because it is about to become active. */
  expected(): string | null {
    return this.#expected;
  }

  /** Holds a publication for cursors of nodes that already serve it. */
  expect(publication: HeldPublication): void {
    this.#expected = publication.manifest.id;
    this.hold(publication);
  }

  /** From now on it is held no longer than others. */
  expectNone(): void {
    this.#expected = null;
  }

  /** Sends new questions to this publication from now on. The previous one stays held. */
  switchTo(publication: HeldPublication, pointer: Pointer): void {
    if (this.#expected === publication.manifest.id) this.#expected = null;
    this.#held.set(publication.manifest.id, publication);
    this.#active = publication;
    this.#history = pointer.previous;
    this.#lastFailure = null;
    this.#renewAnswering();
    this.#changed();
  }

  /** Answers no questions until the next publication: none is sound. */
  serveNone(): void {
    this.#active = null;
    this.#renewAnswering();
    this.#changed();
  }

  /** Keeps an earlier publication for cursors that began in it. */
  hold(publication: HeldPublication): void {
    this.#held.set(publication.manifest.id, publication);
    this.#changed();
  }

  /** Stops returning a publication other than the active one. */
  letGo(id: string): void {
    this.#held.delete(id);
    this.#changed();
  }

  setLoading(loading: Loading | null): void {
    this.#loading = loading;
    this.#loadingHeardAt = this.#clock();
    this.#changed();
  }

  fail(failure: Failure): void {
    this.#lastFailure = failure;
    this.#changed();
  }

  drain(): void {
    this.#accepting = false;
    this.#renewAnswering();
    this.#changed();
  }
}
