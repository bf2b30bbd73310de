/** `lei keys`: manages the API keys of a stopped or a running service. */
import type { ApiKey, KeyKind } from '../ports/account-directory.ts';
import type { OpenState } from '../ports/state.ts';
import { holdsSecret } from '../state/key.ts';
import { stateLimits } from '../state/limits.ts';
import { CommandFailure, type Context, command, group } from './frame.ts';
import { findAccount, secretText, type WithAccounts, withAccounts } from './with-state.ts';

export function keysCommand(openState: OpenState) {
  const work = withAccounts(openState);
  const on =
    (run: Run) => (context: Context, args: readonly string[], options: Readonly<Record<string, unknown>>) =>
      run(work, context, args[0], options['reconcile'] === true ? 'reconcile' : 'api');
  return group('keys', 'look after API keys', [
    command('create', 'issue a further key, which is printed once', on(create))
      .argument('<account>', 'id or e-mail address of the account')
      .option('--reconcile', 'a token for the address of /reconcile, which can do nothing else'),
    command('list', 'list the keys, without their secrets', on(list)).argument(
      '[account]',
      'id or e-mail address of one account',
    ),
    command('revoke', 'refuse a key from now on', on(revoke)).argument(
      '<key-id>',
      'id of the key, as in keys list',
    ),
  ]);
}

type Run = (
  work: WithAccounts,
  context: Context,
  argument: string | undefined,
  kind: KeyKind,
) => Promise<void>;

const create: Run = async (work, context, account = '', kind) => {
  const made = await work(context, 'changes', (accounts) =>
    accounts.createKey(findAccount(accounts, account).id, new Date(), { kind }),
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
  const use =
    kind === 'api' ? [] : [`Add this service to OpenRefine: ${context.config.baseUrl}/reconcile/${secret}`];
  context.result({ key, secret }, [
    `Key ${key.id} of account ${key.accountId}.`,
    ...secretText(secret),
    ...use,
  ]);
};

const list: Run = async (work, context, account) => {
  const keys = await work(context, 'reads', (accounts) => {
    const only = account === undefined ? null : findAccount(accounts, account).id;
    return accounts
      .list()
      .filter(({ account }) => only === null || account.id === only)
      .flatMap((one) => one.keys.map(({ key }) => key));
  });
  context.result(keys, keys.length === 0 ? 'There are no keys.' : keys.map(keyLine));
};

function keyLine({ id, accountId, prefix, name, createdAt, lastUsedAt, revokedAt }: ApiKey): string {
  const used = lastUsedAt === null ? 'never used' : `last used ${lastUsedAt}`;
  const state = revokedAt === null ? 'active' : `revoked ${revokedAt}`;
  const line = [id, accountId, `${prefix}…`, `created ${createdAt}`, used, state];
  return (name === null ? line : [...line, JSON.stringify(name)]).join('  ');
}

const revoke: Run = async (work, context, id = '') => {
  if (holdsSecret(id)) {
    throw new CommandFailure('no-such-key', 'This is a key itself; give its id, which lei keys list shows.');
  }
  const key = await work(context, 'changes', (accounts) => accounts.revokeKey(id, new Date()));
  if (key === null) {
    throw new CommandFailure(
      'no-such-key',
      `There is no key ${JSON.stringify(id)}; lei keys list shows the keys.`,
    );
  }
  context.result({ key }, `Key ${key.id} (${key.prefix}…) is revoked.`);
};
