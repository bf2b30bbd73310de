/** Files are written beside their place and put there when they are whole; whoever is killed before leaves one behind. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../errors.ts';

/** Where this process writes what is to stand at a path. */
export function unfinished(path: string): string {
  return `${path}.${process.pid}.tmp`;
}

/** Removes those in a folder that nobody writes any more. */
export function dropUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    const writer = /\.([1-9]\d*)\.tmp$/.exec(name)?.[1];
    if (writer !== undefined && !isRunning(Number(writer))) rmSync(join(folder, name), { force: true });
  }
}

/** Whether there is a process of this number, be it somebody else's. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Not permitted means that somebody else's process lives under that number.
    return errorCode(error) === 'EPERM';
  }
}
