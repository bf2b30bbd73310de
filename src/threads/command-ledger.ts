/** Tracks commands to one thread. Each ends with the thread's report, at its time limit, or with the thread. */

/** Null when the command was done, otherwise why not. */
export type ThreadFailure = string | null;

export class CommandLedger {
  readonly #waiting = new Map<string, (failure: ThreadFailure) => void>();
  #ended: string | null = null;

  start(name: string, timeoutMs: number): Promise<ThreadFailure> {
    if (this.#ended !== null) return Promise.resolve(this.#ended);
    const { promise, resolve } = Promise.withResolvers<ThreadFailure>();
    const timer = setTimeout(() => this.finish(name, `it took longer than ${timeoutMs} ms`), timeoutMs);
    this.#waiting.set(name, (failure) => {
      clearTimeout(timer);
      resolve(failure);
    });
    return promise;
  }

  /** @returns false if nobody waits for this command any more */
  finish(name: string, failure: ThreadFailure): boolean {
    const resolve = this.#waiting.get(name);
    this.#waiting.delete(name);
    resolve?.(failure);
    return resolve !== undefined;
  }

  endAll(reason: string): void {
    this.#ended = reason;
    for (const name of [...this.#waiting.keys()]) this.finish(name, reason);
  }
}
