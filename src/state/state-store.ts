/** The state of an installation: accounts, keys, counters and secrets, in one small LMDB environment. */
import { chmodSync, mkdirSync } from 'node:fs';
import { openState } from '../lmdb.ts';
import type { Layout } from '../publication/layout.ts';
import { type AccountStore, openAccounts } from './account-store.ts';
import { type CounterTable, openCounters } from './counters.ts';
import { openSecrets, type StateSecrets } from './secrets.ts';

export interface StateStore {
  readonly accounts: AccountStore;
  readonly counters: CounterTable;
  readonly secrets: StateSecrets;
  /** Makes everything durable and closes. Nothing may be asked of the store after. */
  close(): Promise<void>;
}

/**
 * Opens the state of a data folder, making it where there is none. Several processes may have it open at once.
 * Throws where the folder can't be made or written.
 */
export function openStateStore(layout: Layout): StateStore {
  mkdirSync(layout.state, { recursive: true });
  // E-mail addresses and the secret that keys client hashes are nobody else's business.
  chmodSync(layout.state, 0o700);
  const environment = openState(layout.state);
  return {
    accounts: openAccounts(environment),
    counters: openCounters(environment),
    secrets: openSecrets(environment),
    async close() {
      await environment.flushed;
      await environment.close();
    },
  };
}
