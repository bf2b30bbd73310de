/** Makes calls from a front thread to the main thread, each answered by a message. */

export class RemoteCalls<Request, Reply> {
  readonly #send: (call: number, request: Request) => void;
  readonly #waiting = new Map<number, PromiseWithResolvers<Reply>>();
  #lastCall = 0;

  /** @param send posts the request with the number of the call */
  constructor(send: (call: number, request: Request) => void) {
    this.#send = send;
  }

  /** Rejects if the main thread failed. */
  ask(request: Request): Promise<Reply> {
    const call = ++this.#lastCall;
    const waiting = Promise.withResolvers<Reply>();
    this.#waiting.set(call, waiting);
    this.#send(call, request);
    return waiting.promise;
  }

  /** @param reply null if the main thread failed, and has logged why */
  finish(call: number, reply: Reply | null): void {
    const waiting = this.#waiting.get(call);
    this.#waiting.delete(call);
    if (reply === null) waiting?.reject(new Error('The main thread failed to answer.'));
    else waiting?.resolve(reply);
  }
}
