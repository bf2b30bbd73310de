/**
 * Brings one published file into the folder of downloads: whole, under its own name, or not at all.
 *
 *     name.zip.part + name.zip.part.json  ── all bytes here, size and beginning right ──►  name.zip
 *
 * A broken line, an ended process or a Ctrl-C leaves the part, which the next try continues.
 */
import { existsSync, statSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { FetchFailure } from './fetch-failure.ts';
import { asHiccup, Hiccup } from './hiccup.ts';
import { beginningOf, beginPart, dropNote, dropPart, isPacked, type Resumable, resumable } from './part.ts';
import type { PublishedFile } from './published-file.ts';
import { ask, type Transport, withRetries } from './transport.ts';

export interface Downloaded {
  readonly path: string;
  readonly bytes: number;
  /** False where the file was there already. */
  readonly fetched: boolean;
}

/** A try that brings this much got further. */
const furtherBytesMin = 1024 * 1024;
const zipBeginning = 'PK\u0003\u0004';

/**
 * Downloads a file; one that is there already is taken as it is.
 * @param arrived gets the bytes of this file that are here, after each chunk
 * @throws FetchFailure
 */
export async function download(
  transport: Transport,
  file: PublishedFile,
  folder: string,
  arrived: (bytes: number) => void,
): Promise<Downloaded> {
  const path = join(folder, basename(file.name));
  const present = existsSync(path) ? statSync(path).size : -1;
  // A name holds the time of its publication, and a file gets its name only when whole.
  if (present >= 0 && (file.bytes === null || file.bytes === present)) {
    return { path, bytes: present, fetched: false };
  }
  await mkdir(folder, { recursive: true });
  const part = `${path}.part`;
  const bytes = await withRetries(transport, file.url, (gotFurther) =>
    receive(transport, file, part, gotFurther, arrived),
  );
  await rename(part, path);
  dropNote(part);
  return { path, bytes, fetched: true };
}

/** One try: continues the part where that is safe, else begins anew. @returns the bytes of the whole file */
async function receive(
  transport: Transport,
  file: PublishedFile,
  part: string,
  gotFurther: () => void,
  arrived: (bytes: number) => void,
): Promise<number> {
  const here = resumable(part, file.url);
  const have = here?.have ?? 0;
  const { response, heard, close } = await ask(transport, file.url, headersFor(here));
  try {
    const from = startOf(response, have, part);
    if (from === 0) beginPart(part, file.url, response);
    const bytes = await store(response, part, from, (now) => {
      heard();
      if (now - have >= furtherBytesMin) gotFurther();
      arrived(now);
    });
    const total = totalOf(response, from) ?? file.bytes;
    if (total !== null && bytes < total) throw new Hiccup(`broke off after ${bytes} of ${total} bytes`);
    checkWhole(file, part, bytes);
    return bytes;
  } catch (error) {
    throw asHiccup(error, transport);
  } finally {
    close();
  }
}

function headersFor(here: Resumable | null): Record<string, string> {
  const headers = { 'Accept-Encoding': 'identity' };
  return here === null ? headers : { ...headers, Range: `bytes=${here.have}-`, 'If-Range': here.validator };
}

/** Where the answer's bytes belong. 206 must continue the part exactly; 200 sends everything. */
function startOf(response: Response, have: number, part: string): number {
  if (response.status === 200) return 0;
  const range = /^bytes (\d+)-\d+\//.exec(response.headers.get('content-range') ?? '');
  if (response.status === 206 && range !== null && Number(range[1]) === have) return have;
  // 416, or a range that does not fit: the part can't be continued.
  dropPart(part);
  throw new Hiccup(`could not be continued at byte ${have} (${response.status})`);
}

/** Bytes of the whole file; null where the answer does not say. A 206 tells them in Content-Range. */
function totalOf(response: Response, from: number): number | null {
  if (isPacked(response)) return null;
  const whole = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '');
  if (response.status === 206 && whole !== null) return Number(whole[1]);
  const length = response.headers.get('content-length');
  return length === null ? null : from + Number(length);
}

async function store(
  response: Response,
  part: string,
  from: number,
  arrived: (bytes: number) => void,
): Promise<number> {
  const file = await open(part, from === 0 ? 'w' : 'r+');
  try {
    const bytes = await writeAll(file, response, from, arrived);
    await file.sync();
    return bytes;
  } finally {
    await file.close();
  }
}

async function writeAll(
  file: FileHandle,
  response: Response,
  from: number,
  arrived: (bytes: number) => void,
): Promise<number> {
  let position = from;
  for await (const chunk of response.body ?? []) {
    await file.write(chunk, 0, chunk.length, position);
    position += chunk.length;
    arrived(position);
  }
  return position;
}

/** Runs before the file gets its name: from then on it is taken as it is. */
function checkWhole(file: PublishedFile, part: string, bytes: number): void {
  if (file.bytes !== null && bytes !== file.bytes) {
    dropPart(part);
    throw new FetchFailure(
      'wrong-size',
      `${file.url} is ${bytes} bytes, but the publisher announces ${file.bytes}.`,
    );
  }
  const kind = file.name.split('.').at(-1);
  const beginning = beginningOf(part, zipBeginning.length);
  if (kind === 'zip' && beginning === zipBeginning) return;
  // A web page about a fault comes with status 200, too.
  if (kind === 'csv' && bytes > 0 && !beginning.trimStart().startsWith('<')) return;
  if (kind !== 'zip' && kind !== 'csv') return;
  dropPart(part);
  throw new FetchFailure(
    'unexpected-answer',
    `${file.url} did not send a ${kind} file${bytes === 0 ? ', but nothing' : ''}.`,
  );
}
