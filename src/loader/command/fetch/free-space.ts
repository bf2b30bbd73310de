/** Keeps a minimum of free disk space during downloads. */
import { lackOfSpace } from '../../../publication/free-space.ts';
import { FetchFailure } from './fetch-failure.ts';

/** A download checks the free space again after this many bytes. */
export const freeSpaceCheckBytes = 64 * 1024 * 1024;

/**
 * @param wanted bytes still to be written
 * @param floor free bytes that must remain after them
 * @throws FetchFailure `no-space`
 */
export async function checkFreeSpace(folder: string, wanted: number, floor: number): Promise<void> {
  const lack = lackOfSpace(folder, 'The download', wanted, floor);
  if (lack !== null) throw new FetchFailure('no-space', lack);
}
