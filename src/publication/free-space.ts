/** Free space of the disk that a folder is on. */
import { statfsSync } from 'node:fs';

/** Bytes that this user may still write. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * Whether `wanted` bytes can be written so that `floor` bytes stay free.
 * @returns null where they can, else what is lacking, as a sentence
 */
export function lackOfSpace(folder: string, what: string, wanted: number, floor: number): string | null {
  const free = freeBytes(folder);
  if (free - wanted >= floor) return null;
  return `${folder} has ${megabytes(free)} free. ${what} needs ${megabytes(wanted)}, and ${megabytes(floor)} must stay free.`;
}

export function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}
