/**
 * Runs a command again in a process with another process id if a service in another container has the same one. lmdb
 * identifies readers by process id alone and can't have two readers with the same one.
 */
import { layout } from '../publication/layout.ts';
import { isNumberTaken } from '../publication/lock.ts';
import { readSettings } from './frame.ts';

/** @returns whether the command ran in another process; its exit status is then in `process.exitCode` */
export function ranUnderAnotherNumber(): boolean {
  if (!isNumberTaken(layout(readSettings().config.dataDir).serviceLock)) return false;
  const { exitCode } = Bun.spawnSync([process.execPath, ...process.argv.slice(1)], {
    stdio: ['inherit', 'inherit', 'inherit'],
  });
  // Null after a signal ended the process.
  process.exitCode = exitCode ?? 1;
  return true;
}
