/**
 * `lei accounts move`: moves accounts, keys and counts from this data folder's own state into a shared one, or back.
 */

import type { Config } from '../config.ts';
import type { AccountDirectory, PrevailingSide } from '../ports/account-directory.ts';
import { dayOf } from '../ports/ledger.ts';
import type { CallerDay, OpenState, State } from '../ports/state.ts';
import { isAccount, usageDays } from '../ports/state.ts';
import { holdLock, LockHeld } from '../publication/lock.ts';
import { isSharedStateUrl } from '../settings/addresses.ts';
import { withoutPerhapsCredentials } from '../urls.ts';
import { CommandFailure, type Context, command, type Options } from './frame.ts';
import { counted } from './result-texts.ts';
import { tellService } from './with-state.ts';

const help = `
  lei accounts move --to URL      from this data folder to the shared state at URL
  lei accounts move --from URL    from the shared state at URL to this data folder

The command copies accounts and keys, and deletes nothing at the source. Keys keep working. It merges an account that
the target already has: it adds the keys that the target lacks; a key that is revoked, or an account that is
suspended, on one side is so on both; if both sides have a limit, the shared state's holds. The limits of the whole
service (lei limits) move likewise. It can't tell an account that was deleted from one that was not copied yet: delete
it on both sides. The command also copies the secrets if the target has none, the usage of the last 30 days and
today's counts; the counts of clients without a key only if both sides have the same secrets. If both sides counted
the same day, the larger count stays. So a second run changes nothing, and an interrupted run can be repeated. The
counts of the last 60 seconds and the sessions of the account page are not copied.

Stop the service on this data folder first: while it runs, today's counts are copied incompletely.`;

export function moveCommand(openState: OpenState) {
  return command(
    'move',
    'move accounts and keys to the shared state of a fleet, or back',
    (context, _args, options) => run(openState, context, options),
  )
    .option('--to <url>', 'address of the shared state, as in LEI_SHARED_STATE')
    .option('--from <url>', 'address of the shared state, as in LEI_SHARED_STATE')
    .addHelpText('after', help);
}

async function run(openState: OpenState, context: Context, { to, from }: Options): Promise<void> {
  if ((typeof to === 'string') === (typeof from === 'string')) {
    throw new CommandFailure('bad-option', 'Give either --to URL or --from URL; see --help.');
  }
  const url = String(to ?? from);
  if (!isSharedStateUrl(url)) {
    throw new CommandFailure(
      'bad-option',
      `${withoutPerhapsCredentials(url)} is not the address of a shared state. Give one such as redis://host:6379/0 or rediss://user:password@host:6379/0.`,
    );
  }
  const local: Config = { ...context.config, sharedState: null };
  const shared: Config = { ...context.config, sharedState: url };
  const [source, target] = typeof to === 'string' ? [local, shared] : [shared, local];
  const free = holdFolder(context);
  const moved = await moveBetween(openState, source, target, free !== null).finally(() => free?.());
  await tellService(context);
  context.result(
    moved,
    `Added ${counted(moved.accounts, 'account')} and ${counted(moved.keys, 'key')}; ${counted(moved.alreadyThere, 'account')} existed already, of which ${moved.merged} changed. Moved the counts of ${counted(moved.days, 'day')}.`,
  );
}

/**
 * Prevents a service from starting meanwhile. @returns a function that ends this; null, with a warning, if a service
 * runs on the folder
 */
function holdFolder(context: Context): (() => void) | null {
  try {
    return holdLock(context.layout.serviceLock, 'service');
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
    context.say(
      "Warning: a service is running on this data folder. If it counts requests there, today's counts are moved incompletely: stop it and run this command again.",
    );
    return null;
  }
}

/** @param alone whether no service counts in the data folder */
async function moveBetween(openState: OpenState, source: Config, target: Config, alone: boolean) {
  const from = await openState(source, 'command');
  try {
    const into = await openState(target, 'command', from.secrets);
    try {
      if (alone) await settle(source.sharedState === null ? from : into);
      return await move(from, into, target.sharedState === null ? 'given' : 'here');
    } finally {
      await into.close();
    }
  } finally {
    await from.close();
  }
}

async function move(from: State, into: State, prevailing: PrevailingSide) {
  const records = from.accounts.exportRecords();
  const done = await into.accounts.mergeRecords(records, prevailing);
  if ('addressesTaken' in done) {
    throw new CommandFailure(
      'address-taken',
      `Nothing was moved: other accounts use the addresses ${done.addressesTaken.join(', ')} there. Delete each with lei accounts delete, which deletes its keys too, and run this command again.`,
    );
  }
  await moveUses(from.accounts, into.accounts);
  const days = await moveCounts(from, into);
  return { ...done, alreadyThere: records.accounts.length - done.accounts, days };
}

/**
 * Saves what a killed service has left behind. It saves twice: entries of the journal override rows, and only the
 * second save empties the journal.
 */
async function settle({ ledger }: State): Promise<void> {
  for (let saves = 0; saves < 2; saves++) await ledger.save(Date.now());
}

/** @returns how many days of callers were raised in the target */
async function moveCounts(from: State, into: State): Promise<number> {
  const today = dayOf(Date.now());
  const sameClients = Buffer.from(from.secrets.client).equals(into.secrets.client);
  const isOfUse = ({ caller, day }: CallerDay) =>
    isAccount(caller) ? day > today - usageDays : sameClients && day === today;
  const tally = into.tally();
  let raised = 0;
  for await (const days of from.tally().read()) raised += await tally.raise(days.filter(isOfUse));
  return raised;
}

/** Moves the times of last use, which are not part of key records. A later time in the target stays. */
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
