/** The time limit of a search, checked between its steps: each read of a row of the index is one. */

/** A search took longer than its caller allowed. */
export class SearchTimeout extends Error {
  override readonly name = 'SearchTimeout';
}

/** The clock is read once in so many steps. It must be a power of two. */
const stepsBetweenLooks = 64;

export class Deadline {
  readonly #now: () => number;
  #endsAt = Number.POSITIVE_INFINITY;
  #steps = 0;

  /** @param now milliseconds; never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Begins a search that may take so many milliseconds. */
  start(limitMs: number): void {
    this.#endsAt = limitMs === Number.POSITIVE_INFINITY ? limitMs : this.#now() + limitMs;
    this.#steps = 0;
  }

  /** To be called at every step. @throws SearchTimeout once the time is over */
  check(): void {
    this.#steps = (this.#steps + 1) & (stepsBetweenLooks - 1);
    if (this.#steps === 0 && this.#now() > this.#endsAt) throw new SearchTimeout('The search took too long.');
  }
}
