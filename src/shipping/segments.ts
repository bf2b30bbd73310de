/**
 * Reads and writes segments: pieces of 1 MiB of a shipped file. A segment is named by the digest of its bytes and
 * stored completely. If it resembles the same segment of an earlier publication, it is also stored as a difference:
 * compressed with that segment as the dictionary.
 */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { shippingLimits } from './limits.ts';

const { segmentBytes } = shippingLimits;

export function segmentCount(bytes: number): number {
  return Math.ceil(bytes / segmentBytes);
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Name of the object with a complete segment. */
export function wholeName(digest: string): string {
  return `objects/${digest.slice(0, 2)}/${digest}.zst`;
}

/** Name of the object with the difference between two segments. */
export function differenceName(digest: string, base: string): string {
  return `objects/${digest.slice(0, 2)}/${digest}-${base}.zst`;
}

/** Reads one segment of a file; empty beyond its end. */
export async function readSegment(file: FileHandle, index: number): Promise<Buffer<ArrayBuffer>> {
  const room = Buffer.allocUnsafeSlow(segmentBytes);
  let length = 0;
  while (length < room.length) {
    const { bytesRead } = await file.read(room, length, room.length - length, index * segmentBytes + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return room.subarray(0, length);
}

export async function writeSegment(file: FileHandle, index: number, bytes: Uint8Array): Promise<void> {
  let length = 0;
  while (length < bytes.length) {
    const at = index * segmentBytes + length;
    const { bytesWritten } = await file.write(bytes, length, bytes.length - length, at);
    length += bytesWritten;
  }
}

export function packWhole(segment: Uint8Array): Uint8Array {
  return zstdCompressSync(segment);
}

export function packDifference(segment: Uint8Array, base: Uint8Array): Uint8Array {
  return zstdCompressSync(segment, { dictionary: base });
}

/**
 * @param base the dictionary; null for a complete segment
 * @returns null if the bytes are not that segment: damaged, or of another base
 */
export function unpack(packed: Uint8Array, base: Uint8Array | null, digest: string): Buffer | null {
  try {
    const options = { maxOutputLength: segmentBytes, ...(base === null ? {} : { dictionary: base }) };
    const segment = zstdDecompressSync(packed, options);
    return digestOf(segment) === digest ? segment : null;
  } catch {
    return null;
  }
}

/**
 * Runs a job for each item, several at a time and in order. The first failure ends it once the running jobs have ended.
 */
export async function inParallel<Item>(
  items: Iterator<Item> | AsyncIterator<Item>,
  atATime: number,
  job: (item: Item) => Promise<void>,
): Promise<void> {
  let failed = false;
  const work = async () => {
    try {
      for (let next = await items.next(); next.done !== true && !failed; next = await items.next())
        await job(next.value);
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: atATime }, work));
  const failure = ended.find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
}
