/** The ports to what one installation remembers, opened and closed together. */
import type { Config } from '../config.ts';
import type { AccountDirectory } from './account-directory.ts';
import type { Fleet, SharedStore } from './fleet.ts';
import type { Ledger } from './ledger.ts';
import type { Secrets } from './secrets.ts';
import type { Sessions } from './sessions.ts';
import type { Tally } from './tally.ts';
import type { UsageHistory } from './usage.ts';

export interface State {
  readonly accounts: AccountDirectory;
  readonly ledger: Ledger;
  readonly secrets: Secrets;
  readonly sessions: Sessions;
  readonly usage: UsageHistory;
  /** The nodes that share this state; null where it is one node's own. */
  readonly fleet: Fleet | null;
  /** How this node gets on with the store that they share; null likewise. */
  readonly store: SharedStore | null;
  /** The counts, for a command that moves them; while a service counts, those that it has saved. */
  tally(): Tally;
  /** The ledger for another thread of this process, which joins it with {@link JoinLedger}. */
  shareLedger(): LedgerShare;
  /** A thread that had joined the ledger has ended: unlocks what it held. */
  freeLedger(thread: number): void;
  /** Closes everything once running writes are durable. Nothing may be asked of the ports afterwards. */
  close(): Promise<void>;
}

/** What the threads of a process need to count in one ledger. Plain data that crosses threads. */
export interface LedgerShare {
  readonly memory: SharedArrayBuffer;
  /** Null where changes since the last save need not outlive the process. */
  readonly journal: JournalShare | null;
  /** The store that all nodes count in; null where this node counts alone. */
  readonly store: StoreShare | null;
}

/** What they need to count in a shared store. */
export interface StoreShare {
  readonly url: string;
  readonly down: 'share' | 'full';
  readonly words: SharedArrayBuffer;
}

/** What they need to write one journal. */
export interface JournalShare {
  readonly path: string;
  readonly words: SharedArrayBuffer;
}

/**
 * Joins the ledger of another thread; later where it has to be connected.
 * @param thread a number, above 0, that no other thread has or had
 */
export type JoinLedger = (share: LedgerShare, thread: number) => Ledger | Promise<Ledger>;

/**
 * Opens the state that the settings name. A `service` goes on answering while accounts are written; a `command` waits
 * for each write.
 * @param secrets to take where there are none yet
 * @throws the system's error where the state can't be opened; an ExpectedFailure where it is damaged
 */
export type OpenState = (
  config: Config,
  user: 'service' | 'command',
  secrets?: Secrets,
) => State | Promise<State>;

/** The nodes of a fleet, for a command that needs nothing else of the shared state. */
export interface OpenedFleet {
  readonly fleet: Fleet;
  close(): void;
}

/**
 * Null where the settings name no shared state.
 * @throws an ExpectedFailure where it is away
 */
export type OpenFleet = (config: Config) => Promise<OpenedFleet | null>;
