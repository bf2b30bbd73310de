/**
 * Digests files, large ones in two threads while this thread does other work; both ends of the threads. A file may be
 * copied in the same reading.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { writeAll } from '../../publication/files.ts';
import {
  digestSegment,
  roomForDigests,
  type SegmentDigests,
  segmentBytes,
} from '../../publication/segment-digests.ts';
import { TaskThread } from '../../threads/tasks.ts';

/** A part of a file, which one thread digests. Several threads share a large file. */
interface FileStretch {
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

/** A file that is to be digested, cut into stretches. */
export interface FileToDigest {
  readonly path: string;
  /** Known once {@link digestFiles} is done. */
  readonly digests: SegmentDigests;
  readonly stretches: readonly FileStretch[];
}

interface DigestOptions {
  /** A path that receives a copy of the file. */
  readonly copyTo?: string | null;
  /** Digests of an earlier state of the file: unchanged segments are not digested again. */
  readonly known?: SegmentDigests | null;
}

/**
 * What one thread takes at a time: small enough that all end at about the same time. A multiple of what it reads at
 * once.
 */
const stretchBytes = 32 * 2 ** 20;

/** The size from which threads are worthwhile: starting one costs as much as 40 MB. */
const threadBytesMin = 256 * 2 ** 20;

const threadUrl = new URL('../../../workers/digest.ts', import.meta.url).href;

const newSeed = () => Buffer.from(crypto.getRandomValues(new Uint8Array(8))).readBigUInt64LE();

/** @throws if there is no such file, or no copy can be made */
export function fileToDigest(
  path: string,
  { copyTo = null, known = null }: DigestOptions = {},
): FileToDigest {
  if (copyTo !== null) closeSync(openSync(copyTo, 'w'));
  const { size } = statSync(path);
  const digests = roomForDigests(size, known?.seed ?? newSeed());
  const stretches: FileStretch[] = [];
  for (let from = 0; from < size; from += stretchBytes) {
    stretches.push({ path, from, to: Math.min(size, from + stretchBytes), copyTo, digests, known });
  }
  return { path, digests, stretches };
}

/** Rejects if a file can't be read or a copy can't be written. */
export async function digestFiles(files: readonly FileToDigest[]): Promise<void> {
  const stretches = files.flatMap((file) => file.stretches);
  const bytes = stretches.reduce((sum, { from, to }) => sum + to - from, 0);
  if (bytes < threadBytesMin) for (const stretch of stretches) await here(stretch);
  else await inThreads(stretches);
}

/** Lets other work of this thread run between two stretches. */
async function here(stretch: FileStretch): Promise<void> {
  digestStretch(stretch);
  await new Promise(setImmediate);
}

/**
 * Two threads take stretches until none is left. More threads would only wait for the disk, or take cores from the
 * service that answers meanwhile. One starts with the first file and one with the last, because two that write into one
 * file wait for each other.
 */
async function inThreads(stretches: FileStretch[]): Promise<void> {
  const threads = [startThread(), startThread()] as const;
  try {
    await Promise.all([
      digestWith(threads[0], () => stretches.shift()),
      digestWith(threads[1], () => stretches.pop()),
    ]);
  } finally {
    for (const thread of threads) thread.terminate();
  }
}

/** The tasks of a digesting thread. */
export interface DigestTasks {
  digest(stretch: FileStretch): void;
}

type DigestThread = TaskThread<DigestTasks>;

function startThread(): DigestThread {
  return new TaskThread(new Worker(threadUrl), 'A thread that digests files', {});
}

async function digestWith(thread: DigestThread, take: () => FileStretch | undefined): Promise<void> {
  for (let stretch = take(); stretch !== undefined; stretch = take()) await thread.do('digest', [stretch]);
}

const bytesPerRead = 16 * segmentBytes;

/** Runs in the thread, or in the loader's own. @throws if the file ends early, or the system refuses */
export function digestStretch(stretch: FileStretch): void {
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

function digestEach(bytes: Buffer, first: number, { digests, known }: FileStretch): void {
  for (let at = 0; at < bytes.length; at += segmentBytes) {
    digestSegment(bytes.subarray(at, at + segmentBytes), first + at / segmentBytes, digests, known);
  }
}
