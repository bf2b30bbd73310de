/**
 * Commands that open an lmdb environment themselves, run again where the service in another container has their process
 * number: lmdb tells readers apart by number alone, and has no place for a second one of the same.
 */
import { layout } from '../publication/layout.ts';
import { isNumberTaken } from '../publication/lock.ts';
import { readSettings } from './frame.ts';

/** @returns whether the command was run in a process of another number; its exit status is left in `process.exitCode` */
export function ranUnderAnotherNumber(): boolean {
  if (!isNumberTaken(layout(readSettings().config.dataDir).serviceLock)) return false;
  const { exitCode } = Bun.spawnSync([process.execPath, ...process.argv.slice(1)], {
    stdio: ['inherit', 'inherit', 'inherit'],
  });
  // Null where a signal ended it.
  process.exitCode = exitCode ?? 1;
  return true;
}
