/**
 * Enforces deadlines of calls with one timer for all of them: a timer for each would cost a busy front more than the
 * call's bytes.
 */

/** An open call. */
interface Call {
  readonly dueAt: number;
  readonly late: () => void;
}

export class Deadlines {
  readonly #calls = new Set<Call>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #firesAt = 0;

  /** The result of the work, or an error if it takes longer. */
  keep<Result>(work: Promise<Result>, deadlineMs: number): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const late = () => reject(new Error(`it did not answer within ${Math.ceil(deadlineMs)} ms`));
    const call = { dueAt: performance.now() + deadlineMs, late };
    this.#calls.add(call);
    if (this.#timer === null || call.dueAt < this.#firesAt) this.#wait(call.dueAt, deadlineMs);
    const done = () => this.#calls.delete(call);
    work.then(
      (result) => {
        done();
        resolve(result);
      },
      (error) => {
        done();
        reject(error);
      },
    );
    return promise;
  }

  #wait(until: number, ms: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#firesAt = until;
    this.#timer = setTimeout(this.#fire, ms);
    // A process that waits for nothing else may end.
    this.#timer.unref();
  }

  readonly #fire = (): void => {
    this.#timer = null;
    const now = performance.now();
    const calls = [...this.#calls].sort((one, other) => one.dueAt - other.dueAt);
    const overdue = calls.filter(({ dueAt }) => dueAt <= now);
    // An answer that has arrived but was not read yet, because this thread was busy, is in time.
    if (overdue.length > 0) setImmediate(() => setImmediate(() => this.#end(overdue)));
    const next = calls[overdue.length];
    if (next !== undefined) this.#wait(next.dueAt, next.dueAt - now);
  };

  #end(overdue: readonly Call[]): void {
    for (const call of overdue) if (this.#calls.delete(call)) call.late();
  }
}
