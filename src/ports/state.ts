/** The ports to everything that one installation stores: opened and closed together, secrets, usage, tally. */
import type { Config } from '../config.ts';
import type { AccountDirectory } from './account-directory.ts';
import type { Fleet, SharedStore } from './fleet.ts';
import type { BurstWindow, Ledger } from './ledger.ts';
import type { Sessions } from './sessions.ts';

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

export const secretBytes = 32;
export const secretNames = ['cursor', 'etag', 'client'] as const;

/** Random bytes, {@link secretBytes} for each purpose. Made at the first start, stored permanently, never shown. */
export interface Secrets {
  /** Signs cursors. */
  readonly cursor: Uint8Array;
  /** Keys entity tags. */
  readonly etag: Uint8Array;
  /** Keys the hashes that identify client addresses. */
  readonly client: Uint8Array;
}

/** Units of one caller on one UTC day, by the kind that they were charged as; without kinds they count as look-ups. */
export interface CallerDay {
  /** An account id, or the keyed hash of a client's address. */
  readonly caller: string;
  /** Days since 1970-01-01 UTC. */
  readonly day: number;
  readonly units: Readonly<Record<BurstWindow, number>>;
}

export interface Tally {
  /** Every stored day of every caller, some at a time. A day may occur twice. */
  read(): AsyncIterable<readonly CallerDay[]>;
  /**
   * Takes over each day with more units than are counted here. A day with as many units here stays, so raising twice
   * changes nothing.
   * @returns how many days it took over
   */
  raise(days: readonly CallerDay[]): Promise<number>;
}

/** Days that are stored, today included. */
export const usageDays = 30;

/** Units of one UTC day, by the kind that they were charged as. */
export interface DayUsage extends Readonly<Record<BurstWindow, number>> {
  /** Days since 1970-01-01 UTC. */
  readonly day: number;
}

/** Only accounts have a history of usage. */
export function isAccount(caller: string): boolean {
  return caller.startsWith('acc_');
}

export interface UsageHistory {
  /**
   * The last {@link usageDays} days on which the account has used something, earliest first.
   * @param today days since 1970-01-01 UTC
   */
  of(accountId: string, today: number): Promise<readonly DayUsage[]>;
  /** Forgets days before this one (days since 1970-01-01 UTC). */
  forgetBefore(day: number): Promise<void>;
}
