/** The counts of one node of a fleet: the ledger over the store, and in addition what this node admitted itself. */
import { join } from 'node:path';
import type { StoreFacts } from '../../ports/fleet.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { LedgerShare } from '../../ports/state.ts';
import type { CountRows } from '../../state/ledger/count-rows.ts';
import { Journal } from '../../state/ledger/journal.ts';
import { LocalLedger, mainThread } from '../../state/ledger/local-ledger.ts';
import { SharedLedger, type StoreUse } from './shared-ledger.ts';
import type { SharedWords } from './shared-words.ts';

export class NodeCounts {
  readonly words: SharedWords;
  readonly #parts: StoreUse;
  readonly #rows: CountRows;
  readonly #path: string;
  #opened: { readonly own: LocalLedger; readonly shared: SharedLedger } | null = null;

  constructor(parts: StoreUse, rows: CountRows, path: string, words: SharedWords) {
    this.#parts = parts;
    this.#rows = rows;
    this.#path = path;
    this.words = words;
  }

  /** Reads this node's own counts and connects. Only the process that holds the data folder may do this. */
  async start(): Promise<void> {
    const own = new LocalLedger(this.#rows, new Journal(join(this.#path, 'counts.journal')));
    const shared = new SharedLedger({ ...this.#parts, own, words: this.words, thread: mainThread });
    this.#opened = { own, shared };
    await shared.start();
  }

  get ledger(): Ledger {
    return this.#running.shared;
  }

  share(): LedgerShare {
    const { url, down } = this.#parts;
    return { ...this.#running.own.share, store: { url, down, words: this.words.memory } };
  }

  free(thread: number): void {
    this.#running.own.free(thread);
    this.words.setAway(thread, false);
  }

  /** @param trouble of the connection that does everything else */
  facts(trouble: string | null): Omit<StoreFacts, 'namesake'> {
    const { words } = this;
    const lost = trouble ?? this.#opened?.shared.lost ?? (words.isAway ? 'a front does not reach it' : null);
    return {
      lost,
      nodes: words.nodes,
      calls: words.counted('calls'),
      failedCalls: words.counted('failedCalls'),
      callSeconds: words.counted('callMicroseconds') / 1e6,
      requests: words.counted('operations'),
      refusedFromMemory: words.counted('refusedFromMemory'),
      admittedAlone: words.counted('admittedAlone'),
      refusedAlone: words.counted('refusedAlone'),
    };
  }

  /** Resolves once the store has received everything. */
  async settled(): Promise<void> {
    await this.#opened?.shared.settled();
  }

  async close(): Promise<void> {
    await this.#opened?.shared.close();
  }

  get #running() {
    if (this.#opened === null) throw new Error('A command counts no requests.');
    return this.#opened;
  }
}
