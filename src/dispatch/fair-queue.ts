/**
 * Queues slow questions that wait for a thread, fairly between clients: the next turn belongs to the client whose
 * questions have cost least lately, its next one included. A client with a cheap question therefore waits neither for
 * those who ask much nor for those who ask dear questions.
 *
 * Clients of about the same cost are on one level and are served in turn. Newcomers are on the first, and all others that
 * ask ordinary questions on the second, so that none of them waits for more than one question of each other. After some
 * turns by cost the client that has waited longest has one, so that endless newcomers block nobody.
 *
 * ```
 * level 0   D              turns: D A B C D A …   After its turn a client goes to the end of the level of its new cost.
 * level 1   A B C
 * level 9   F              F has asked dear questions. Its turn comes when no others wait, and once in a while.
 * ```
 */
import type { ClientCosts } from './costs.ts';
import { isWaiting, type PendingQuestion, settle, unavailable } from './inbox.ts';
import { lineLimits, threadLimits } from './limits.ts';

interface WaitingClient {
  readonly id: string;
  readonly questions: PendingQuestion[];
  /** The expected cost of its waiting questions, in milliseconds. */
  waitingMs: number;
  level: number;
  /** The turn after which it came to its level. */
  since: number;
}

/** Whether a thread has room for a question. */
type HasRoom = (pending: PendingQuestion) => boolean;

export class FairQueue {
  readonly #costs: ClientCosts;
  readonly #clients = new Map<string, WaitingClient>();
  /** Clients by level; an empty list has had some. */
  readonly #levels: WaitingClient[][] = [];
  #turns = 0;
  #turnsByCostInRow = 0;
  #length = 0;

  constructor(costs: ClientCosts) {
    this.#costs = costs;
  }

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

  /**
   * Whether further questions of a client can be answered in time: each other client has turns until it has cost as
   * much as these and the client's waiting ones.
   * While nobody waits they always are tried, so that a wrong expectation is corrected.
   * @param ms the expected cost of the further questions
   */
  hasTimeFor(clientId: string, ms: number, threads: number): boolean {
    if (this.#length === 0) return true;
    const own = ms + (this.#clients.get(clientId)?.waitingMs ?? 0);
    let ahead = own;
    for (const { id, waitingMs } of this.#clients.values())
      if (id !== clientId) ahead += Math.min(waitingMs, own);
    return ahead <= threads * lineLimits.questionTimeoutMs * threadLimits.plannedShareMax;
  }

  add(pending: PendingQuestion): void {
    const { clientId } = pending;
    const known = this.#clients.get(clientId);
    const client = known ?? { id: clientId, questions: [], waitingMs: 0, level: 0, since: 0 };
    client.questions.push(pending);
    client.waitingMs += pending.expectedMs;
    this.#length++;
    if (known !== undefined) return;
    this.#clients.set(clientId, client);
    this.#enter(client);
  }

  /** The next question that a thread has room for, charged to its client; null if none waits. */
  next(hasRoom: HasRoom): PendingQuestion | null {
    for (;;) {
      const client = this.#choose(hasRoom);
      const pending = client === null ? undefined : this.#takeFrom(client);
      if (pending === undefined) return null;
      if (pending.isOutdated?.() === true) settle(pending, unavailable['queue-full']);
      if (!isWaiting(pending)) continue;
      this.#costs.add(pending.clientId, pending.expectedMs);
      return pending;
    }
  }

  /** A client with at least one question, for which there is room or that nobody waits for any more. */
  #choose(hasRoom: HasRoom): WaitingClient | null {
    const heads = this.#levels.flatMap(([head]) => (head === undefined ? [] : [head]));
    const isTurnOfOldest = this.#turnsByCostInRow >= threadLimits.turnsByCostInRowMax;
    const order = isTurnOfOldest ? [...heads].sort((a, b) => a.since - b.since) : heads;
    const chosen = order.find(({ questions: [first] }) => first !== undefined && mayEnd(first, hasRoom));
    if (chosen === undefined) return null;
    this.#turnsByCostInRow = isTurnOfOldest ? 0 : this.#turnsByCostInRow + 1;
    return chosen;
  }

  /** @param client the first of its level */
  #takeFrom(client: WaitingClient): PendingQuestion | undefined {
    this.#levels[client.level]?.shift();
    const pending = client.questions.shift();
    if (pending === undefined) return undefined;
    this.#length--;
    this.#turns++;
    client.waitingMs -= pending.expectedMs;
    if (client.questions.length === 0) this.#clients.delete(client.id);
    else this.#enter(client, pending.expectedMs);
    return pending;
  }

  /** @param alsoMs the expected cost of the client's turn */
  #enter(client: WaitingClient, alsoMs = 0): void {
    const nextMs = client.questions[0]?.expectedMs ?? 0;
    client.level = levelOf(this.#costs.of(client.id) + alsoMs, nextMs);
    client.since = this.#turns;
    while (this.#levels.length <= client.level) this.#levels.push([]);
    this.#levels[client.level]?.push(client);
  }

  /** All questions that somebody still waits for. */
  waiting(): readonly PendingQuestion[] {
    return [...this.#clients.values()].flatMap(({ questions }) => questions.filter(isWaiting));
  }
}

function mayEnd(pending: PendingQuestion, hasRoom: HasRoom): boolean {
  return !isWaiting(pending) || hasRoom(pending);
}

/** A client is a newcomer again when its cost has halved three times since a question like its next one. */
const nearlyForgotten = 1 / 8;

/**
 * 0 for a client that has asked nothing lately, 1 for others that ask ordinary questions, then two levels for each
 * doubling of the cost.
 * @param costMs of the client's questions lately @param nextMs the expected cost of its next one
 */
function levelOf(costMs: number, nextMs: number): number {
  const { dearMs, ordinaryClientMs } = threadLimits;
  const isOrdinary = nextMs <= dearMs && costMs + nextMs <= ordinaryClientMs;
  if (isOrdinary) return costMs < nextMs * nearlyForgotten ? 0 : 1;
  return 2 + Math.floor(2 * Math.log2(1 + costMs + nextMs));
}
