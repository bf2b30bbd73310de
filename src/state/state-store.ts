/** The state of an installation: accounts, keys, counters and secrets, in one small LMDB environment. */
import { chmodSync, mkdirSync } from 'node:fs';
import { committed, type Environment, openState, systemError } from '../lmdb.ts';
import type { Layout } from '../publication/layout.ts';
import { type AccountStore, openAccounts } from './account-store.ts';
import type { Write } from './account-writers.ts';
import { type CounterTable, openCounters } from './counters.ts';
import { damageFound, refuseDamage } from './data-file.ts';
import { openSecrets, type Secrets } from './secrets.ts';

export interface StateStore {
  readonly accounts: AccountStore;
  readonly counters: CounterTable;
  readonly secrets: Secrets;
  /** Closes, once what is being written is durable. Nothing may be asked of the store after. */
  close(): Promise<void>;
}

/**
 * Who waits for the disk when accounts change. `lmdb`: a thread of its own, so that a service goes on answering.
 * `caller`: the thread that asks; a command can, and is spared the trace that lmdb prints when its own thread fails.
 */
export type Waiting = 'lmdb' | 'caller';

/**
 * Opens the state of a data folder, making it where there is none. Several processes may have it open at once.
 * @throws the system's error where the folder can't be made or written; DamagedState
 */
export function openStateStore(layout: Layout, waiting: Waiting = 'lmdb'): StateStore {
  mkdirSync(layout.state, { recursive: true });
  // E-mail addresses and the secret that keys client hashes are nobody else's business.
  chmodSync(layout.state, 0o700);
  refuseDamage(layout.state);
  try {
    return openIn(layout.state, waiting);
  } catch (error) {
    throw damageFound(layout.state, error) ?? systemError(error, 'open', layout.state);
  }
}

function openIn(path: string, waiting: Waiting): StateStore {
  const environment = openState(path);
  return {
    accounts: openAccounts(environment, writing(environment, path, waiting)),
    counters: openCounters(environment),
    secrets: openSecrets(environment),
    close: () => environment.close(),
  };
}

function writing(environment: Environment, path: string, waiting: Waiting): Write {
  return async (change) => {
    try {
      if (waiting === 'caller') return environment.transactionSync(change);
      return await committed(environment.transaction(change));
    } catch (error) {
      throw systemError(error, 'write', path);
    }
  };
}
