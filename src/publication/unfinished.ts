/**
 * Temporary files: a file is written beside its place and renamed when it is complete. A killed writer leaves one
 * behind.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../errors.ts';

/** The temporary path for a file of this process. */
export function unfinished(path: string): string {
  return `${path}.${process.pid}.tmp`;
}

/** Removes the temporary files in a folder whose writers have ended. */
export function dropUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    const writer = /\.([1-9]\d*)\.tmp$/.exec(name)?.[1];
    if (writer !== undefined && !isRunning(Number(writer))) rmSync(join(folder, name), { force: true });
  }
}

/** Whether a process with this id runs, including another user's. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process runs as another user.
    return errorCode(error) === 'EPERM';
  }
}
