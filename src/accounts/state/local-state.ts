/** The state of one installation in a small LMDB environment of its data folder: the ports over local files. */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { atPath } from '../../errors.ts';
import { bytesTable, committed, type Environment, openState, systemError, writeAtOnce } from '../../lmdb.ts';
import type { State } from '../../ports/state.ts';
import { type Secrets, secretBytes } from '../../ports/state.ts';
import type { Layout } from '../../publication/layout.ts';
import { openTables } from './account-tables.ts';
import type { Write } from './account-writers.ts';
import { damageFound, dataFile, refuseDamage } from './data-file.ts';
import { eraseDeleted } from './deleted-accounts.ts';
import { type CountRows, localTally, openCountRows } from './ledger/count-rows.ts';
import { Journal } from './ledger/journal.ts';
import { LocalLedger, storedUsage } from './ledger/local-ledger.ts';
import { openAccounts } from './local-accounts.ts';
import { openSessions } from './local-sessions.ts';

export interface LocalState extends State {
  /** Created at the first use, which reads every count: commands on accounts need none. */
  readonly ledger: LocalLedger;
  /** The counts on disk. */
  readonly counts: CountRows;
}

/**
 * The thread that waits for the disk when accounts change. `lmdb`: a thread of lmdb's, so that a service keeps
 * answering. `caller`: the calling thread; a command can wait, and lmdb then prints no stack trace of a failure.
 */
export type CommitWait = 'lmdb' | 'caller';

/**
 * Opens the state of a data folder and creates it if there is none. Several processes may have it open at once; only
 * one of them, which holds the data folder, may use the ledger.
 * @param secrets to use if there are none yet
 * @throws the system's error if the folder can't be created or written; DamagedState
 */
export function openLocalState(layout: Layout, waiting: CommitWait = 'lmdb', secrets?: Secrets): LocalState {
  return openStateFolder(layout.state, (environment) => openIn(environment, layout.state, waiting, secrets));
}

/**
 * Opens a folder with a state, which is created if there is none.
 * @throws the system's error if that is not possible; DamagedState
 */
export function openStateFolder<Opened>(path: string, open: (environment: Environment) => Opened): Opened {
  mkdirSync(path, { recursive: true });
  // The folder contains e-mail addresses and the secret that keys client hashes.
  chmodSync(path, 0o700);
  refuseDamage(path);
  try {
    return open(openState(path));
  } catch (error) {
    throw damageFound(path, error) ?? atPath(systemError(error, 'open', path), path);
  }
}

function openIn(environment: Environment, path: string, waiting: CommitWait, secrets?: Secrets): LocalState {
  const tables = openTables(environment);
  const write = writing(environment, path, waiting);
  const counts = openCountRows(environment);
  let ledger: LocalLedger | null = null;
  const state: LocalState = {
    accounts: openAccounts(environment, tables, write, () =>
      eraseDeleted(dataFile(path), tables.accounts, write),
    ),
    sessions: openSessions(environment, tables, write),
    usage: {
      of: async (accountId, today) =>
        ledger === null ? storedUsage(counts, accountId, today) : ledger.usage(accountId, today),
      forgetBefore: (day) => counts.forgetUsageBefore(day),
    },
    get ledger() {
      ledger ??= new LocalLedger(counts, new Journal(join(path, 'counts.journal')));
      return ledger;
    },
    tally: () => localTally(environment, write),
    shareLedger() {
      return state.ledger.share;
    },
    freeLedger(thread) {
      state.ledger.free(thread);
    },
    counts,
    secrets: openSecrets(environment, secrets),
    fleet: null,
    store: null,
    close: () => environment.close(),
  };
  return state;
}

/**
 * Reads the secrets and makes the missing ones.
 * @param given for those that are missing
 */
function openSecrets(environment: Environment, given?: Secrets): Secrets {
  const table = bytesTable(environment, 'secrets', 'string');
  // One transaction, so that a service and a command that start together agree.
  return environment.transactionSync(() => {
    const secret = (name: keyof Secrets): Uint8Array => {
      const kept = table.get(name);
      if (kept !== undefined && kept.length === secretBytes) return Uint8Array.from(kept);
      const made = Buffer.from(given?.[name] ?? randomBytes(secretBytes));
      table.putSync(name, made);
      return Uint8Array.from(made);
    };
    return { cursor: secret('cursor'), etag: secret('etag'), client: secret('client') };
  });
}

/** Writes in transactions of an environment. */
export function writing(environment: Environment, path: string, waiting: CommitWait): Write {
  return async (change) => {
    try {
      if (waiting === 'caller') return writeAtOnce(environment, change);
      return await committed(environment.transaction(change));
    } catch (error) {
      throw systemError(error, 'write', path);
    }
  };
}
