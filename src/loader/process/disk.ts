/** Checks the disk for a load: room, and one file system for staging and publications. */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { errorCode } from '../../errors.ts';
import { freeBytes, roomAdvice, wholeMegabytes } from '../../publication/files.ts';
import type { Layout } from '../../publication/layout.ts';
import { LoadFailure, type LoadRequest } from '../load-request.ts';
import type { Source } from '../source.ts';

/**
 * Disk space by bytes of a file: a publication takes about 3.2 times a compressed one, and the records that a load keeps until
 * it is finished 1.4 times; both together less than an uncompressed one.
 */
const spacePerPackedByte = 5.5;
/** Space for data that does not grow with the files. */
export const spaceBytesMin = 16 * 2 ** 20;

/** Free disk space that a load needs besides the copy that it may begin with. */
export function bytesNeeded({ purpose }: LoadRequest, sources: readonly Source[]): number {
  const perPackedByte = purpose === 'history' ? 1 : spacePerPackedByte;
  const files = sources.reduce((sum, { bytes, packed }) => sum + (packed ? perPackedByte : 1) * bytes, 0);
  return files + spaceBytesMin;
}

/**
 * Runs before anything is written: a disk that fills up halfway costs the operator an hour.
 * @throws LoadFailure `no-space`, saying how much is missing
 */
export function checkSpace(layout: Layout, bytesNeeded: number): void {
  mkdirSync(layout.staging, { recursive: true });
  const free = freeBytes(layout.staging);
  if (free >= bytesNeeded) return;
  throw new LoadFailure(
    'no-space',
    `${layout.staging} has ${wholeMegabytes(free)} free, but the load needs about ${wholeMegabytes(bytesNeeded)}. ${roomAdvice}`,
  );
}

/** Less free space than this counts as a full disk: one transaction writes more. */
const fullDiskBytes = 8 * 2 ** 20;

/**
 * Turns the error of a failed write into `no-space` if the disk is full. Call it before the build is discarded: lmdb
 * reports a short write as an input/output error, and only the missing space distinguishes the two.
 */
export function explainWriteFailure(layout: Layout, error: unknown): unknown {
  if (!(error instanceof Error) || !/ENOSPC|No space left|EIO|Input\/output error/i.test(error.message))
    return error;
  if (freeBytes(layout.staging) > fullDiskBytes) return error;
  return new LoadFailure(
    'no-space',
    `The disk of ${layout.staging} is full; nothing was changed. ${roomAdvice} Then load again.`,
  );
}

/**
 * Runs before the files are read: a publication that can't be moved to its place at the end costs hours.
 * @throws LoadFailure `not-one-disk`, or the system's error
 */
export function checkSealing(layout: Layout): void {
  // `try` is not a publication id, so nothing takes the folder for a publication.
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
