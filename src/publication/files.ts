/**
 * Files and folders of any kind: their identity, temporary names, free space on their disk, and writing and reading them
 * completely and durably.
 */

import {
  closeSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { atPath, errorCode } from '../errors.ts';

/**
 * Equal for all paths of one file or folder, even after a rename or if it is mounted twice, and for its descriptors.
 * @throws like `stat`
 */
export function identityOf(file: string | number): string {
  const { dev, ino } =
    typeof file === 'string' ? statSync(file, { bigint: true }) : fstatSync(file, { bigint: true });
  return `${dev}:${ino}`;
}

/**
 * The temporary path for a file of this process: a file is written beside its place and renamed when it is complete. A
 * killed writer leaves one behind.
 */
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

/**
 * Tells which file stands where a folder is needed, if an error of the system came from that: the system names only the
 * path that it could not reach.
 * @returns a sentence; null for any other error
 */
export function fileInTheWay(error: unknown): string | null {
  if (!(error instanceof Error && 'syscall' in error && 'path' in error)) return null;
  const isOfFolders = errorCode(error) === 'ENOTDIR' || error.syscall === 'mkdir';
  return isOfFolders && typeof error.path === 'string' ? notAFolder(error.path) : null;
}

/**
 * Tells which file stands at the path of a folder, or at that of a parent.
 * @returns a sentence; null if a folder is there or can be made
 */
export function notAFolder(path: string): string | null {
  const found = attributesOf(lstatSync, path);
  if (found === null) return path === dirname(path) ? null : notAFolder(dirname(path));
  if (attributesOf(statSync, path)?.isDirectory() === true) return null;
  const what = found.isSymbolicLink() ? 'a link that leads to no folder' : 'a file';
  return `${path} is ${what}, but must be a folder. Move it away, or choose another folder; LEI_DATA_DIR names the one for data.`;
}

/** Null if they can't be read: nothing is there, or the system's own error says more than a look at it could. */
function attributesOf(read: typeof statSync | typeof lstatSync, path: string) {
  try {
    return read(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** Free disk space that downloads leave for everything else, such as the accounts of the service. */
export const freeBytesMin = 256 * 1024 * 1024;

/** Bytes that this user may still write. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * Whether `wanted` bytes can be written so that `floor` bytes stay free.
 * @returns null if they can, otherwise how much is missing and what helps, as sentences
 */
export function lackOfSpace(folder: string, what: string, wanted: number, floor: number): string | null {
  const free = freeBytes(folder);
  if (free - wanted >= floor) return null;
  return `${folder} has ${wholeMegabytes(free)} free. ${what} needs ${wholeMegabytes(wanted)}, and ${wholeMegabytes(floor)} must stay free. ${roomAdvice}`;
}

/** How an operator gets free space. */
export const roomAdvice = 'Make room: lei prune --keep 1 deletes publications that are no longer needed.';

/** Rounded up, so that what it names is enough. */
export function wholeMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}

const blockBytes = 1024 * 1024;

/**
 * Reads a file block by block, in the background. All reads share one buffer; a stream would make one for each.
 * @param take a block is valid only during the call
 * @returns how many bytes were read: all, unless `aborted` came before
 * @throws if the file can't be read
 */
export async function readThrough(
  path: string,
  aborted: AbortSignal | null,
  take?: (block: Uint8Array) => void,
): Promise<number> {
  const file = await open(path);
  try {
    const block = Buffer.allocUnsafeSlow(blockBytes);
    let total = 0;
    while (aborted?.aborted !== true) {
      const { bytesRead } = await file.read(block, 0, blockBytes, total);
      if (bytesRead === 0) break;
      take?.(block.subarray(0, bytesRead));
      total += bytesRead;
    }
    return total;
  } finally {
    await file.close();
  }
}

/** SHA-256 of a file, in hexadecimal. */
export async function digestFile(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256');
  await readThrough(path, null, (block) => hash.update(block));
  return hash.digest('hex');
}

/** Writes all bytes: a full disk takes the first part of a write and refuses the rest. @throws the system's error */
export function writeAll(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(file, bytes, done, bytes.length - done, position + done);
  }
}

/**
 * Writes a file so that after a crash it has either the old or the new content.
 * @throws the system's error if it can't; the old content then stays
 */
export function writeDurably(path: string, content: string, mode = 0o644): void {
  const temporary = unfinished(path);
  try {
    writeSynced(temporary, content, mode);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw atPath(error, path);
  }
  sync(dirname(path));
}

function writeSynced(path: string, content: string, mode: number): void {
  const file = openSync(path, 'w', mode);
  try {
    // Not writeSync, which may write only a part.
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes the content of a file or the entries of a folder durable. */
export function sync(path: string): void {
  const opened = openSync(path, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
