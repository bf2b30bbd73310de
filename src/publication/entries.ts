/**
 * The entries of a folder that is the service's own. Their names may come from another machine, so each path that is
 * written or removed by such a name is made and checked here. A symbolic link is never followed out of the folder.
 */

import { lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ExpectedFailure, errorCode, isMissing } from '../errors.ts';
import { quoted } from '../terminal-text.ts';

/** A name or a symbolic link leads out of the folder that it should lie in. */
class LeadsElsewhere extends ExpectedFailure<'leads-elsewhere'> {
  override readonly name = 'LeadsElsewhere';
  constructor(message: string) {
    super('leads-elsewhere', message);
  }
}

/** The path of an entry of a folder. @throws LeadsElsewhere if the name is not that of one entry */
export function entryOf(folder: string, name: string): string {
  const path = join(folder, name);
  if (name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name)) return path;
  throw new LeadsElsewhere(`${quoted(name)} can't be the name of anything in ${folder}.`);
}

/**
 * Makes a folder in a folder, if it is not there yet.
 * @returns its path
 * @throws LeadsElsewhere if its name belongs to anything but a folder, such as a symbolic link
 */
export async function makeFolder(folder: string, name: string): Promise<string> {
  const path = entryOf(folder, name);
  try {
    await mkdir(path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    return enterFolder(folder, name);
  }
  return path;
}

/** The path of a folder in a folder. @throws LeadsElsewhere as above, or the system's error if it is missing */
export async function enterFolder(folder: string, name: string): Promise<string> {
  const path = entryOf(folder, name);
  if ((await lstat(path)).isDirectory()) return path;
  throw new LeadsElsewhere(`${path} must be a folder, and not a symbolic link or anything else.`);
}

/**
 * Removes an entry with everything below it, if it is there. Of a symbolic link only the link is removed.
 * @param first a file of the entry that is removed before the others
 */
export async function removeEntry(folder: string, name: string, first: string | null = null): Promise<void> {
  const path = entryOf(folder, name);
  if (first !== null && (await isFolder(path))) await rm(entryOf(path, first), { force: true });
  await rm(path, { recursive: true, force: true });
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
