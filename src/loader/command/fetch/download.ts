/**
 * Downloads one published file into the download folder: complete, under its own name, or not at all.
 *
 *     name.zip.part + name.zip.part.json  ── all bytes here, size and beginning right ──►  name.zip
 *
 * A broken connection, an ended process or a Ctrl-C leaves the part, which the next try resumes. The size of the file
 * is known before its first byte is written: from the publisher's list, or otherwise from the answer.
 */
import { existsSync, statSync } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { lackOfSpace, writeAll } from '../../../publication/files.ts';
import { FetchFailure, Hiccup } from './failures.ts';
import { beginningOf, beginPart, dropNote, dropPart, isPacked, type Resumable, resumable } from './part.ts';
import type { PublishedFile } from './publishers.ts';
import { type OpenResponse, openResponse, type Transport, withRetries } from './transport.ts';

/** A download checks the free space again after this many bytes. */
const freeSpaceCheckBytes = 64 * 1024 * 1024;

export interface DownloadResult {
  readonly path: string;
  readonly bytes: number;
  /** False if the file was already there. */
  readonly fetched: boolean;
}

/** A try has made progress if it brings this much more than all tries before. */
const furtherBytesMin = 1024 * 1024;
const zipBeginning = 'PK\u0003\u0004';

/**
 * Downloads a file; one that is already there is used as it is.
 * @param arrived receives the downloaded bytes of this file, after each piece
 * @throws FetchFailure
 */
export async function download(
  transport: Transport,
  file: PublishedFile,
  folder: string,
  arrived: (bytes: number) => void,
): Promise<DownloadResult> {
  const path = join(folder, basename(file.name));
  const present = existsSync(path) ? statSync(path).size : -1;
  // A name contains the time of its publication, and a file gets its name only when complete.
  if (present >= 0 && (file.bytes === null || file.bytes === present)) {
    return { path, bytes: present, fetched: false };
  }
  await mkdir(folder, { recursive: true });
  const part = `${path}.part`;
  let furthest = resumable(part, file.url)?.have ?? 0;
  const bytes = await withRetries(transport, file.url, (gotFurther) =>
    receive(transport, file, part, (here) => {
      arrived(here);
      if (here - furthest < furtherBytesMin) return;
      furthest = here;
      gotFurther();
    }),
  );
  await rename(part, path);
  dropNote(part);
  return { path, bytes, fetched: true };
}

/** One try: resumes the part if that is safe, otherwise starts over. @returns the bytes of the whole file */
async function receive(
  transport: Transport,
  file: PublishedFile,
  part: string,
  arrived: (bytes: number) => void,
): Promise<number> {
  const here = resumable(part, file.url);
  const exchange = await openResponse(transport, file.url, headersFor(here));
  try {
    const from = startOf(exchange.response, here?.have ?? 0, part);
    const size = sizeOf(file, exchange.response, from, part);
    if (from === 0) beginPart(part, file.url, exchange.response);
    const spare = (written: number) =>
      checkFreeSpace(dirname(part), size - written, transport.limits.freeBytesMin);
    spare(from);
    const bytes = await store(exchange, { file, part, from, size, spare, arrived });
    if (bytes < size) throw new Hiccup(`broke off after ${bytes} of ${size} bytes`);
    checkBeginning(file, part, bytes);
    return bytes;
  } finally {
    exchange.close();
  }
}

function headersFor(here: Resumable | null): Record<string, string> {
  const headers = { 'Accept-Encoding': 'identity' };
  return here === null ? headers : { ...headers, Range: `bytes=${here.have}-`, 'If-Range': here.validator };
}

/** The offset of the answer's bytes. 206 must continue the part exactly; 200 sends everything. */
function startOf(response: Response, have: number, part: string): number {
  if (response.status === 200) return 0;
  const range = /^bytes (\d+)-\d+\//.exec(response.headers.get('content-range') ?? '');
  if (response.status === 206 && range !== null && Number(range[1]) === have) return have;
  // 416, or a range that does not fit: the part can't be resumed.
  dropPart(part);
  throw new Hiccup(`could not be resumed at byte ${have} (${response.status})`);
}

/** Bytes of the whole file, on which list and answer must agree. @throws FetchFailure */
function sizeOf({ url, bytes }: PublishedFile, response: Response, from: number, part: string): number {
  const answered = answeredSize(response, from);
  const size = bytes ?? answered;
  if (size !== null && (answered === null || answered === size)) return size;
  dropPart(part);
  if (size !== null) {
    throw new FetchFailure(
      'wrong-size',
      `${url} has ${answered} bytes, but the publisher announced ${size}.`,
    );
  }
  throw new FetchFailure(
    'no-size',
    `${url} has no Content-Length, and the publisher's list states no size. A download of unknown size is refused.`,
  );
}

/** Bytes of the whole file as the answer states them; null if it does not. A 206 has them in Content-Range. */
function answeredSize(response: Response, from: number): number | null {
  if (isPacked(response)) return null;
  const whole = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '');
  if (response.status === 206) return whole === null ? null : Number(whole[1]);
  const length = response.headers.get('content-length');
  return length === null ? null : from + Number(length);
}

interface DownloadTarget {
  readonly file: PublishedFile;
  readonly part: string;
  /** First byte to write. */
  readonly from: number;
  /** Bytes of the whole file. */
  readonly size: number;
  /** Checks the free space for the rest. */
  spare(written: number): void;
  arrived(bytes: number): void;
}

/** Writes the body into the part. @returns the bytes of the part */
async function store(
  exchange: OpenResponse,
  { file, part, from, size, spare, arrived }: DownloadTarget,
): Promise<number> {
  const handle = await open(part, from === 0 ? 'w' : 'r+');
  try {
    let position = from;
    let checkedAt = from;
    for await (const piece of exchange.body()) {
      if (position + piece.length > size) {
        dropPart(part);
        throw new FetchFailure('wrong-size', `${file.url} sent more than the announced ${size} bytes.`);
      }
      writeAll(handle.fd, piece, position);
      position += piece.length;
      arrived(position);
      if (position - checkedAt < freeSpaceCheckBytes) continue;
      checkedAt = position;
      spare(position);
    }
    await handle.sync();
    return position;
  } finally {
    await handle.close();
  }
}

/** Refuses a download of another kind. Call it before the file gets its name: a file with its name is used unchecked. */
function checkBeginning({ name, url }: PublishedFile, part: string, bytes: number): void {
  const kind = name.split('.').at(-1);
  const beginning = beginningOf(part, zipBeginning.length);
  if (kind === 'zip' && beginning === zipBeginning) return;
  // A web page about a fault comes with status 200 too.
  if (kind === 'csv' && bytes > 0 && !beginning.trimStart().startsWith('<')) return;
  if (kind !== 'zip' && kind !== 'csv') return;
  dropPart(part);
  throw new FetchFailure(
    'unexpected-answer',
    `${url} did not send a ${kind} file${bytes === 0 ? ', but an empty answer' : ''}.`,
  );
}

/**
 * @param wanted bytes still to be written
 * @param floor free bytes that must remain after them
 * @throws FetchFailure `no-space`
 */
function checkFreeSpace(folder: string, wanted: number, floor: number): void {
  const lack = lackOfSpace(folder, 'The download', wanted, floor);
  if (lack !== null) throw new FetchFailure('no-space', lack);
}
