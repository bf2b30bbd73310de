/** Measures the free space of a folder's disk. */
import { statfsSync } from 'node:fs';

/** Bytes that this user may still write. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * Whether `wanted` bytes can be written so that `floor` bytes stay free.
 * @returns null if they can, otherwise how much is missing, as a sentence
 */
export function lackOfSpace(folder: string, what: string, wanted: number, floor: number): string | null {
  const free = freeBytes(folder);
  if (free - wanted >= floor) return null;
  return `${folder} has ${megabytes(free)} free. ${what} needs ${megabytes(wanted)}, and ${megabytes(floor)} must stay free.`;
}

export function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}
