/** Digests a stretch of a file, and copies it in the same reading. Several threads share a large file. */
import { closeSync, openSync, readSync } from 'node:fs';
import { writeAll } from '../../bytes/write-all.ts';
import { digestSegment, type SegmentDigests, segmentBytes } from '../../publication/segment-digests.ts';

export interface Stretch {
  readonly path: string;
  /** Bytes of the file: from `from`, a multiple of a segment, up to `to` (exclusive). */
  readonly from: number;
  readonly to: number;
  /** An existing file that receives the same bytes at the same offset; null for none. */
  readonly copyTo: string | null;
  /** Receives the result. */
  readonly digests: SegmentDigests;
  /** Digests of the file before it changed, or of its original; null for none. */
  readonly known: SegmentDigests | null;
}

const bytesPerRead = 16 * segmentBytes;

/** @throws if the file ends early, or the system refuses */
export function digestStretch(stretch: Stretch): void {
  const { path, from, to, copyTo } = stretch;
  const file = openSync(path, 'r');
  const copy = copyTo === null ? null : openSync(copyTo, 'r+');
  try {
    const buffer = Buffer.allocUnsafeSlow(bytesPerRead);
    for (let at = from; at < to; at += bytesPerRead) {
      const bytes = buffer.subarray(0, Math.min(bytesPerRead, to - at));
      readAll(file, bytes, at, path);
      digestEach(bytes, at / segmentBytes, stretch);
      if (copy !== null) writeAll(copy, bytes, at);
    }
  } finally {
    closeSync(file);
    if (copy !== null) closeSync(copy);
  }
}

function readAll(file: number, bytes: Buffer, at: number, path: string): void {
  for (let done = 0; done < bytes.length; ) {
    const read = readSync(file, bytes, done, bytes.length - done, at + done);
    if (read === 0) throw new Error(`${path} ended at byte ${at + done} while it was read.`);
    done += read;
  }
}

function digestEach(bytes: Buffer, first: number, { digests, known }: Stretch): void {
  for (let at = 0; at < bytes.length; at += segmentBytes) {
    digestSegment(bytes.subarray(at, at + segmentBytes), first + at / segmentBytes, digests, known);
  }
}
