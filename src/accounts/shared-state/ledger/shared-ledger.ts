/**
 * The ledger over the shared store. Demands that arrive in one turn of the event loop, or during a quick call, are sent
 * in one call; at most two calls run at once.
 *
 * While the store is away each front continues alone: it takes from the node's own counts, which contain what this node
 * admitted itself, with this node's share of each limit. Once the store is back it first receives what was admitted
 * meanwhile.
 */
import {
  type Demand,
  dayOf,
  type Ledger,
  type QuotaPolicy,
  type QuotaState,
  type TakeOutcome,
} from '../../../ports/ledger.ts';
import type { LedgerShare, StoreShare } from '../../../ports/state.ts';
import type { CountingLedger } from '../../state/ledger/counting.ts';
import { joinLocalLedger } from '../../state/ledger/local-ledger.ts';
import { Connection, type StoreCalls, scanKeys } from '../connection.ts';
import { sharedLimits } from '../limits.ts';
import { callerKeys, carryOut, type Operation } from './operations.ts';
import { OwedOperations } from './owed.ts';
import { Refusals } from './refusals.ts';
import { SharedWords } from './shared-words.ts';

/** The clock that counts: the store's, or for tests and replays that of each demand. */
type LedgerClock = 'store' | 'demand';

/** How a node counts in the store. */
export interface StoreUse extends Pick<StoreShare, 'url' | 'down'> {
  readonly clock?: LedgerClock;
  /** The longest that a request waits for the store. */
  readonly deadlineMs?: number;
}

interface SharedLedgerParts extends StoreUse {
  /** What all threads of this node admitted. */
  readonly own: CountingLedger;
  readonly words: SharedWords;
  /** The number of this thread. */
  readonly thread: number;
}

/** A demand that waits for its answer, or a refund that needs none. */
interface OpenDemand {
  readonly operation: Operation;
  readonly answer: ((taking: TakeOutcome) => void) | null;
}

export class SharedLedger implements Ledger {
  readonly #parts: SharedLedgerParts;
  readonly #store: Connection;
  readonly #deadlineMs: number;
  readonly #refusals = new Refusals();
  readonly #owed = new OwedOperations();
  /** What the store has counted for demands that may be refunded. */
  readonly #taken = new WeakMap<Demand, QuotaState>();
  #waiting: OpenDemand[] = [];
  #scheduled = false;
  #calls = 0;
  #lastCallAt = 0;
  /**
   * Since when the oldest demand has been waiting for a call, of the connection's `ranMs`; null while none waits. A busy
   * thread's own time does not count as the store's.
   */
  #heldSince: number | null = null;
  /** How far the store's clock is ahead of this node's, in milliseconds. */
  #aheadMs = 0;
  /** Days since 1970-01-01 UTC, by the store's clock. */
  #day = 0;
  #lastAloneAt = 0;

