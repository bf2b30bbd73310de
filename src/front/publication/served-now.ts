/**
 * Describes what the main thread serves, as plain data that crosses to front threads, and gives a front its view of it.
 */
import type { Failure, Loading } from '../../protocol/control.ts';
import { controlLimits } from '../../protocol/limits.ts';
import type { Activation } from '../../publication/pointer.ts';
import type { HeldPublication, Publications } from '../contracts.ts';
import type { Serving } from './serving.ts';

export interface ServedNow {
  readonly activeId: string | null;
  /** Includes the active one. */
  readonly held: readonly HeldPublication[];
  readonly previous: readonly Activation[];
  readonly loading: Loading | null;
  readonly lastFailure: Failure | null;
  readonly accepting: boolean;
}

export function servedNow(serving: Serving): ServedNow {
  return {
    activeId: serving.active()?.manifest.id ?? null,
    held: serving.heldIds().flatMap((id) => serving.held(id) ?? []),
    previous: serving.previous(),
    loading: serving.loading(),
    lastFailure: serving.lastFailure(),
    accepting: serving.accepting(),
  };
}

/** What is served before the main thread has sent anything. */
const nothingServed: ServedNow = {
  activeId: null,
  held: [],
  previous: [],
  loading: null,
  lastFailure: null,
  accepting: true,
};

export class ServedView implements Publications {
  #now: ServedNow = nothingServed;
  #held = new Map<string, HeldPublication>();
  #loadingHeardAt = 0;

  take(now: ServedNow): void {
    // What is made once for a publication is cached with the object that represents it.
    const known = this.#held;
    this.#held = new Map(now.held.map((held) => [held.manifest.id, sameOf(known, held)]));
    if (now.loading !== null) this.#loadingHeardAt = performance.now();
    this.#now = now;
  }

  active(): HeldPublication | null {
    return this.#now.activeId === null ? null : this.held(this.#now.activeId);
  }

  held(id: string): HeldPublication | null {
    return this.#held.get(id) ?? null;
  }

  previous(): readonly Activation[] {
    return this.#now.previous;
  }

  /** Null once a load has gone silent, as in the main thread. */
  loading(): Loading | null {
    const silentMs = performance.now() - this.#loadingHeardAt;
    return silentMs < controlLimits.loadingSilentMsMax ? this.#now.loading : null;
  }

  lastFailure(): Failure | null {
    return this.#now.lastFailure;
  }

  accepting(): boolean {
    return this.#now.accepting;
  }
}

function sameOf(known: ReadonlyMap<string, HeldPublication>, held: HeldPublication): HeldPublication {
  const before = known.get(held.manifest.id);
  return before?.activatedAt === held.activatedAt ? before : held;
}
