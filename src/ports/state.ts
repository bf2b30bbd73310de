/** The ports to what one installation remembers, opened and closed together. */
import type { Config } from '../config.ts';
import type { AccountDirectory } from './account-directory.ts';
import type { Ledger } from './ledger.ts';
import type { Secrets } from './secrets.ts';

export interface State {
  readonly accounts: AccountDirectory;
  readonly ledger: Ledger;
  readonly secrets: Secrets;
  /** Closes everything once running writes are durable. Nothing may be asked of the ports afterwards. */
  close(): Promise<void>;
}

/**
 * Opens the state that the settings name. A `service` goes on answering while accounts are written; a `command` waits
 * for each write.
 * @throws the system's error where the state can't be opened; an ExpectedFailure where it is damaged
 */
export type OpenState = (config: Config, user: 'service' | 'command') => State | Promise<State>;
