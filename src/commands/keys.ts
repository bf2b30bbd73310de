/** `lei keys`: the API keys of accounts, on a stopped or a running service. */
import type { ApiKey } from '../state/key.ts';
import { stateLimits } from '../state/limits.ts';
import { CommandFailure, type Context, command, group } from './frame.ts';
import { findAccount, secretText, withState } from './with-state.ts';

export function keysCommand() {
  return group('keys', 'look after API keys', [
    command('create', 'issue a further key, which is printed once', create).argument(
      '<account>',
      'id or e-mail address of the account',
    ),
    command('list', 'list the keys, without their secrets', list).argument(
      '[account]',
      'id or e-mail address of one account',
    ),
    command('revoke', 'refuse a key from now on', revoke).argument(
      '<key-id>',
      'id of the key, as in keys list',
    ),
  ]);
}

async function create(context: Context, args: readonly string[]): Promise<void> {
  const made = await withState(context, 'changes', (store) =>
    store.accounts.createKey(findAccount(store, args[0] ?? '').id, new Date()),
  );
  if (made.outcome === 'too-many-keys') {
    throw new CommandFailure(
      'too-many-keys',
      `The account has ${stateLimits.activeKeysPerAccountMax} active keys, which is the most; revoke one first.`,
    );
  }
  if (made.outcome !== 'created')
    throw new CommandFailure(made.outcome, 'The account was deleted meanwhile.');
  const { key, secret } = made;
  context.result({ key, secret }, `Key ${key.id} of account ${key.accountId}.\n${secretText(secret)}`);
}

async function list(context: Context, args: readonly string[]): Promise<void> {
  const keys = await withState(context, 'reads', async (store) => {
    const only = args[0] === undefined ? null : findAccount(store, args[0]).id;
    return store.accounts
      .list()
      .filter(({ account }) => only === null || account.id === only)
      .flatMap((one) => one.keys.map(({ key }) => key));
  });
  context.result(keys, keys.length === 0 ? 'There are no keys.' : keys.map(keyLine).join('\n'));
}

function keyLine({ id, accountId, prefix, createdAt, lastUsedAt, revokedAt }: ApiKey): string {
  const used = lastUsedAt === null ? 'never used' : `last used ${lastUsedAt}`;
  const state = revokedAt === null ? 'active' : `revoked ${revokedAt}`;
  return [id, accountId, `${prefix}…`, `created ${createdAt}`, used, state].join('  ');
}

async function revoke(context: Context, args: readonly string[]): Promise<void> {
  const id = args[0] ?? '';
  if (id.startsWith('lei_live_')) {
    throw new CommandFailure('no-such-key', 'This is a key itself; give its id, which lei keys list shows.');
  }
  const key = await withState(context, 'changes', ({ accounts }) => accounts.revokeKey(id, new Date()));
  if (key === null) {
    throw new CommandFailure(
      'no-such-key',
      `There is no key ${JSON.stringify(id)}; lei keys list shows the keys.`,
    );
  }
  context.result({ key }, `Key ${key.id} (${key.prefix}…) is revoked.`);
}
