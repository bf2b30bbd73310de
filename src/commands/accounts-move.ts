/** `lei accounts move`: brings accounts and keys from this data folder's own state into a shared one, or back. */
import type { Config } from '../config.ts';
import { isSharedStateUrl } from '../operations-settings.ts';
import type { AccountDirectory } from '../ports/account-directory.ts';
import type { OpenState, State } from '../ports/state.ts';
import { withoutPerhapsCredentials } from '../urls.ts';
import { CommandFailure, type Context, command } from './frame.ts';
import { tellService } from './with-state.ts';

const help = `
  lei accounts move --to URL      from this data folder to the shared state at URL
  lei accounts move --from URL    from there to this data folder

Accounts that are there already stay as they are, and nothing is deleted where the others come from. Keys go on working.
Secrets move along where there are none yet. What was counted of today's quotas stays behind.`;

export function moveCommand(openState: OpenState) {
  return command('move', 'bring the accounts into a shared state, or back', (context, _args, options) =>
    run(openState, context, options),
  )
    .option('--to <url>', 'address of the shared state, as LEI_SHARED_STATE has it')
    .option('--from <url>', 'likewise')
    .addHelpText('after', help);
}

async function run(
  openState: OpenState,
  context: Context,
  { to, from }: Readonly<Record<string, unknown>>,
): Promise<void> {
  if ((typeof to === 'string') === (typeof from === 'string')) {
    throw new CommandFailure('bad-option', 'Give one of --to URL and --from URL; see --help.');
  }
  const url = String(to ?? from);
  if (!isSharedStateUrl(url)) {
    throw new CommandFailure(
      'bad-option',
      `${withoutPerhapsCredentials(url)} is no address of a shared state, as redis://host:6379/0 or rediss://user:password@host:6379/0.`,
    );
  }
  const local: Config = { ...context.config, sharedState: null };
  const shared: Config = { ...context.config, sharedState: url };
  const [source, target] = typeof to === 'string' ? [local, shared] : [shared, local];
  const moved = await moveBetween(openState, source, target);
  await tellService(context);
  context.result(
    moved,
    `${moved.accounts} accounts with ${moved.keys} keys are moved; ${moved.alreadyThere} were there and stay as they are.`,
  );
}

async function moveBetween(openState: OpenState, source: Config, target: Config) {
  const from = await openState(source, 'command');
  try {
    const into = await openState(target, 'command', from.secrets);
    try {
      return await move(from, into);
    } finally {
      await into.close();
    }
  } finally {
    await from.close();
  }
}

async function move(from: State, into: State) {
  const records = from.accounts.exportRecords();
  const done = await into.accounts.importRecords(records);
  if ('addressesTaken' in done) {
    throw new CommandFailure(
      'address-taken',
      `Nothing was moved: other accounts exist there for ${done.addressesTaken.join(', ')}; lei accounts delete removes one with its keys.`,
    );
  }
  await moveUses(from.accounts, into.accounts);
  return { ...done, alreadyThere: records.accounts.length - done.accounts };
}

/** When keys were last used is no part of their records. A later use that is known there stays. */
async function moveUses(from: AccountDirectory, into: AccountDirectory): Promise<void> {
  const known = new Map(usesIn(into));
  const later = usesIn(from).filter(([id, second]) => second > (known.get(id) ?? 0));
  if (later.length > 0) await into.noteUses(new Map(later));
}

function usesIn(accounts: AccountDirectory): readonly (readonly [keyId: string, second: number])[] {
  return accounts
    .list()
    .flatMap(({ keys }) => keys)
    .flatMap(({ key: { id, lastUsedAt } }) =>
      lastUsedAt === null ? [] : [[id, Date.parse(lastUsedAt) / 1_000] as const],
    );
}
