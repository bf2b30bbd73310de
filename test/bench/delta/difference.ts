/** Measures how the files of two publications differ: bytes, pages, and the size of a shipped difference. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { constants, zstdCompressSync } from 'node:zlib';

export const pageBytes = 4096;
const segmentBytes = 1024 * 1024;

export interface Difference {
  bytes: number;
  changedBytes: number;
  changedPages: number;
  /** 1 for each page that changed. */
  readonly pages: Uint8Array;
  /** Of all changed segments, each compressed with the same segment of the base as the dictionary. */
  shippedBytes: number;
}

export function difference(base: string, next: string): Difference {
  const [before, after] = [openSync(base, 'r'), openSync(next, 'r')];
  const [old, fresh] = [Buffer.alloc(segmentBytes), Buffer.alloc(segmentBytes)];
  const bytes = statSync(next).size;
  const pages = new Uint8Array(Math.ceil(bytes / pageBytes));
  const found = { bytes, changedBytes: 0, changedPages: 0, pages, shippedBytes: 0 };
  for (let at = 0; at < bytes; at += segmentBytes) {
    const length = readSync(after, fresh, 0, segmentBytes, at);
    const known = readSync(before, old.fill(0), 0, segmentBytes, at);
    compareSegment(old.subarray(0, known), fresh.subarray(0, length), at / pageBytes, found);
  }
  closeSync(before);
  closeSync(after);
  return found;
}

function compareSegment(old: Buffer, fresh: Buffer, firstPage: number, found: Difference): void {
  if (fresh.equals(old)) return;
  for (let from = 0; from < fresh.length; from += pageBytes) {
    const to = Math.min(fresh.length, from + pageBytes);
    if (fresh.subarray(from, to).equals(old.subarray(from, to))) continue;
    found.pages[firstPage + from / pageBytes] = 1;
    found.changedPages++;
    for (let i = from; i < to; i++) if (fresh[i] !== old[i]) found.changedBytes++;
  }
  const params = { [constants.ZSTD_c_compressionLevel]: 3 };
  const options = old.length === 0 ? { params } : { params, dictionary: old };
  found.shippedBytes += zstdCompressSync(fresh, options).length;
}
