/** What the commands on accounts and keys share: the state, opened for one piece of work. */
import { controlClient } from '../protocol/control-client.ts';
import { type Layout, layout } from '../publication/layout.ts';
import type { Account } from '../state/account.ts';
import { openStateStore, type StateStore } from '../state/state-store.ts';
import { CommandFailure, type Context } from './frame.ts';

/** Opens the state for one piece of work, and tells a running service about it afterwards. */
export async function withState<Result>(
  context: Context,
  changes: 'reads' | 'changes',
  work: (store: StateStore) => Promise<Result>,
): Promise<Result> {
  const paths = layout(context.config.dataDir);
  const store = openStateStore(paths, 'caller');
  let result: Result;
  try {
    result = await work(store);
  } finally {
    await store.close();
  }
  if (changes === 'changes') await tellService(paths, context);
  return result;
}

async function tellService(paths: Layout, context: Context): Promise<void> {
  const reply = await controlClient(paths).send({ op: 'accounts-changed' });
  if (reply !== 'not-running' && !reply.ok) {
    context.say(`Warning: ${reply.message} It will see the change by itself within a second.`);
  }
}

/** The account, or a failure that says where to look. */
export function findAccount(store: StateStore, idOrEmail: string): Account {
  const account = store.accounts.find(idOrEmail);
  if (account !== null) return account;
  throw new CommandFailure(
    'no-such-account',
    `There is no account ${JSON.stringify(idOrEmail)}; lei accounts list shows the accounts.`,
  );
}

/** How a new secret is handed over. */
export function secretText(secret: string): string {
  return `This is the key; it is not kept and can't be shown again:\n${secret}`;
}
