/** Keeps a floor of free disk space under downloads. */
import { statfs } from 'node:fs/promises';
import { FetchFailure } from './fetch-failure.ts';

/** A download looks at the free space again after this many bytes. */
export const freeSpaceCheckBytes = 64 * 1024 * 1024;

/**
 * @param wanted bytes still to be written
 * @param floor free bytes that must be left after them
 * @throws FetchFailure `no-space`
 */
export async function checkFreeSpace(folder: string, wanted: number, floor: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free - wanted >= floor) return;
  throw new FetchFailure(
    'no-space',
    `${folder} has ${megabytes(free)} free. The download needs ${megabytes(wanted)}, and ${megabytes(floor)} must stay free.`,
  );
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}
