/** Opens and closes the ports to everything that one installation stores. */
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
  /** The nodes that share this state; null if it belongs to one node. */
  readonly fleet: Fleet | null;
  /** This node's figures about the store that they share; null likewise. */
  readonly store: SharedStore | null;
  /** The counts, for a command that moves them; while a service counts, only the saved ones. */
  tally(): Tally;
  /** The ledger for another thread of this process, which joins it with {@link JoinLedger}. */
  shareLedger(): LedgerShare;
  /** A thread that had joined the ledger has ended: unlocks what it had locked. */
  freeLedger(thread: number): void;
  /** Closes everything once current writes are durable. The ports must not be used afterwards. */
  close(): Promise<void>;
}

/** What the threads of a process need to count in one ledger. Plain data that crosses threads. */
export interface LedgerShare {
  readonly memory: SharedArrayBuffer;
  /** Null if changes since the last save may be lost with the process. */
  readonly journal: JournalShare | null;
  /** The store that all nodes count in; null if this node counts alone. */
  readonly store: StoreShare | null;
}

/** What they need to count in a shared store. */
export interface StoreShare {
  readonly url: string;
  readonly down: Config['sharedDown'];
  readonly words: SharedArrayBuffer;
}

/** What they need to write one journal. */
export interface JournalShare {
  readonly path: string;
  readonly words: SharedArrayBuffer;
}

/**
 * Joins the ledger of another thread; asynchronously if it has to be connected.
 * @param thread a number, above 0, that no other thread has or had
 */
export type JoinLedger = (share: LedgerShare, thread: number) => Ledger | Promise<Ledger>;

/**
 * Opens the state that the settings name. A `service` keeps answering while accounts are written; a `command` waits for
 * each write.
 * @param secrets to use if there are none yet
 * @throws the system's error if the state can't be opened; an ExpectedFailure if it is damaged
 */
export type OpenState = (
  config: Config,
  user: 'service' | 'command',
  secrets?: Secrets,
) => State | Promise<State>;

/** The nodes of a fleet, for a command that needs nothing else from the shared state. */
export interface OpenedFleet {
  readonly fleet: Fleet;
  close(): void;
}

/**
 * Null if the settings name no shared state.
 * @throws an ExpectedFailure if it is away
 */
export type OpenFleet = (config: Config) => Promise<OpenedFleet | null>;
