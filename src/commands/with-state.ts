/**
 * Opens the state for the commands on accounts and keys, for one action at a time; and runs a command that opens lmdb
 * under a process number of its own.
 */
import type { Account, AccountDirectory } from '../ports/account-directory.ts';
import type { OpenState, State } from '../ports/state.ts';
import { controlClient } from '../protocol/control-client.ts';
import { layout } from '../publication/layout.ts';
import { isNumberTaken } from '../publication/lock.ts';
import { quoted } from '../terminal-text.ts';
import { CommandFailure, type Context, readSettings } from './frame.ts';

/** Performs one action on the accounts and then notifies a running service. */
export type WithAccounts = <Result>(
  context: Context,
  changes: 'reads' | 'changes',
  work: (accounts: AccountDirectory) => Result | Promise<Result>,
) => Promise<Result>;

export function withAccounts(openState: OpenState): WithAccounts {
  return async (context, changes, work) => {
    const result = await workOn(await openState(context.config, 'command'), work);
    if (changes === 'changes') await tellService(context);
    return result;
  };
}

async function workOn<Result>(state: State, work: (accounts: AccountDirectory) => Result | Promise<Result>) {
  try {
    return await work(state.accounts);
  } finally {
    await state.close();
  }
}

/** Tells a running service, which then sees the changes at once. */
export async function tellService(context: Context): Promise<void> {
  const reply = await controlClient(context.layout).send({ op: 'accounts-changed' });
  if (reply !== 'not-running' && !reply.ok) {
    context.say(`Warning: ${reply.message} The service will notice the change by itself within a second.`);
  }
}

/** The account, or a failure that says where to find its id. */
export function findAccount(accounts: AccountDirectory, idOrEmail: string): Account {
  const account = accounts.find(idOrEmail);
  if (account !== null) return account;
  throw new CommandFailure(
    'no-such-account',
    `There is no account ${quoted(idOrEmail)}; lei accounts list shows the accounts.`,
  );
}

/** The lines that show a new secret. */
export function secretText(secret: string): readonly string[] {
  return ["This is the key. Copy it now: it is not stored and can't be shown again.", secret];
}

/**
 * Runs a command again in a process with another number if a service in another container has the same one. lmdb tells
 * readers apart by process number alone and can't have two with the same one.
 * @returns whether the command ran in another process; its exit status is then in `process.exitCode`
 */
export function ranUnderAnotherNumber(): boolean {
  if (!isNumberTaken(layout(readSettings().config.dataDir).serviceLock)) return false;
  const { exitCode } = Bun.spawnSync([process.execPath, ...process.argv.slice(1)], {
    stdio: ['inherit', 'inherit', 'inherit'],
  });
  // Null after a signal ended the process.
  process.exitCode = exitCode ?? 1;
  return true;
}