  constructor(parts: SharedLedgerParts) {
    this.#parts = parts;
    this.#deadlineMs = parts.deadlineMs ?? sharedLimits.requestDeadlineMs;
    this.#store = new Connection({
      url: parts.url,
      deadlineMs: this.#deadlineMs,
      waits: () => parts.words.mainAway,
      prepare: (store) => this.#settle(store),
      changed: (lost) => this.#changed(lost),
    });
  }

  /** Connects. Resolves after the first attempt; others follow in the background. */
  async start(): Promise<void> {
    const isThere = await this.#store.start();
    this.#parts.words.setAway(this.#parts.thread, !isThere);
  }

  /** Why the store is away; null while it is there. */
  get lost(): string | null {
    return this.#store.lost;
  }

  take(demand: Demand): TakeOutcome | Promise<TakeOutcome> {
    if (!this.#store.isThere) return this.#takeAlone(demand);
    const refusal = this.#refusals.of(demand, demand.now + this.#aheadMs);
    if (refusal !== null) {
      this.#parts.words.count('refusedFromMemory', 1);
      return refusal;
    }
    return new Promise((answer) => {
      this.#enqueue({ op: 'take', demand, now: this.#timeOf(demand) }, answer);
    });
  }

  giveBack(demand: Demand, units = demand.units): QuotaState {
    const given = { ...demand, units };
    const own = this.#parts.own.giveBack(given);
    const taken = this.#taken.get(demand);
    this.#refusals.forget(demand);
    if (taken === undefined) {
      this.#owed.givenBack(given);
      return own;
    }
    const operation = { op: 'give', demand: given, takenAt: taken.now, now: this.#timeOf(demand) } as const;
    if (this.#store.isThere) this.#enqueue(operation, null);
    else this.#owed.missed([operation]);
    return leftAfter(own, taken, given);
  }

  async save(now: number): Promise<void> {
    await Promise.all([this.#parts.own.save(now), this.settled()]);
  }

  size(): number {
    return this.#parts.own.size();
  }

  /** The store deletes expired keys by itself; only a day that is not over must be deleted explicitly. */
  async forgetBefore(day: number): Promise<void> {
    await this.#parts.own.forgetBefore(day);
    if (day <= this.#day) return;
    for await (const keys of scanKeys(this.#store, callerKeys)) await this.#store.call('UNLINK', ...keys);
  }

  async close(): Promise<void> {
    await this.settled();
    this.#store.close();
  }

  #timeOf({ now }: Demand): number {
    return this.#parts.clock === 'demand' ? now : 0;
  }

  #enqueue(operation: Operation, answer: OpenDemand['answer']): void {
    if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(this.#flush);
    }
    this.#waiting.push({ operation, answer });
  }

  readonly #flush = (): void => {
    this.#scheduled = false;
    while (this.#waiting.length > 0 && this.#mayCall()) {
      const batch = this.#waiting.splice(0, sharedLimits.operationsPerCall);
      this.#calls++;
      void this.#send(batch).then(this.#answered);
    }
    if (this.#waiting.length === 0) this.#heldSince = null;
    else this.#heldSince ??= this.#store.ranMs;
  };

  readonly #answered = (): void => {
    this.#calls--;
    this.#flush();
  };

  /** What arrives during a quick call waits for it: few large calls cost less than many small ones. */
  #mayCall(): boolean {
    if (this.#calls === 0) return true;
    const { callsAtOnce, operationsPerCall, callWaitedForMs } = sharedLimits;
    if (this.#calls >= callsAtOnce) return false;
    return (
      this.#waiting.length >= operationsPerCall || performance.now() - this.#lastCallAt >= callWaitedForMs
    );
  }

  /** Never rejects: this node answers demands that the store does not. */
  async #send(batch: readonly OpenDemand[]): Promise<void> {
    const { words } = this.#parts;
    const startedAt = performance.now();
    this.#lastCallAt = startedAt;
    const ranMs = this.#store.ranMs;
    const waitedMs = ranMs - (this.#heldSince ?? ranMs);
    const operations = batch.map(({ operation }) => operation);
    try {
      const takings = await carryOut(this.#store, operations, Math.max(1, this.#deadlineMs - waitedMs));
      words.count('calls', 1);
      words.count('operations', batch.length);
      words.count('callMicroseconds', Math.round((performance.now() - startedAt) * 1_000));
      this.#deliver(batch, takings);
    } catch {
      words.count('failedCalls', 1);
      for (const { operation, answer } of batch) {
        if (operation.op === 'take') answer?.(this.#takeAlone(operation.demand));
        else this.#owed.missed([operation]);
      }
    }
  }

  #deliver(batch: readonly OpenDemand[], takings: readonly TakeOutcome[]): void {
    let next = 0;
    for (const { operation, answer } of batch) {
      if (operation.op !== 'take') continue;
      const taking = takings[next++];
      if (taking !== undefined) this.#learn(operation.demand, taking);
      answer?.(taking ?? this.#takeAlone(operation.demand));
    }
  }

  #learn(demand: Demand, taking: TakeOutcome): void {
    const { now, dailyReturnsAt } = taking.quota;
    if (this.#parts.clock !== 'demand') this.#aheadMs = now - demand.now;
    this.#day = dayOf(dailyReturnsAt) - 1;
    if (taking.outcome === 'refused') this.#refusals.note(demand, taking);
    else {
      this.#taken.set(demand, taking.quota);
      this.#parts.own.take({ ...demand, refusable: false });
    }
  }

  #takeAlone(demand: Demand): TakeOutcome {
    const { own, down, words } = this.#parts;
    const { policy } = demand;
    const taking = own.take(down === 'full' ? demand : { ...demand, policy: share(policy, words.nodes) });
    words.count(taking.outcome === 'taken' ? 'admittedAlone' : 'refusedAlone', 1);
    if (taking.outcome === 'taken') this.#owed.admitted(demand);
    this.#lastAloneAt = demand.now;
    return { ...taking, quota: { ...taking.quota, policy } };
  }

  /** Reports the missed operations to the store, before anything else is asked. */
  async #settle(store: StoreCalls): Promise<void> {
    while (!this.#owed.isEmpty) {
      const operations = this.#takeOwed();
      try {
        // No request waits for it, and an abandoned call may still be executed: then its units count twice.
        await carryOut(store, operations, sharedLimits.workDeadlineMs);
      } catch (error) {
        this.#owed.missed(operations);
        throw error;
      }
    }
  }

  #changed(lost: string | null): void {
    this.#parts.words.setAway(this.#parts.thread, lost !== null);
    // Report to the store what was admitted without it.
    while (lost === null && !this.#owed.isEmpty) {
      for (const operation of this.#takeOwed()) this.#enqueue(operation, null);
    }
  }

  #takeOwed(): Operation[] {
    return this.#owed.takeOut(this.#parts.clock === 'demand' ? this.#lastAloneAt : 0, this.#aheadMs);
  }

  /** Resolves once nothing waits for the store. */
  async settled(): Promise<void> {
    while (this.#waiting.length > 0 || this.#calls > 0) await new Promise((go) => setImmediate(go));
  }
}

/** A node's share of each limit. Rounded down, so that all shares together never exceed the whole. */
function share({ daily, lookup, search }: QuotaPolicy, nodes: number): QuotaPolicy {
  const part = (limit: number) => Math.floor(limit / nodes);
  return { daily: part(daily), lookup: part(lookup), search: part(search) };
}

/** The quota after a refund: the less of the store's answer and this node's own count since then. */
function leftAfter(own: QuotaState, taken: QuotaState, { units, countsForDay }: Demand): QuotaState {
  const { policy, window } = taken;
  const sameDay = own.dailyReturnsAt === taken.dailyReturnsAt;
  const daily = sameDay ? taken.dailyLeft + (countsForDay ? units : 0) : policy.daily;
  return {
    ...own,
    dailyLeft: Math.min(own.dailyLeft, daily),
    burstLeft: Math.min(own.burstLeft, taken.burstLeft + units, policy[window]),
  };
}

/**
 * Joins the ledger from a thread other than the one that opened it. Resolves once it is connected, or the store is
 * known to be away.
 */
export async function joinSharedLedger(
  share: LedgerShare,
  { url, down, words }: StoreShare,
  thread: number,
): Promise<Ledger> {
  const own = joinLocalLedger(share, thread);
  const ledger = new SharedLedger({ url, down, own, words: new SharedWords(words), thread });
  await ledger.start();
  return ledger;
}
