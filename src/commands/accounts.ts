/** `lei accounts`: manages the accounts of a stopped or a running service. */

import { checkApplicant } from '../accounts/state/account.ts';
import { readBackup, writeBackup } from '../accounts/state/backup.ts';
import { reasonOf } from '../errors.ts';
import type {
  Account,
  AccountDirectory,
  AccountLimits,
  AccountWithKeys,
} from '../ports/account-directory.ts';
import type { OpenState } from '../ports/state.ts';
import { quotaMax } from '../settings/table.ts';
import { moveCommand } from './accounts-move.ts';
import { usageCommand } from './accounts-usage.ts';
import {
  CommandFailure,
  type Context,
  command,
  group,
  limitOrDefault,
  type Options,
  wholeNumber,
} from './frame.ts';
import { numberIn, textIn } from './options.ts';
import { counted } from './result-texts.ts';
import { findAccount, secretText, type WithAccounts, withAccounts } from './with-state.ts';

export function accountsCommand(openState: OpenState) {
  const work = withAccounts(openState);
  return group('accounts', 'manage accounts', [
    createCommand(work),
    listCommand(work),
    changeCommand(work, 'suspend', 'refuse every key of an account until it is resumed', suspend),
    changeCommand(work, 'resume', 'accept the keys of a suspended account again', resume),
    changeCommand(work, 'delete', 'delete an account and its keys', remove),
    limitsCommand(work),
    usageCommand(openState),
    backupCommand(work),
    restoreCommand(work),
    moveCommand(openState),
  ]);
}

function createCommand(work: WithAccounts) {
  const text = 'create an account and its first key; the key is printed once';
  const creating = command('create', text, (context, _args, options) => create(work, context, options))
    .requiredOption('--email <address>', 'e-mail address of the holder')
    .requiredOption('--company <name>', 'company name')
    .requiredOption('--use <text>', 'intended use of the data');
  return withLimits(creating, 'own limit: ', (max) => wholeNumber(0, max));
}

/** A limit that is not named stays as it is. */
function limitsCommand(work: WithAccounts) {
  const text = "set an account's own limits; the word default as a value restores the limit of the service";
  return withLimits(changeCommand(work, 'limits', text, changeLimits), '', limitOrDefault);
}

/** @param reader for a limit up to a maximum */
function withLimits(
  to: ReturnType<typeof command>,
  before: string,
  reader: (max: number) => (text: string) => unknown,
) {
  return to
    .option('--daily <n>', `${before}requests per UTC day`, reader(quotaMax.daily))
    .option('--burst-lookup <n>', `${before}look-ups per minute`, reader(quotaMax.burst))
    .option('--burst-search <n>', `${before}searches per minute`, reader(quotaMax.burst));
}

async function create(work: WithAccounts, context: Context, options: Options): Promise<void> {
  const check = checkApplicant({
    email: textIn(options, 'email') ?? '',
    company: textIn(options, 'company') ?? '',
    use: textIn(options, 'use') ?? '',
  });
  if (!check.ok) {
    const details = check.faults.map(({ field, detail }) => `--${field}: ${detail}`);
    throw new CommandFailure('invalid-account', details);
  }
  const own = limitsIn(options, { daily: null, burstLookup: null, burstSearch: null });
  const made = await work(context, 'changes', (accounts) => accounts.create(check.value, own, new Date()));
  if (made.outcome !== 'created') {
    const { email } = check.value;
    throw new CommandFailure(
      'address-taken',
      `An account for ${email} exists already; lei keys create ${email} issues another key for it.`,
    );
  }
  const { account, key, secret } = made;
  const text = [
    `Created account ${account.id} for ${account.email}, with key ${key.id}.`,
    ...secretText(secret),
  ];
  context.result({ account, key, secret }, text);
}

function listCommand(work: WithAccounts) {
  return command('list', 'list the accounts', async (context) => {
    const all = await work(context, 'reads', (accounts) => accounts.list());
    const values = all.map((one) => ({ ...one.account, activeKeys: activeKeys(one) }));
    context.result(values, all.length === 0 ? 'There are no accounts.' : all.map(accountLine));
  });
}

function activeKeys({ keys }: AccountWithKeys): number {
  return keys.filter(({ key }) => key.revokedAt === null).length;
}

function ownLimits({ daily, burstLookup, burstSearch }: Account): readonly string[] {
  const own = { daily, 'burst-lookup': burstLookup, 'burst-search': burstSearch };
  return Object.entries(own).flatMap(([name, limit]) => (limit === null ? [] : [`${name} ${limit}`]));
}

