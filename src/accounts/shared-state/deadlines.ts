/**
 * Enforces deadlines of calls with one timer for all of them: a timer for each would cost a busy front more than the
 * call's bytes. Time in which this thread did not run does not count, because it was busy or because the system ran
 * others: the answer may have been there all along.
 */

/** The timer fires this often while calls are open. If it fires later, the thread did not run in between. */
const tickMs = 10;
/** The most that counts from one tick to the next. */
const countedMsMax = 1.5 * tickMs;

/** An open call. */
interface TimedCall {
  /** Of {@link Deadlines.ranMs}. */
  readonly dueAt: number;
  readonly late: () => void;
}

export class Deadlines {
  readonly #calls = new Set<TimedCall>();
  /** Null while no call is open. */
  #timer: ReturnType<typeof setInterval> | null = null;
  /** Of `performance.now()`. */
  #tickedAt = 0;
  #countedMs = 0;

  /** How long this thread has run while calls were open, in milliseconds. */
  get ranMs(): number {
    if (this.#timer === null) return this.#countedMs;
    return this.#countedMs + Math.min(performance.now() - this.#tickedAt, countedMsMax);
  }

  /** The result of the work, or an error if it takes longer. */
  keep<Result>(work: Promise<Result>, deadlineMs: number): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const late = () => reject(new Error(`it did not answer within ${Math.ceil(deadlineMs)} ms`));
    if (this.#timer === null) this.#start();
    const call = { dueAt: this.ranMs + deadlineMs, late };
    this.#calls.add(call);
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

  #start(): void {
    this.#tickedAt = performance.now();
    this.#timer = setInterval(this.#tick, tickMs);
    // A process that waits for nothing else may end.
    this.#timer.unref();
  }

  readonly #tick = (): void => {
    this.#countedMs = this.ranMs;
    this.#tickedAt = performance.now();
    const overdue = [...this.#calls].filter(({ dueAt }) => dueAt <= this.#countedMs);
    // An answer that has arrived but was not read yet is in time.
    if (overdue.length > 0) setImmediate(() => setImmediate(() => this.#end(overdue)));
    if (this.#calls.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  };

  #end(overdue: readonly TimedCall[]): void {
    const inOrder = overdue.toSorted((one, other) => one.dueAt - other.dueAt);
    for (const call of inOrder) if (this.#calls.delete(call)) call.late();
  }
}
