/** `lei keys`: manages the API keys of a stopped or a running service. */

import { checkKeyName } from '../accounts/state/account.ts';
import { holdsSecret } from '../accounts/state/key.ts';
import { stateLimits } from '../accounts/state/limits.ts';
import type { ApiKey, KeyDetails } from '../ports/account-directory.ts';
import type { OpenState } from '../ports/state.ts';
import { quoted } from '../terminal-text.ts';
import { CommandFailure, type Context, command, group } from './frame.ts';
import { findAccount, secretText, type WithAccounts, withAccounts } from './with-state.ts';

export function keysCommand(openState: OpenState) {
  const work = withAccounts(openState);
  return group('keys', 'manage API keys', [
    command(
      'create',
      'issue another key for an account; the key is printed once',
      (context, [account = ''], { name = '', reconcile }) =>
        create(work, context, account, {
          name: keyName(String(name)),
          kind: reconcile === true ? 'reconcile' : 'api',
        }),
    )
      .argument('<account>', 'id or e-mail address of the account')
      .option('--name <text>', 'name that tells the key apart from others, such as laptop')
      .option('--reconcile', 'issue a token that works only in the address of /reconcile'),
    command('list', 'list the keys, without their secrets', (context, [account]) =>
      list(work, context, account),
    ).argument('[account]', 'id or e-mail address of one account'),
    command('revoke', 'revoke a key; the service refuses it from then on', (context, [id = '']) =>
      revoke(work, context, id),
    ).argument('<key-id>', 'id of the key, as lei keys list shows it'),
  ]);
}

/** @throws {CommandFailure} if no key may have this name */
function keyName(given: string): string | null {
  const check = checkKeyName(given);
  if (check.ok) return check.name;
  throw new CommandFailure('bad-option', `--name: ${check.detail}`);
}

async function create(work: WithAccounts, context: Context, account: string, details: KeyDetails) {
  const made = await work(context, 'changes', (accounts) =>
    accounts.createKey(findAccount(accounts, account).id, new Date(), details),
  );
  if (made.outcome === 'too-many-keys') {
    throw new CommandFailure(
      'too-many-keys',
      `The account has ${stateLimits.activeKeysPerAccountMax} active keys, which is the maximum; revoke one first.`,
    );
  }
  if (made.outcome !== 'created')
    throw new CommandFailure(made.outcome, 'The account has been deleted in the meantime.');
  const { key, secret } = made;
  const use =
    details.kind === 'api'
      ? []
      : [`Add this service to OpenRefine: ${context.config.baseUrl}/reconcile/${secret}`];
  context.result({ key, secret }, [
    `Created key ${key.id} of account ${key.accountId}.`,
    ...secretText(secret),
    ...use,
  ]);
}

async function list(work: WithAccounts, context: Context, account: string | undefined) {
  const keys = await work(context, 'reads', (accounts) => {
    const only = account === undefined ? null : findAccount(accounts, account).id;
    return accounts
      .list()
      .filter(({ account }) => only === null || account.id === only)
      .flatMap(({ account: { email }, keys: own }) => own.map(({ key }) => ({ ...key, email })));
  });
  context.result(keys, keys.length === 0 ? 'There are no keys.' : keys.map(keyLine));
}

type ListedKey = ApiKey & { readonly email: string };

function keyLine({
  id,
  accountId,
  email,
  prefix,
  name,
  createdAt,
  lastUsedAt,
  revokedAt,
}: ListedKey): string {
  const used = lastUsedAt === null ? 'never used' : `last used ${lastUsedAt}`;
  const state = revokedAt === null ? 'active' : `revoked ${revokedAt}`;
  const line = [id, accountId, email, `${prefix}…`, `created ${createdAt}`, used, state];
  return (name === null ? line : [...line, JSON.stringify(name)]).join('  ');
}

async function revoke(work: WithAccounts, context: Context, id: string) {
  if (holdsSecret(id)) {
    throw new CommandFailure(
      'no-such-key',
      'This is the secret key itself. Give its id instead; lei keys list shows it.',
    );
  }
  const key = await work(context, 'changes', (accounts) => accounts.revokeKey(id, new Date()));
  if (key === null) {
    throw new CommandFailure('no-such-key', `There is no key ${quoted(id)}; lei keys list shows the keys.`);
  }
  context.result({ key }, `Key ${key.id} (${key.prefix}…) is revoked.`);
}
