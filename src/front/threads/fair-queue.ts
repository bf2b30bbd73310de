/**
 * Queues slow questions that wait for a thread, fairly between clients: each client has its own queue, and the queues
 * are served in turn.
 *
 * A client that had nothing waiting is a newcomer until its first turn. Newcomers come first, so that a client with one
 * question need not wait for a round over all clients with many. After some of their turns the others have one, so that
 * endless newcomers block nobody.
 *
 * ```
 * newcomers   D E            turns: D E A B C A …
 * returning   A B C          A client goes to the end of the returning ones after its turn. It is forgotten when its next
 *                            turn comes and it has nothing waiting: asking one question at a time makes no newcomer.
 * ```
 */
import { isWaiting, type PendingQuestion, settle, unavailable } from './inbox.ts';
import { threadLimits } from './limits.ts';

interface Client {
  readonly id: string;
  readonly questions: PendingQuestion[];
}

export class FairQueue {
  readonly #clients = new Map<string, Client>();
  readonly #newcomers: Client[] = [];
  readonly #returning: Client[] = [];
  #newcomersInRow = 0;
  #length = 0;

  /** Waiting questions, including those whose caller has given up since. */
  get length(): number {
    return this.#length;
  }

  /**
   * Whether a client may add a question. A full queue still accepts the first question of a client, up to twice its
   * size.
   * @param size the number of questions that fill the queue
   */
  hasRoomFor(clientId: string, size: number): boolean {
    const waiting = this.#clients.get(clientId)?.questions.length ?? 0;
    if (waiting >= threadLimits.waitingQuestionsPerClientMax) return false;
    return this.#length < (waiting === 0 ? 2 * size : size);
  }

  add(pending: PendingQuestion): void {
    const { clientId } = pending;
    let client = this.#clients.get(clientId);
    if (client === undefined) {
      client = { id: clientId, questions: [] };
      this.#clients.set(clientId, client);
      this.#newcomers.push(client);
    }
    client.questions.push(pending);
    this.#length++;
  }

  /** The next question; null if none waits. */
  next(): PendingQuestion | null {
    for (;;) {
      const client = this.#nextClient();
      const pending = client?.questions.shift();
      if (client === undefined || pending === undefined) return null;
      this.#length--;
      this.#returning.push(client);
      if (pending.isOutdated?.() === true) settle(pending, unavailable['queue-full']);
      else if (isWaiting(pending)) return pending;
    }
  }

  /** A client with at least one question. */
  #nextClient(): Client | undefined {
    const newcomer =
      this.#newcomersInRow < threadLimits.newcomersInRowMax ? this.#newcomers.shift() : undefined;
    this.#newcomersInRow = newcomer === undefined ? 0 : this.#newcomersInRow + 1;
    return newcomer ?? this.#nextReturning() ?? this.#newcomers.shift();
  }

  #nextReturning(): Client | undefined {
    for (let client = this.#returning.shift(); client !== undefined; client = this.#returning.shift()) {
      if (client.questions.length > 0) return client;
      this.#clients.delete(client.id);
    }
    return undefined;
  }

  /** All questions that somebody still waits for. */
  waiting(): readonly PendingQuestion[] {
    return [...this.#clients.values()].flatMap(({ questions }) => questions.filter(isWaiting));
  }
}
