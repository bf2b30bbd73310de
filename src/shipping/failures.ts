/** Remembers which publications could not be fetched or served, and when to try each again. */
import { errorCode, reasonOf } from '../errors.ts';
import { shippingLimits } from './limits.ts';

interface Failed {
  readonly reason: string;
  /** Whether the publication itself, or this machine, is to blame rather than the connection to the store. */
  readonly refused: boolean;
  readonly tries: number;
  /** Of `performance.now()`. */
  readonly againAt: number;
}

export class Failures {
  readonly #failed = new Map<string, Failed>();

  /** @returns whether this reason is new */
  note(id: string, error: unknown): boolean {
    const before = this.#failed.get(id);
    const tries = (before?.tries ?? 0) + 1;
    const pauseMs = Math.min(shippingLimits.announcementPollMs * 2 ** (tries - 1), shippingLimits.againMsMax);
    const reason = reasonOf(error);
    const refused = errorCode(error) !== 'unreachable';
    this.#failed.set(id, { reason, refused, tries, againAt: performance.now() + pauseMs });
    return before?.reason !== reason;
  }

  clear(id: string): void {
    this.#failed.delete(id);
  }

  has(id: string): boolean {
    return this.#failed.has(id);
  }

  of(id: string): Failed | null {
    return this.#failed.get(id) ?? null;
  }

  /** Whether it is too early for another try. */
  rests(id: string): boolean {
    return (this.of(id)?.againAt ?? 0) > performance.now();
  }

  forget(): void {
    this.#failed.clear();
  }
}