function accountLine(one: AccountWithKeys): string {
  const { id, email, company, createdAt, suspendedAt } = one.account;
  return [
    id,
    createdAt,
    email,
    company,
    counted(activeKeys(one), 'active key'),
    ...ownLimits(one.account),
    ...(suspendedAt === null ? [] : [`suspended ${suspendedAt}`]),
  ].join('  ');
}

type AccountCommand = (
  accounts: AccountDirectory,
  account: Account,
  options: Options,
) => Promise<{ readonly value: unknown; readonly text: string }>;

function changeCommand(work: WithAccounts, name: string, description: string, change: AccountCommand) {
  return command(name, description, async (context, args, options) => {
    const done = await work(context, 'changes', (accounts) =>
      change(accounts, findAccount(accounts, args[0] ?? ''), options),
    );
    context.result(done.value, done.text);
  }).argument('<account>', 'id or e-mail address of the account');
}

const suspend: AccountCommand = async (accounts, { id, email }) => ({
  value: { account: await accounts.suspend(id, new Date()) },
  text: `Account ${id} (${email}) is suspended. lei accounts resume ${id} accepts its keys again.`,
});

const resume: AccountCommand = async (accounts, { id, email }) => ({
  value: { account: await accounts.resume(id) },
  text: `Account ${id} (${email}) is active.`,
});

const remove: AccountCommand = async (accounts, account) => {
  await accounts.remove(account.id);
  return {
    value: { account, deleted: true },
    text: `Deleted account ${account.id} (${account.email}) and its keys.`,
  };
};

const changeLimits: AccountCommand = async (accounts, { id, email, ...account }, options) => {
  const named = ['daily', 'burstLookup', 'burstSearch'].some((name) => options[name] !== undefined);
  if (!named) {
    throw new CommandFailure(
      'bad-option',
      'Give at least one limit: --daily, --burst-lookup or --burst-search.',
    );
  }
  const changed = await accounts.setLimits(id, limitsIn(options, account));
  const own = changed === null ? [] : ownLimits(changed);
  const text = own.length === 0 ? 'the limits of the service' : `limits of its own: ${own.join(', ')}`;
  return { value: { account: changed }, text: `Account ${id} (${email}) has ${text}.` };
};

/** @param before the limits that stay if their options are not given */
function limitsIn(options: Options, before: AccountLimits): AccountLimits {
  const limit = (name: keyof AccountLimits) =>
    options[name] === undefined ? before[name] : numberIn(options, name);
  return { daily: limit('daily'), burstLookup: limit('burstLookup'), burstSearch: limit('burstSearch') };
}

function backupCommand(work: WithAccounts) {
  const run = async (context: Context, args: readonly string[]) => {
    const path = args[0] ?? '';
    const { accounts, keys } = await work(context, 'reads', (directory) => save(path, directory));
    context.result(
      { file: path, accounts: accounts.length, keys: keys.length },
      `Saved ${counted(accounts.length, 'account')} and ${counted(keys.length, 'key')} (digests only) to ${path}.`,
    );
  };
  return command('backup', 'write all accounts and the digests of their keys to a file', run).argument(
    '<file>',
    'the file to write',
  );
}

function save(path: string, directory: AccountDirectory) {
  try {
    return writeBackup(path, directory, new Date());
  } catch (error) {
    throw new CommandFailure('backup-not-written', `${path} could not be written: ${reasonOf(error)}`);
  }
}

function restoreCommand(work: WithAccounts) {
  const run = async (context: Context, args: readonly string[]) => {
    const reading = readBackup(args[0] ?? '');
    if (!reading.ok) throw new CommandFailure('bad-backup', reading.fault);
    const { backup } = reading;
    const done = await work(context, 'changes', (directory) => directory.importRecords(backup));
    if ('addressesTaken' in done) {
      throw new CommandFailure(
        'address-taken',
        `Nothing was restored: newer accounts use the addresses ${done.addressesTaken.join(', ')}. Delete each with lei accounts delete, which deletes its keys too, and restore again.`,
      );
    }
    const there = backup.accounts.length - done.accounts;
    context.result({ ...done, alreadyThere: there }, [
      `Restored ${counted(done.accounts, 'account')} with ${counted(done.keys, 'key')}; already there and unchanged: ${there}.`,
      ...(Object.keys(backup.serviceLimits).length === 0
        ? []
        : ['The backup also has changed limits of the service; lei limits shows what applies now.']),
    ]);
  };
  return command(
    'restore',
    'restore the accounts of a backup; existing accounts stay unchanged',
    run,
  ).argument('<file>', 'a file that lei accounts backup wrote');
}
