/** What the service serves at this moment: one active publication, and earlier ones that cursors still read. */

import type { Failure, Loading } from '../../protocol/control.ts';
import { controlLimits } from '../../protocol/limits.ts';
import { type Activation, earlierActivations, type Pointer } from '../../publication/pointer.ts';
import type { HeldPublication, Publications } from '../contracts.ts';

/** Changed in this folder alone; everyone else sees {@link Publications}. */
export class Serving implements Publications {
  #active: HeldPublication | null = null;
  readonly #held = new Map<string, HeldPublication>();
  #history: readonly Activation[] = [];
  #loading: Loading | null = null;
  #loadingHeardAt = 0;
  #lastFailure: Failure | null = null;
  #accepting = true;
  readonly #now: () => number;

  /** @param now clock in milliseconds that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
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

  /** Every earlier activation that the pointer remembers, newest first; also of what is gone. */
  history(): readonly Activation[] {
    return this.#history;
  }

  /** Null again where a load has gone silent: a command that is killed can't say that it has ended. */
  loading(): Loading | null {
    return this.#now() - this.#loadingHeardAt < controlLimits.loadingSilentMsMax ? this.#loading : null;
  }

  lastFailure(): Failure | null {
    return this.#lastFailure;
  }

  accepting(): boolean {
    return this.#accepting;
  }

  heldIds(): readonly string[] {
    return [...this.#held.keys()];
  }

  /** From here on new questions go to this publication; the one before stays held. */
  switchTo(publication: HeldPublication, pointer: Pointer): void {
    this.hold(publication);
    this.#active = publication;
    this.#history = pointer.previous;
    this.#lastFailure = null;
  }

  /** Keeps an earlier publication for cursors that began in it. */
  hold(publication: HeldPublication): void {
    this.#held.set(publication.manifest.id, publication);
  }

  /** Nobody may start to read it from now on. Not to be done to the active one. */
  letGo(id: string): void {
    this.#held.delete(id);
  }

  setLoading(loading: Loading | null): void {
    this.#loading = loading;
    this.#loadingHeardAt = this.#now();
  }

  fail(failure: Failure): void {
    this.#lastFailure = failure;
  }

  drain(): void {
    this.#accepting = false;
  }
}
