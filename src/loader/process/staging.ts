/** The folder a publication is built in: made, copied into, thrown away, or sealed by rename. */
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { errorCode, isMissing } from '../../errors.ts';
import type { Layout } from '../../publication/layout.ts';
import type { Manifest } from '../../publication/manifest.ts';
import { syncFolder, writeDurably } from '../../publication/pointer.ts';
import { dropUnfinished } from '../../publication/unfinished.ts';
import { LoadFailure } from '../load-request.ts';

/** Removes what others left behind when they were killed. Only under the load lock. */
export function clearStaging(layout: Layout): void {
  dropUnfinished(layout.dataDir);
  for (const name of readNames(layout.staging)) rmSync(layout.staged(name), { recursive: true, force: true });
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Makes the empty folder of a new publication, holding a copy of `copyOf`'s environment where it is given. */
export function stage(layout: Layout, id: string, copyOf: string | null): string {
  const folder = layout.staged(id);
  mkdirSync(folder, { recursive: true });
  if (copyOf !== null) {
    // A reflink where the file system has them: the copy then costs no space and no time.
    copyFileSync(layout.environment(copyOf), layout.stagedEnvironment(id), constants.COPYFILE_FICLONE);
  }
  return folder;
}

/** What can't be removed now, the next load removes: told of, it would hide why this one failed. */
export function discard(layout: Layout, id: string): void {
  try {
    rmSync(layout.staged(id), { recursive: true, force: true });
  } catch {}
}

/**
 * Checked before anything is written: a disk that fills up in the middle costs the operator an hour.
 * @throws LoadFailure `no-space`, saying how much is missing
 */
export function checkSpace(layout: Layout, bytesNeeded: number): void {
  mkdirSync(layout.staging, { recursive: true });
  const { bavail, bsize } = statfsSync(layout.staging);
  const free = bavail * bsize;
  if (free >= bytesNeeded) return;
  throw new LoadFailure(
    'no-space',
    `${layout.staging} has ${megabytes(free)} free, but about ${megabytes(bytesNeeded)} are needed.`,
  );
}

/**
 * Says so where a write failed because the disk is full. Asked before what was written is thrown away: lmdb tells
 * a write cut short as an input/output error, and only the missing space tells the two apart.
 */
export function explainWriteFailure(layout: Layout, error: unknown): unknown {
  if (!(error instanceof Error) || !/ENOSPC|No space left|EIO|Input\/output error/i.test(error.message))
    return error;
  const { bavail, bsize } = statfsSync(layout.staging);
  if (bavail * bsize > fullDiskBytes) return error;
  return new LoadFailure(
    'no-space',
    `The disk of ${layout.staging} is full (${error.message}); nothing was changed.`,
  );
}
/** Less than this free is full: one transaction writes more. */
const fullDiskBytes = 8 * 2 ** 20;

/**
 * Tried before anything is read: where a finished publication can't get its place, hours are lost.
 * @throws LoadFailure `not-one-disk`, or the system's error
 */
export function checkSealing(layout: Layout): void {
  // No id, so it is never taken for a publication.
  const [staged, sealed] = [layout.staged('try'), layout.publication('try')];
  mkdirSync(layout.publications, { recursive: true });
  mkdirSync(staged, { recursive: true });
  try {
    renameSync(staged, sealed);
    rmSync(sealed, { recursive: true });
  } catch (error) {
    rmSync(staged, { recursive: true, force: true });
    if (errorCode(error) !== 'EXDEV') throw error;
    throw new LoadFailure(
      'not-one-disk',
      `${layout.staging} and ${layout.publications} lie on different disks or mounts, between which a finished publication can't be moved in one step. Put the whole data folder on one of them.`,
    );
  }
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}

/** Writes the manifest, makes everything durable, and gives the folder its final name. */
export function seal(layout: Layout, manifest: Manifest): void {
  const { id } = manifest;
  writeDurably(layout.stagedManifest(id), `${JSON.stringify(manifest, null, 2)}\n`);
  syncFile(layout.stagedEnvironment(id));
  syncFile(layout.stagedCompanies(id));
  syncFolder(layout.staged(id));
  renameSync(layout.staged(id), layout.publication(id));
  syncFolder(layout.publications);
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

export function sizeOf(path: string): number {
  return statSync(path).size;
}
