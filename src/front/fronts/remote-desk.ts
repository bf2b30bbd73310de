/** Passes the requests of a front thread's pages about accounts to the main thread, which answers each by a message. */
import type { AccountDesk, AccountReply, AccountRequest } from '../pages/account/desk.ts';

export class RemoteDesk implements AccountDesk {
  readonly #send: (call: number, request: AccountRequest) => void;
  readonly #waiting = new Map<number, PromiseWithResolvers<AccountReply>>();
  #lastCall = 0;

  /** @param send posts the request with the number of the call */
  constructor(send: (call: number, request: AccountRequest) => void) {
    this.#send = send;
  }

  /** Rejects if the main thread failed. */
  answer(request: AccountRequest): Promise<AccountReply> {
    const call = ++this.#lastCall;
    const waiting = Promise.withResolvers<AccountReply>();
    this.#waiting.set(call, waiting);
    this.#send(call, request);
    return waiting.promise;
  }

  /** @param reply null if the main thread failed, and has logged why */
  finish(call: number, reply: AccountReply | null): void {
    const waiting = this.#waiting.get(call);
    this.#waiting.delete(call);
    if (reply === null) waiting?.reject(new Error('The main thread failed to answer.'));
    else waiting?.resolve(reply);
  }
}
