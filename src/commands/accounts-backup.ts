/** `lei accounts backup` and `lei accounts restore`. */
import { reasonOf } from '../errors.ts';
import type { AccountDirectory } from '../ports/account-directory.ts';
import { readBackup, writeBackup } from '../state/backup.ts';
import { CommandFailure, type Context, command } from './frame.ts';
import { counted } from './result-texts.ts';
import type { WithAccounts } from './with-state.ts';

export function backupCommand(withAccounts: WithAccounts) {
  const run = async (context: Context, args: readonly string[]) => {
    const path = args[0] ?? '';
    const { accounts, keys } = await withAccounts(context, 'reads', (directory) => save(path, directory));
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

export function restoreCommand(withAccounts: WithAccounts) {
  const run = async (context: Context, args: readonly string[]) => {
    const reading = readBackup(args[0] ?? '');
    if (!reading.ok) throw new CommandFailure('bad-backup', reading.fault);
    const { backup } = reading;
    const done = await withAccounts(context, 'changes', (directory) => directory.importRecords(backup));
    if ('addressesTaken' in done) {
      throw new CommandFailure(
        'address-taken',
        `Nothing was restored: newer accounts use the addresses ${done.addressesTaken.join(', ')}. Delete each with lei accounts delete, which deletes its keys too, and restore again.`,
      );
    }
    const there = backup.accounts.length - done.accounts;
    context.result(
      { ...done, alreadyThere: there },
      `Restored ${counted(done.accounts, 'account')} with ${counted(done.keys, 'key')}; already there and unchanged: ${there}.`,
    );
  };
  return command(
    'restore',
    'restore the accounts of a backup; existing accounts stay unchanged',
    run,
  ).argument('<file>', 'a file that lei accounts backup wrote');
}
